//! Pictures of scenes.

use puzzle::scene::{Item, Point, Rgb, Scene, Style};
use report::{render_png, render_svg, svg_to_png};

fn scene() -> Scene {
    let point = |x, y| Point { x, y };
    let dashed = Style { dash: vec![0.2, 0.1], opacity: 0.5, ..Style::line(Rgb(255, 128, 0), 0.1) };
    Scene {
        title: "a <tile> & its \"line\"".to_owned(),
        width: 4.0,
        height: 2.0,
        items: vec![
            Item::Polygon {
                class: "tile",
                points: vec![point(0.0, 0.0), point(2.0, 0.0), point(1.0, 1.5)],
                style: Style::area(Rgb(0, 0, 0), Some((Rgb(1, 2, 3), 0.05))),
            },
            Item::Arc {
                class: "line",
                from: point(0.5, 0.5),
                to: point(1.5, 0.5),
                radius: Some(0.75),
                clockwise: true,
                style: Style::line(Rgb(220, 0, 0), 0.2),
            },
            Item::Arc {
                class: "line",
                from: point(2.0, 1.0),
                to: point(4.0, 1.0),
                radius: None,
                clockwise: false,
                style: Style::line(Rgb(0, 0, 220), 0.2),
            },
            Item::Polyline { class: "cut", points: vec![point(0.0, 2.0), point(4.0, 0.0)], style: dashed },
            Item::Circle {
                class: "hole",
                center: point(3.0, 1.0),
                radius: 0.5,
                style: Style::area(Rgb(9, 9, 9), None),
            },
            Item::Text {
                class: "number",
                at: point(3.0, 1.0),
                size: 0.4,
                text: "<1>".to_owned(),
                bold: true,
                colour: Rgb(255, 255, 255),
            },
        ],
    }
}

#[test]
fn a_scene_as_svg() {
    let svg = render_svg(&scene());
    for text in [
        "width=\"160\" height=\"80\" viewBox=\"0 0 160 80\" role=\"img\" font-family=\"DejaVu Sans, sans-serif\"",
        "<title>a &lt;tile&gt; &amp; its &quot;line&quot;</title>",
        "<rect width=\"100%\" height=\"100%\" fill=\"#ffffff\"/>",
        "<polygon class=\"tile\" points=\"0,0 80,0 40,60\" fill=\"#000000\" stroke=\"#010203\" stroke-width=\"2\"",
        "d=\"M 20 20 A 30 30 0 0 1 60 20\" fill=\"none\" stroke=\"#dc0000\" stroke-width=\"8\" stroke-linecap=\"round\"",
        "d=\"M 80 40 L 160 40\"",
        "stroke-dasharray=\"8 4\" opacity=\"0.5\"",
        "<circle class=\"hole\" cx=\"120\" cy=\"40\" r=\"20\" fill=\"#090909\"/>",
        "font-size=\"16\" font-weight=\"bold\" text-anchor=\"middle\" fill=\"#ffffff\">&lt;1&gt;</text>",
    ] {
        assert!(svg.contains(text), "no {text} in\n{svg}");
    }
}

#[test]
fn a_scene_as_png_of_the_width_asked_for() {
    let png = render_png(&scene(), 320).expect("a picture");
    assert!(png.starts_with(b"\x89PNG\r\n\x1a\n"));
    let number = |at: usize| u32::from_be_bytes([png[at], png[at + 1], png[at + 2], png[at + 3]]);
    assert_eq!((number(16), number(20)), (320, 160));
    assert!(png.len() > 1_000, "{} bytes", png.len());
}

#[test]
fn what_is_no_picture_is_an_error() {
    assert!(svg_to_png("<svg", 100).is_err());
    assert!(render_png(&scene(), 0).is_err());
    assert!(render_png(&scene(), 100_000).is_err());
}

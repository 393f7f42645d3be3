//! LaTeX that compiles: with pdflatex, where it is installed.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use puzzle::{Directions, SmallTable};
use record::{Category, Status};
use report::{Format, render_latex, svg_to_pdf};
use tempfile::TempDir;

use crate::fixture::{BASIC, Fixture, write};

/// Lists programs whose tests must not be skipped, separated by spaces.
const NEEDED: &str = "TILEBENCH_TEST_PROGRAMS";

/// Where a program is; nowhere is said, or a failure if the program must be there.
pub fn program(name: &str) -> Option<PathBuf> {
    let folders = std::env::var_os("PATH").unwrap_or_default();
    let found = std::env::split_paths(&folders).map(|folder| folder.join(name)).find(|path| path.is_file());
    if found.is_none() {
        let needed = std::env::var(NEEDED).unwrap_or_default();
        assert!(
            !needed.split_whitespace().any(|needed| needed == name),
            "{NEEDED} names {name}, which is not installed"
        );
        eprintln!("NOT TESTED here: {name} is not installed");
    }
    found
}

/// Names and texts that LaTeX would rather not see.
pub fn hostile() -> Fixture {
    let mut fixture = Fixture::new("hos_tile%#&.x");
    let odd = "50%_of #1 & {x} \\y ~z^2 $|<>\"`' [a] *b* Łódź đ ½ 日本 🧩 α≤β → „x“ -- --- '' C2''";
    let long = format!("{}_{}", "unbrokenword".repeat(12), "α".repeat(60));
    fixture.manifest.title = format!("{odd} {}", "A title of many words ".repeat(12));
    fixture.manifest.description = format!("{odd}\n{long}");
    fixture.manifest.sessions[0].host.cpu_model = format!("{odd} {long}");
    fixture.manifest.formulations = vec![odd.to_owned(), long.clone(), "[short]".to_owned()];
    let formulations = [odd, &long, "[short]"];
    for (index, formulation) in formulations.into_iter().enumerate() {
        for challenge in 3..24 {
            for solver in ["highs_%", "[cbc] with all the options that anybody may ever think of, and some more", "*"] {
                let instance = format!("n{challenge}-{odd}");
                let families = format!("C1 C2' {odd} {long}");
                let run = fixture.run(&instance, (formulation, &families), solver, 0).on(challenge + 2);
                match (challenge + index as u64) % 5 {
                    0 => run.solves(&[(1.5, 2), (0.25, 3), (100_000.125, 1)]).holes(2),
                    1 => run.limited("hard-limit"),
                    2 => run.infeasible(0.5).ends(Status::Infeasible, Category::Wrong),
                    3 => run.ends(Status::Crash, Category::Error),
                    _ => run.solves(&[(0.000_123, 1)]),
                };
            }
        }
    }
    fixture
}

/// All formulations and solvers of a large comparison, with tables longer and wider than a page, and many floats.
fn realistic() -> Vec<Fixture> {
    let mut wide = Fixture::new("wide");
    for solver in 0..14 {
        for challenge in 3..60 {
            for seed in 0..2 {
                let (instance, solver) = (format!("n{challenge}-spur"), format!("solver-{solver}"));
                let time = 0.01 * f64::from(challenge * 7 % 31) + 0.5 * f64::from(u32::try_from(seed).expect("small"));
                let run = wide.run(&instance, BASIC, &solver, seed);
                if challenge % 4 == 0 {
                    run.limited("soft-limit")
                } else {
                    run.solves(&[(time, 2), (time, 1)])
                };
            }
        }
    }
    let mut many = Fixture::new("many");
    many.manifest.formulations = (0..40).map(|n| format!("C{n}'")).collect();
    for formulation in 0..40 {
        let name = format!("C{formulation}'");
        many.run("n10-round", (&name, &name), "highs", 0).solves(&[(0.5, 2), (0.25, 1)]);
    }
    vec![Fixture::of_everything(), wide, many]
}

/// Compiles the report twice, so that references are found; gives the log of the second time.
pub fn compile(pdflatex: &Path, folder: &Path) -> String {
    for pass in 1..=2 {
        let ran = Command::new(pdflatex)
            .args(["-halt-on-error", "-interaction=nonstopmode", "report.tex"])
            .current_dir(folder)
            .env("max_print_line", "1000")
            .output()
            .expect("pdflatex runs");
        let out = String::from_utf8_lossy(&ran.stdout);
        assert!(ran.status.success(), "pass {pass}:\n{out}");
    }
    String::from_utf8_lossy(&fs::read(folder.join("report.log")).expect("a log")).into_owned()
}

/// Points by which a line sticks out, from a line of the log.
fn excess(line: &str) -> Option<f64> {
    line.strip_prefix("Overfull \\hbox (")?.split("pt").next()?.parse().ok()
}

/// Compiles a report of these; `KEEP_LATEX=FOLDER` keeps it, to be looked at.
fn check(case: &str, fixtures: &mut [Fixture]) {
    let Some(pdflatex) = program("pdflatex") else { return };
    let out = TempDir::new().expect("a directory");
    let experiments: Vec<_> = fixtures.iter_mut().map(Fixture::load).collect();
    write(&experiments, out.path(), &[Format::Latex]).expect("a report");
    let log = compile(&pdflatex, out.path());
    if let Some(kept) = std::env::var_os("KEEP_LATEX") {
        let kept = Path::new(&kept).join(case);
        fs::create_dir_all(&kept).expect("a folder");
        for entry in fs::read_dir(out.path()).expect("files") {
            let path = entry.expect("an entry").path();
            fs::copy(&path, kept.join(path.file_name().expect("a name"))).expect("copied");
        }
    }
    let bad = ["undefined references", "multiply defined", "Missing character", "LaTeX Error", "Float too large"];
    let is_bad = |line: &str| excess(line).is_some_and(|points| points > 20.0) || bad.iter().any(|b| line.contains(b));
    let found: Vec<_> = log.lines().filter(|line| is_bad(line)).collect();
    assert!(found.is_empty(), "{found:#?}");
}

#[test]
fn reports_with_tables_longer_and_wider_than_a_page_compile() {
    check("realistic", &mut realistic());
}

#[test]
fn reports_with_names_that_latex_would_rather_not_see_compile() {
    check("hostile", &mut [hostile()]);
}

#[test]
fn a_picture_is_one_pdf_with_its_fonts() {
    let svg = r##"<svg xmlns="http://www.w3.org/2000/svg" width="200" height="100"><rect width="100%" height="100%" fill="#fff"/>
        <circle cx="50" cy="50" r="20" fill="#ff0000" opacity="0.5" stroke="blue" stroke-dasharray="4 2"/>
        <text x="10" y="30" font-size="12" transform="rotate(270 10 30)">Zeit (µs) — ≤ 日</text>
        <text x="10" y="60" font-size="12" font-weight="bold">bold</text></svg>"##;
    let pdf = svg_to_pdf(svg).expect("a PDF");
    assert!(pdf == svg_to_pdf(svg).expect("a PDF"), "the same picture is the same file");
    let text = String::from_utf8_lossy(&pdf);
    assert!(text.starts_with("%PDF-") && text.trim_end().ends_with("%%EOF"), "{text}");
    for part in ["/MediaBox [0 0 150 75]", "/FontFile2", "+DejaVuSans", "+DejaVuSans-Bold", "/ToUnicode", "/CA 0.5"] {
        assert!(text.contains(part), "no {part} in {text}");
    }
    assert!(!text.contains("Date") && !text.contains("/ID"), "{text}");
    // Two subsets of one of the largest fonts there are.
    assert!(pdf.len() < 30_000, "{} bytes", pdf.len());
}

#[test]
fn what_a_pdf_cannot_show_is_refused_and_never_left_out() {
    let gradient = r##"<linearGradient id="g"><stop offset="0" stop-color="red"/><stop offset="1" stop-color="blue"/></linearGradient>
        <rect width="9" height="9" fill="url(#g)"/>"##;
    let clip = r##"<clipPath id="c"><circle r="5"/></clipPath><rect width="9" height="9" clip-path="url(#c)"/>"##;
    for (content, what) in [(gradient, "a gradient"), (clip, "a clip path")] {
        let svg = format!(r#"<svg xmlns="http://www.w3.org/2000/svg" width="10" height="10">{content}</svg>"#);
        let error = svg_to_pdf(&svg).expect_err(what).to_string();
        assert!(error.contains(what), "{error}");
    }
    assert!(svg_to_pdf("<svg").is_err());
}

#[test]
fn directions_compile() {
    let Some(pdflatex) = program("pdflatex") else { return };
    let folder = TempDir::new().expect("a directory");
    let tables = (1..=320).map(|face| SmallTable {
        heading: format!("face {face}"),
        columns: ["A_1", "Z'&", "~日"].map(|vertex| (vertex.to_owned(), face.to_string())).to_vec(),
    });
    let title = "odd_name%: 320 of 320 faces with a tile, all capacities met".to_owned();
    let directions = Directions { title, sentences: Vec::new(), tables: tables.collect() };
    fs::write(folder.path().join("report.tex"), render_latex(&directions).expect("a document")).expect("written");
    let log = compile(&pdflatex, folder.path());
    assert!(!log.contains("Overfull") && !log.contains("Missing character"), "{log}");
}

/// With some of these numbers of lines above it, the page ends where the last rows of the table would be.
#[test]
fn short_tables_stay_together_on_a_page() {
    let Some(pdflatex) = program("pdflatex") else { return };
    for lines in (30..46).step_by(2) {
        let mut fixture = Fixture::new("short");
        fixture.manifest.report.tables = vec!["times".to_owned()];
        fixture.manifest.report.plots = vec!["bars".to_owned()];
        fixture.manifest.description = "A line of a description. ".repeat(4 * lines);
        for challenge in 3..10 {
            for solver in ["highs", "cbc"] {
                fixture.run(&format!("n{challenge}"), BASIC, solver, 0).solves(&[(1.0, 1)]);
            }
        }
        let out = fixture.report(&[Format::Latex]);
        let file = out.path().join("short.tex");
        let text = fs::read_to_string(&file).expect("a section");
        // The pages of the first row and the last, as the document finds them.
        let marked = text.replacen("n3 & ", "n3\\label{first} & ", 1).replacen("solve & ", "solve\\label{last} & ", 1);
        assert_eq!(marked.matches("\\label{first}").count() + marked.matches("\\label{last}").count(), 2, "{text}");
        fs::write(&file, marked).expect("written");
        compile(&pdflatex, out.path());
        let found = fs::read_to_string(out.path().join("report.aux")).expect("labels")
            + &fs::read_to_string(out.path().join("short.aux")).unwrap_or_default();
        let page = |label: &str| {
            let (_, rest) = found.split_once(&format!("\\newlabel{{{label}}}{{")).expect("the label");
            rest.lines().next().expect("a line").rsplit('{').next().expect("a page").trim_end_matches('}').to_owned()
        };
        assert_eq!(page("first"), page("last"), "{lines} lines above");
    }
}

#[test]
fn plots_leave_title_and_notes_to_their_captions() {
    let out = Fixture::of_everything().report(&[Format::Latex]);
    let svg = fs::read_to_string(out.path().join("table2-total-time.svg")).expect("a plot");
    let pdf = fs::read(out.path().join("table2-total-time.pdf")).expect("a plot");
    let number = |text: &str, before: &str| -> f64 {
        let (_, rest) = text.split_once(before).expect("a number");
        rest.split(|c: char| !c.is_ascii_digit() && c != '.').next().expect("digits").parse().expect("a number")
    };
    // Three quarters of a pixel are a point.
    let heights = [0.75 * number(&svg, " height=\""), number(&String::from_utf8_lossy(&pdf), "/MediaBox [0 0 570 ")];
    assert!(heights[1] < heights[0] - 40.0, "{heights:?}");
}

#[test]
fn a_description_is_a_paragraph_of_its_own() {
    let mut fixture = Fixture::of_everything();
    fixture.manifest.description = "What is asked.".to_owned();
    let out = fixture.report(&[Format::Latex]);
    let text = fs::read_to_string(out.path().join("table2.tex")).expect("a section");
    assert!(text.contains("What is asked.\\par\n\\noindent {\\small"), "{text}");
}

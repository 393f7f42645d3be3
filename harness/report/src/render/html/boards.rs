//! Pictures of instances within the page, as far as there is room.

use std::fmt::Write;

use crate::page::PageBoard;
use crate::picture::{escape, render_svg};

/// Bytes of pictures that one experiment may take; what is beyond stands in the files beside the page only.
const ROOM: usize = 3 << 20;

/// The pictures with what they show.
pub fn boards(boards: &[PageBoard]) -> String {
    if boards.is_empty() {
        return String::new();
    }
    let mut text = "<h3>Boards</h3>\n<div class=\"boards\">\n".to_owned();
    let (mut used, mut shown) = (0, 0);
    for PageBoard { board, .. } in boards {
        let svg = render_svg(&board.scene);
        used += svg.len();
        if used > ROOM {
            break;
        }
        shown += 1;
        let _ = writeln!(
            text,
            "<figure class=\"board\">\n{svg}<figcaption>{}</figcaption>\n</figure>",
            escape(&board.caption)
        );
    }
    text.push_str("</div>\n");
    let beyond = &boards[shown..];
    if !beyond.is_empty() {
        let files: Vec<_> = beyond.iter().map(|b| format!("<code>{}.svg</code>", escape(&b.stem))).collect();
        let _ = writeln!(
            text,
            "<p class=\"note\">{} more pictures stand in files beside this page only: {}</p>",
            beyond.len(),
            files.join(", ")
        );
    }
    text
}

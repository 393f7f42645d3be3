//! Documents with parts that are renewed from results.

use std::path::Path;

use report::{Analysis, Spliced, splice};

use crate::fixture::{BASIC, Fixture};
use crate::latex::{compile, program};

fn experiment() -> Analysis {
    let mut fixture = Fixture::new("cmp");
    for (instance, highs, cbc) in [("n5", 1.0, 3.0), ("n10", 7.0, 15.0)] {
        fixture.run(instance, BASIC, "highs", 0).solves(&[(highs, 1)]);
        fixture.run(instance, BASIC, "cbc", 0).solves(&[(cbc, 2), (cbc, 1)]);
    }
    fixture.load()
}

fn spliced(text: &str) -> Spliced {
    splice(Path::new("doc/README.md"), text, &[experiment()]).expect("good marks")
}

fn refused(text: &str) -> String {
    splice(Path::new("doc/README.md"), text, &[experiment()]).expect_err(text).to_string()
}

#[test]
fn marked_parts_are_renewed_and_all_else_stays() {
    let before = "# Title\n\n<!-- tilebench: table cmp-times -->\nstale\n<!-- /tilebench -->\nafter, without an end";
    let found = spliced(before);
    assert_eq!((found.parts, found.files.len()), (1, 0));
    let begin = "# Title\n\n<!-- tilebench: table cmp-times -->\n\n**Total time (s).**";
    assert!(found.text.starts_with(begin), "{}", found.text);
    assert!(found.text.ends_with("\n\n<!-- /tilebench -->\nafter, without an end"), "{}", found.text);
    assert!(found.text.contains("| n5 | **1.00** | 6.00 |") && !found.text.contains("stale"), "{}", found.text);
    assert_eq!(spliced(&found.text), found, "spliced again it stays");
    let none = splice(Path::new("a.md"), "no marks at all", &[experiment()]).expect_err("nothing to renew").to_string();
    assert!(none.contains("a.md, line 1") && none.contains("no part of this document is marked"), "{none}");
}

#[test]
fn windows_ends_of_lines_stay_what_they_are() {
    let found = spliced("a\r\n<!-- tilebench: facts cmp -->\r\n<!-- /tilebench -->\r\nb\r\n").text;
    assert!(found.contains("- Machine: box, CPU 1, 2 logical CPUs\r\n"), "{found}");
    assert_eq!(found.matches('\n').count(), found.matches("\r\n").count());
}

#[test]
fn facts_of_several_experiments_stand_once() {
    let mut other = Fixture::new("other");
    other.run("n5", BASIC, "highs", 0).solves(&[(1.0, 1)]);
    let analyses = [experiment(), other.load()];
    let text = "<!-- tilebench: facts cmp other -->\n<!-- /tilebench -->\n";
    let found = splice(Path::new("README.md"), text, &analyses).expect("good marks").text;
    let common =
        "\n- Machine: box, CPU 1, 2 logical CPUs\n- Profile quick; measured on 2026-01-02; tilebench abc1234\n";
    let place = |line: &str| found.find(line).unwrap_or_else(|| panic!("no {line} in {found}"));
    assert_eq!(found.matches("Machine").count(), 1, "{found}");
    assert!(place(common) < place("\n- cmp: Runs: 4 of 4"), "{found}");
    assert!(place("\n- cmp: Runs: 4 of 4") < place("\n- other: Runs: 1 of 1"), "{found}");
}

#[test]
fn a_table_may_be_a_part_of_itself() {
    let table =
        |choice: &str| spliced(&format!("<!-- tilebench: table cmp-times {choice} -->\n<!-- /tilebench -->\n")).text;
    let text = table("rows=\"n10, solved\" columns=highs");
    assert!(text.contains("| n10 | **7.00** |\n| solved | 2/2 |\n"), "{text}");
    assert!(text.contains("Shown here: 2 of 7 rows and 1 of 2 columns."), "{text}");
    assert!(!text.contains("| n5 |") && !text.contains("cbc"), "{text}");
    // A heading with the one above it.
    assert!(table("columns=\"basic / cbc\"").contains("| n5 | 6.00 |"));
}

#[test]
fn figures_are_links_with_files() {
    let found = spliced("<!-- tilebench: figure cmp-total-time to=plots/gallery -->\n<!-- /tilebench -->\n");
    let path = "plots/gallery/cmp-total-time.svg";
    let link = format!("![Re-solving &amp; all (profile quick) – total time]({path})");
    assert!(found.text.contains(&link), "{}", found.text);
    let [(file, bytes)] = found.files.as_slice() else { panic!("{:?}", found.files) };
    assert!(file == Path::new(path) && bytes.starts_with(b"<svg"), "{file:?}");
}

/// A paper in two columns: the tables fit into one of them, and have no caption of their own.
#[test]
fn a_paper_has_tables_and_figures_of_its_own() {
    let paper = "\\documentclass[twocolumn]{article}\n\\usepackage{array,booktabs,graphicx}\n\\begin{document}\n\
                 \\begin{table}\\centering\n% tilebench: table cmp-times columns=\"basic / highs\" rows=\"n5, n10\"\n% /tilebench\n\
                 \\caption{Times (s).}\n\\end{table}\n\
                 \\begin{figure}\n  % tilebench: figure cmp-total-time to=plots\nstale\n% /tilebench\n\\caption{Times.}\n\\end{figure}\n\
                 \\begin{verbatim*}\n% tilebench: table none\n\\end{verbatim*}\n\
                 %% tilebench: facts cmp\n%  /tilebench\n\\end{document}\n";
    let of = |text: &str| splice(Path::new("paper.tex"), text, &[experiment()]);
    let found = of(paper).expect("good marks");
    assert_eq!((found.parts, found.files.len()), (3, 1));
    assert!(found.files[0].0 == Path::new("plots/cmp-total-time.pdf") && found.files[0].1.starts_with(b"%PDF-"));
    for part in [
        "\\begin{tabular}{lr}\n\\toprule\n",
        "\nn5 & \\textbf{1.00} \\\\\n",
        "\\bottomrule\n\\end{tabular}\n% /tilebench\n",
        "% Shown here: 2 of 7 rows and 1 of 2 columns.\n",
        "to=plots\n% ",
        ".\n\\includegraphics[width=\\linewidth]{plots/cmp-total-time.pdf}\n% /tilebench\n",
        "Machine: box, CPU 1, 2 logical CPUs.\n",
    ] {
        assert!(found.text.contains(part), "{part}: {}", found.text);
    }
    assert!(!found.text.contains("stale") && of(&found.text).expect("good marks") == found, "{}", found.text);
    let refused = of("% tilebench: table cmp-times\n").expect_err("it is not closed").to_string();
    assert!(refused.contains("paper.tex, line 1") && refused.contains("`% /tilebench` is missing"), "{refused}");
    let none = of("no marks").expect_err("nothing to renew").to_string();
    assert!(none.ends_with("a mark is % tilebench: table NAME"), "{none}");

    let Some(pdflatex) = program("pdflatex") else { return };
    let folder = tempfile::TempDir::new().expect("a directory");
    std::fs::create_dir(folder.path().join("plots")).expect("a folder");
    std::fs::write(folder.path().join("report.tex"), &found.text).expect("written");
    std::fs::write(folder.path().join(&found.files[0].0), &found.files[0].1).expect("written");
    let log = compile(&pdflatex, folder.path());
    assert!(!log.contains("Overfull") && !log.contains("Warning"), "{log}");
}

#[test]
fn a_warning_of_the_page_goes_with_its_parts() {
    let mut fixture = Fixture::of_everything();
    let of_everything = [fixture.load()];
    let text = "<!-- tilebench: table table2-times -->\n<!-- /tilebench -->\n";
    let found = splice(Path::new("a.md"), text, &of_everything).expect("good marks");
    assert!(found.text.contains("> **Warning:** WRONG answers"), "{}", found.text);
    let text = "% tilebench: figure table2-total-time to=plots\n% /tilebench\n";
    let found = splice(Path::new("a.tex"), text, &of_everything).expect("good marks");
    assert!(found.text.contains("\n% Warning: WRONG answers"), "{}", found.text);
}

#[test]
fn mistakes_are_named_with_file_and_line() {
    let table = "<!-- tilebench: table cmp-times -->";
    let end = "<!-- /tilebench -->";
    for (text, line, words) in [
        (format!("a\n{table}\nb\n"), 2, "not closed"),
        (format!("{table}\n{table}\n{end}\n{end}\n"), 2, "the mark in line 1 is still open"),
        (format!("{end}\n"), 1, "nothing is open"),
        (format!("\n\n<!-- tilebench: table nope -->\n{end}\n"), 3, "no table `nope`; there is \"cmp-"),
        (format!("<!-- tilebench: figure nope to=a -->\n{end}\n"), 1, "no figure `nope`; there is \"cmp-"),
        (format!("<!-- tilebench: facts nope -->\n{end}\n"), 1, "no experiment `nope`; there is \"cmp\""),
        (format!("<!-- tilebench: table cmp-times rows=x -->\n{end}\n"), 1, "no row `x`; its rows are n5, n10"),
        (
            format!("<!-- tilebench: table cmp-times columns=x -->\n{end}\n"),
            1,
            "no column `x`; its columns are basic / highs",
        ),
        (format!("<!--tilebench: figure cmp-total-time to=\"my plots\" -->\n{end}\n"), 1, "`to=my plots` is no folder"),
        (format!("<!-- tilebench: table cmp-times\n-->\n{end}\n"), 1, "`-->` must end the mark"),
        (format!("<!-- tilebench: plot cmp-times -->\n{end}\n"), 1, "none of table, figure, facts"),
    ] {
        let found = refused(&text);
        assert!(found.starts_with(&format!("doc/README.md, line {line}: ")), "{text}: {found}");
        assert!(found.contains(words), "{text}: {found}");
    }
}

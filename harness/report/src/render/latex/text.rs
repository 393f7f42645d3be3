//! Text for LaTeX: what pdflatex has a sign for with the packages of the preamble, and a code for everything else.

/// Escapes text that stays on a line, as in a cell.
///
/// Primes behind a digit, as in the family C2', become primes. Signs that the fonts lack are shown as their code, `U+65E5`.
pub fn escape(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    let mut chars = text.chars().peekable();
    let mut last = None;
    while let Some(c) = chars.next() {
        match c {
            '\'' if last.is_some_and(|l: char| l.is_ascii_digit()) => {
                escaped.push_str("$'");
                while chars.next_if_eq(&'\'').is_some() {
                    escaped.push('\'');
                }
                escaped.push('$');
            }
            // Two would be one dash.
            '-' if last == Some('-') => escaped.push_str("{}-"),
            // At the begin of a row they would belong to the end of the row before.
            '[' | '*' if escaped.trim_start_matches(' ').is_empty() => escaped.extend(['{', c, '}']),
            _ => push(c, &mut escaped),
        }
        last = Some(c);
    }
    escaped
}

/// Signs of a word that stay together, if a line can be broken behind a sign after them; twice as many, if not.
const WORD: usize = 10;

/// Escapes text that is broken into lines: also within long words, behind signs or, where there are none, anywhere.
pub fn prose(text: &str) -> String {
    let mut lines = String::with_capacity(text.len());
    for (index, word) in text.split(' ').enumerate() {
        if index > 0 {
            lines.push(' ');
        }
        let (mut part, mut length) = (String::new(), 0);
        let mut chars = word.chars().peekable();
        while let Some(c) = chars.next() {
            part.push(c);
            length += letters(&c.to_string());
            let is_end = length >= 2 * WORD || (length >= WORD && !c.is_alphanumeric());
            // Primes stay with what they belong to.
            if is_end && chars.peek().is_some_and(|next| *next != '\'') {
                lines += &escape(&part);
                lines.push_str("\\allowbreak{}");
                (part, length) = (String::new(), 0);
            }
        }
        lines += &escape(&part);
    }
    lines
}

/// The room that a text takes on a line: a sign that is shown as its code takes that of the code.
pub fn letters(text: &str) -> usize {
    text.chars().map(|c| if is_known(c) { 1 } else { "U+1234".len() }).sum()
}

/// Whether the fonts have a sign for it; what is blank is a space.
fn is_known(c: char) -> bool {
    let is_latin = matches!(c, ' '..='~' | '\u{a1}'..='\u{17e}') && !LACKING.contains(c);
    is_latin || c.is_whitespace() || c.is_control() || SIGNS.iter().any(|(sign, _)| *sign == c)
}

fn push(c: char, escaped: &mut String) {
    match c {
        '&' | '%' | '$' | '#' | '_' | '{' | '}' => escaped.extend(['\\', c]),
        '<' | '>' | '|' => escaped.extend(['$', c, '$']),
        ' '..='~' if !matches!(c, '\\' | '~' | '^' | '"') => escaped.push(c),
        c if SIGNS.iter().any(|(sign, _)| *sign == c) => {
            escaped.extend(SIGNS.iter().find(|(sign, _)| *sign == c).map(|(_, latex)| *latex));
        }
        c if c.is_whitespace() || c.is_control() => escaped.push(' '),
        // Latin letters with accents, and signs, as far as the standard encodings have them.
        c if is_known(c) => escaped.push(c),
        c => escaped.push_str(&format!("\\texttt{{U+{:04X}}}", u32::from(c))),
    }
}

/// Letters of that range which the fonts do not have.
const LACKING: &str = "ÐÞðþĄąĐđĘęĦħĮįĸĿŀŉŊŋŦŧŲųſ";

/// Signs of texts and tables.
const SIGNS: [(char, &str); 28] = [
    ('\\', "\\textbackslash{}"),
    ('~', "\\textasciitilde{}"),
    ('^', "\\textasciicircum{}"),
    ('"', "''"),
    ('\u{a0}', "~"),
    ('†', "$^\\dagger$"),
    ('‡', "$^\\ddagger$"),
    ('—', "---"),
    ('–', "--"),
    ('‐', "-"),
    ('−', "$-$"),
    ('\u{2018}', "`"),
    ('\u{2019}', "'"),
    ('\u{201c}', "``"),
    ('\u{201d}', "''"),
    ('\u{201e}', ",,"),
    ('«', "$\\ll$"),
    ('»', "$\\gg$"),
    ('…', "\\dots{}"),
    ('•', "$\\bullet$"),
    ('′', "$'$"),
    ('″', "$''$"),
    ('≤', "$\\leq$"),
    ('≥', "$\\geq$"),
    ('≠', "$\\neq$"),
    ('≈', "$\\approx$"),
    ('∞', "$\\infty$"),
    ('→', "$\\to$"),
];

#[cfg(test)]
mod tests {
    use super::{escape, prose};

    #[test]
    fn primes_and_special_characters() {
        assert_eq!(escape("C1 C2' B6'' it's"), "C1 C2$'$ B6$''$ it's");
        assert_eq!(
            escape("50% of n_20 & a\\b ~ {x}^2 <#1> $"),
            r"50\% of n\_20 \& a\textbackslash{}b \textasciitilde{} \{x\}\textasciicircum{}2 $<$\#1$>$ \$"
        );
        assert_eq!(escape("[1] --no-x *"), "{[}1] -{}-no-x *");
        assert_eq!(escape("Łódź ≤ đ, 日, a\tb\u{a0}c"), "Łódź $\\leq$ \\texttt{U+0111}, \\texttt{U+65E5}, a b~c");
    }

    #[test]
    fn long_words_can_be_broken() {
        assert_eq!(prose("short words stay"), "short words stay");
        assert_eq!(prose("instances/tantrix/fixed.toml"), "instances/\\allowbreak{}tantrix/fixed.\\allowbreak{}toml");
        assert_eq!(prose(&"x".repeat(40)), format!("{0}\\allowbreak{{}}{0}", "x".repeat(20)));
        assert_eq!(prose("C2''"), "C2$''$");
    }
}

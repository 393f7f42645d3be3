//! What the page may do, as a content security policy: its own script runs, known by its hash, and none that somebody smuggled in.

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use hmac_sha256::Hash;

/// The policy of a page with this one script, which is given as it stands between its tags.
pub fn policy(script: &str) -> String {
    let hash = STANDARD.encode(Hash::hash(script.as_bytes()));
    format!("default-src 'none'; script-src 'sha256-{hash}'; style-src 'unsafe-inline'; img-src data:")
}

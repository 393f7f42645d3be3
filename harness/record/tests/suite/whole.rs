//! Files are there whole or not at all, whatever they replace; folders are made with those above.

use std::fs::{self, File};
use std::path::Path;
use std::time::{Duration, SystemTime};

use record::{Drafts, discard_proof, make_folder, proof_files, remove_drafts, write_whole};

fn names(folder: &Path) -> usize {
    fs::read_dir(folder).expect("the folder").count()
}

#[test]
fn a_file_is_replaced_as_a_whole_and_leaves_nothing_beside_it() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let path = folder.path().join("a.txt");
    for text in ["first", "2nd"] {
        write_whole(&path, text.as_bytes()).expect("a file can be written");
        assert_eq!(fs::read_to_string(&path).expect("the file"), text);
    }
    assert_eq!(names(folder.path()), 1);
}

#[test]
fn drafts_take_their_places_together_or_leave_nothing() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let [a, b] = ["a", "b"].map(|name| folder.path().join(name));
    let mut drafts = Drafts::default();
    drafts.add(&a, b"a").expect("a draft");
    drafts.add(&b, b"b").expect("a draft");
    assert!(!a.exists() && !b.exists());
    drafts.place().expect("places");
    assert_eq!((fs::read(&a).expect("a file"), names(folder.path())), (b"a".to_vec(), 2));

    let mut given_up = Drafts::default();
    given_up.add(&a, b"other").expect("a draft");
    drop(given_up);
    assert_eq!((fs::read(&a).expect("a file"), names(folder.path())), (b"a".to_vec(), 2));
    // As a process leaves it that is killed before it can place it.
    fs::write(folder.path().join(".draft-x7Yq1za"), b"half").expect("a file");
    remove_drafts(folder.path());
    assert_eq!(names(folder.path()), 2);
}

#[test]
fn links_are_followed_and_what_is_no_file_is_written_into() {
    use std::io::Read;
    use std::os::unix::fs::{FileTypeExt, symlink};
    let folder = tempfile::tempdir().expect("a temporary folder");
    let [there, link, missing, dangling, pipe] =
        ["there", "link", "missing", "dangling", "pipe"].map(|name| folder.path().join(name));
    fs::write(&there, "old").expect("a file");
    symlink("there", &link).expect("a link");
    symlink(&missing, &dangling).expect("a link");
    for (link, file) in [(&link, &there), (&dangling, &missing)] {
        write_whole(link, b"new").expect("written");
        assert!(fs::symlink_metadata(link).expect("the link").is_symlink());
        assert_eq!(fs::read(file).expect("a file"), b"new");
    }
    symlink("circle", folder.path().join("circle")).expect("a link");
    assert!(write_whole(&folder.path().join("circle"), b"").is_err());

    let made = rustix::fs::mknodat(
        rustix::fs::CWD,
        &pipe,
        rustix::fs::FileType::Fifo,
        rustix::fs::Mode::RUSR | rustix::fs::Mode::WUSR,
        0,
    );
    made.expect("a pipe");
    let reader = std::thread::spawn({
        let pipe = pipe.clone();
        move || {
            let mut text = String::new();
            File::open(pipe).and_then(|mut pipe| pipe.read_to_string(&mut text)).expect("text");
            text
        }
    });
    write_whole(&pipe, b"through").expect("written");
    assert_eq!(reader.join().expect("a reader"), "through");
    assert!(fs::symlink_metadata(&pipe).expect("the pipe").file_type().is_fifo());
    let full = write_whole(Path::new("/dev/full"), b"text").expect_err("it is full").to_string();
    assert_eq!(full, "cannot write /dev/full: No space left on device (os error 28)");
    assert!(fs::metadata("/dev/full").expect("a device").file_type().is_char_device());
}

#[test]
#[cfg(target_os = "linux")]
fn a_file_system_in_memory_below_dev_holds_common_files() {
    let folder = tempfile::tempdir_in("/dev/shm").expect("a temporary folder");
    let path = folder.path().join("a.txt");
    for text in ["first", "2nd"] {
        write_whole(&path, text.as_bytes()).expect("a file can be written");
        assert_eq!(fs::read_to_string(&path).expect("the file"), text);
    }
    assert_eq!(names(folder.path()), 1);
}

#[test]
fn folders_are_made_with_those_above() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let deep = folder.path().join("a/b/c");
    for _ in 0..2 {
        make_folder(&deep).expect("folders");
        assert!(deep.is_dir());
    }
    fs::write(folder.path().join("file"), "").expect("a file");
    assert!(make_folder(&folder.path().join("file/below")).is_err());
}

#[test]
fn errors_name_the_file_and_not_the_draft() {
    let error = write_whole(Path::new("/nowhere/a.txt"), b"").expect_err("no folder").to_string();
    assert_eq!(error, "cannot write /nowhere/a.txt: No such file or directory (os error 2)");
    assert!(write_whole(Path::new("/"), b"").is_err());
}

#[test]
fn what_others_wrote_stays() {
    let folder = tempfile::tempdir().expect("a directory");
    let proof = folder.path().join("p.drat");
    let there = || proof_files(&proof).map(|path| path.exists());
    for path in proof_files(&proof) {
        fs::write(path, "0").expect("written");
    }
    discard_proof(&proof, Some(SystemTime::now() + Duration::from_secs(60)));
    assert_eq!(there(), [true; 3]);
    discard_proof(&proof, Some(SystemTime::now() - Duration::from_secs(60)));
    assert_eq!(there(), [false; 3]);
}

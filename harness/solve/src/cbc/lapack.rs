//! LAPACK for CBC's archives, loaded when CBC first factorises a dense matrix, which few runs do: with each start of the program it
//! would take the loader half a millisecond. Whoever links the archives finds these two functions before the library.

use std::ffi::{c_char, c_double, c_int};
use std::process;
use std::sync::LazyLock;

use libloading::Library;

/// Factorises a matrix: rows, columns, matrix, leading dimension, pivots, info.
type Dgetrf = unsafe extern "C" fn(*const c_int, *const c_int, *mut c_double, *const c_int, *mut c_int, *mut c_int);

/// Solves with the factors: transposition, order, number of right sides, matrix, leading dimension, pivots, right sides, their leading
/// dimension, info, length of the first argument.
type Dgetrs = unsafe extern "C" fn(
    *const c_char,
    *const c_int,
    *const c_int,
    *const c_double,
    *const c_int,
    *const c_int,
    *mut c_double,
    *const c_int,
    *mut c_int,
    usize,
);

struct Lapack {
    dgetrf: Dgetrf,
    dgetrs: Dgetrs,
    _library: Library,
}

static LAPACK: LazyLock<Lapack> = LazyLock::new(|| {
    Lapack::load().unwrap_or_else(|error| {
        // Fortran has no way to say it.
        eprintln!("CBC needs LAPACK: {error}");
        process::abort()
    })
});

impl Lapack {
    fn load() -> Result<Self, libloading::Error> {
        // SAFETY: the library of the system that the linker would have named, and the types that LAPACK documents.
        unsafe {
            let library = Library::new("liblapack.so.3")?;
            Ok(Self { dgetrf: *library.get(b"dgetrf_\0")?, dgetrs: *library.get(b"dgetrs_\0")?, _library: library })
        }
    }
}

/// # Safety
///
/// As LAPACK says.
#[unsafe(no_mangle)]
unsafe extern "C" fn dgetrf_(
    m: *const c_int,
    n: *const c_int,
    a: *mut c_double,
    lda: *const c_int,
    ipiv: *mut c_int,
    info: *mut c_int,
) {
    // SAFETY: the caller's.
    unsafe { (LAPACK.dgetrf)(m, n, a, lda, ipiv, info) }
}

/// # Safety
///
/// As LAPACK says.
#[unsafe(no_mangle)]
unsafe extern "C" fn dgetrs_(
    trans: *const c_char,
    n: *const c_int,
    nrhs: *const c_int,
    a: *const c_double,
    lda: *const c_int,
    ipiv: *const c_int,
    b: *mut c_double,
    ldb: *const c_int,
    info: *mut c_int,
) {
    // SAFETY: the caller's; the letter is one character.
    unsafe { (LAPACK.dgetrs)(trans, n, nrhs, a, lda, ipiv, b, ldb, info, 1) }
}

//! Ask a pocket file for the documents most similar to a document, from Rust without a crate.
//!
//!     make lib
//!     rustc -O -L build/lib -l static=pocket examples/query.rs -o query
//!     ./query docs.pocket draft.txt
//!
//! A line a hit: rank, similarity, id, title, with tabs between.

use std::ffi::{c_char, c_void, CString};
use std::{env, fs, process, ptr, slice};

// As pocket.h declares them. Under one number of the ABI no size and no place changes.
#[repr(C)]
struct Error {
    status: u32,
    section: u32,
    block: i64,
    expected: u64,
    found: u64,
    field: *const c_char,
    allowed: *const c_char,
}

#[repr(C)]
#[derive(Clone, Copy, Default)]
struct Hit {
    document: u32,
    similarity: u32,
    tables: u64,
    evidence: u16,
    words: u16,
    order: u32,
}

#[repr(C)]
struct Document {
    id: *const u8,
    title: *const u8,
    url: *const u8,
    id_length: u32,
    title_length: u32,
    url_length: u32,
}

extern "C" {
    fn pocket_open_path(path: *const c_char, index: *mut *mut c_void, error: *mut Error) -> u32;
    fn pocket_close(index: *mut c_void);
    fn pocket_describe(error: *const Error, buffer: *mut u8, size: u32) -> u32;
    fn pocket_query(
        index: *const c_void,
        text: *const u8,
        length: u64,
        options: *const c_void,
        hits: *mut Hit,
        count: *mut u32,
        error: *mut Error,
    ) -> u32;
    fn pocket_more_than_chance(
        index: *const c_void,
        documents: u64,
        stored: i32,
        hits: *mut Hit,
        count: u32,
    ) -> u32;
    fn pocket_document_get(
        index: *const c_void,
        number: u32,
        document: *mut *mut Document,
        error: *mut Error,
    ) -> u32;
    fn pocket_document_free(document: *mut Document);
}

/// What a call says, as a Result.
fn checked(call: impl FnOnce(*mut Error) -> u32) -> Result<(), String> {
    let mut error = Error {
        status: 0,
        section: 0,
        block: -1,
        expected: 0,
        found: 0,
        field: ptr::null(),
        allowed: ptr::null(),
    };
    if call(&mut error) == 0 {
        return Ok(());
    }
    let mut text = [0; 512];
    let length = unsafe { pocket_describe(&error, text.as_mut_ptr(), 512) };
    Err(String::from_utf8_lossy(&text[..length.min(511) as usize]).into_owned())
}

/// An open file. It never changes, so threads may share it.
struct Index(*mut c_void);

unsafe impl Send for Index {}
unsafe impl Sync for Index {}

impl Index {
    fn open(path: &str) -> Result<Index, String> {
        let name = CString::new(path).map_err(|_| "the path has a zero in it".to_string())?;
        let mut index = Index(ptr::null_mut());
        checked(|error| unsafe { pocket_open_path(name.as_ptr(), &mut index.0, error) })?;
        Ok(index)
    }

    /// The most similar documents, best first, without what may be chance.
    fn query(&self, text: &[u8], top: u32) -> Result<Vec<Hit>, String> {
        let mut hits = vec![Hit::default(); top as usize];
        let mut count = top;
        checked(|error| unsafe {
            let at = (text.as_ptr(), text.len() as u64);
            pocket_query(
                self.0,
                at.0,
                at.1,
                ptr::null(),
                hits.as_mut_ptr(),
                &mut count,
                error,
            )
        })?;
        let count = unsafe { pocket_more_than_chance(self.0, 0, 0, hits.as_mut_ptr(), count) };
        hits.truncate(count as usize);
        Ok(hits)
    }

    /// A document's id and title.
    fn document(&self, number: u32) -> Result<(String, String), String> {
        let mut document = ptr::null_mut();
        checked(|error| unsafe { pocket_document_get(self.0, number, &mut document, error) })?;
        let string = |bytes, length| unsafe {
            String::from_utf8_lossy(slice::from_raw_parts(bytes, length as usize)).into_owned()
        };
        let fields = unsafe { &*document };
        let both = (
            string(fields.id, fields.id_length),
            string(fields.title, fields.title_length),
        );
        unsafe { pocket_document_free(document) };
        Ok(both)
    }
}

impl Drop for Index {
    fn drop(&mut self) {
        unsafe { pocket_close(self.0) }
    }
}

fn run(path: &str, document: &str) -> Result<bool, String> {
    let text = fs::read(document).map_err(|error| format!("{document}: {error}"))?;
    let named = |what| format!("{path}: {what}");
    let index = Index::open(path).map_err(named)?;
    let hits = index.query(&text, 10).map_err(named)?;
    for (i, hit) in hits.iter().enumerate() {
        let (id, title) = index.document(hit.document).map_err(named)?;
        println!(
            "{}\t{:.4}\t{id}\t{title}",
            i + 1,
            f64::from(hit.similarity) / 10000.0
        );
    }
    Ok(!hits.is_empty())
}

fn main() {
    let given: Vec<String> = env::args().collect();
    if given.len() != 3 {
        eprintln!("usage: query FILE.pocket DOCUMENT");
        process::exit(2);
    }
    match run(&given[1], &given[2]) {
        Ok(found) => process::exit(if found { 0 } else { 1 }),
        Err(what) => {
            eprintln!("query: {what}");
            process::exit(2)
        }
    }
}

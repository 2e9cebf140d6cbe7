/* pocketindex: ask a pocket file for the documents most similar to a text.
 *
 * The file's bytes are given by the caller (pocket_open) or mapped from a path (pocket_open_path); docs/format.md describes them.
 * An index is immutable: any number of threads may use one at once. Nothing here prints, exits or keeps global state.
 * Strings are UTF-8 with an explicit length. Functions that can fail return a pocket_status and, where they take one, fill a
 * pocket_error (which may be NULL). */
#ifndef POCKET_H
#define POCKET_H

#include <stddef.h>
#include <stdint.h>

#include "status.h"

#ifdef __cplusplus
extern "C" {
#endif

#define POCKET_X(name, number, sentence) name = number,
typedef enum pocket_status { POCKET_STATUSES(POCKET_X) } pocket_status;
#undef POCKET_X

/* Sections of a file, as numbered in docs/format.md. */
enum { POCKET_PROFILE = 1, POCKET_TABLES = 2, POCKET_SKETCHES = 3, POCKET_DOCUMENTS = 4, POCKET_IDS = 5, POCKET_TEXTS = 6, POCKET_TITLES = 7, POCKET_CELLS = 8 };

#if defined(__GNUC__) || defined(__clang__)
#pragma GCC visibility push(default)
#endif

/* cdef: begin */
#define POCKET_EXHAUSTIVE 4294967295
#define POCKET_COLD 4294967294
/* What a file keeps of its documents' texts: 0 nothing, otherwise one of these. */
#define POCKET_WHOLE 1
#define POCKET_SNIPPET 2
typedef struct pocket_index pocket_index;

/* Where a failure lies: section 0 is the header, block -1 is a section's head. expected and found are sizes, checksums or field values,
 * by what the status says; field names the thing compared, or is NULL. Where more than one value is allowed, allowed is a phrase that
 * says which, in which % stands for expected ("1 .. %"); otherwise it is NULL. Two equal values without a phrase say nothing. */
typedef struct pocket_error {
    uint32_t status;
    uint32_t section;
    int64_t block;
    uint64_t expected;
    uint64_t found;
    const char *field;
    const char *allowed;
} pocket_error;

/* A hit: the document's number, its similarity in ten-thousandths (0 .. 10000) and the tables it was found in (bit t for table t; in a file with cells
 * bit 63 for the nearest of them). */
typedef struct pocket_hit {
    uint32_t document;
    uint32_t similarity;
    uint64_t tables;
} pocket_hit;

/* What a query did: the text's terms, keys looked up, parts touched, candidates (distinct documents), and whether it stopped at the
 * cap of 65536 postings, or of 262144 postlists. */
typedef struct pocket_report {
    uint64_t terms;
    uint32_t probes;
    uint32_t parts;
    uint32_t candidates;
    uint32_t capped;
} pocket_report;

typedef struct pocket_summary {
    uint64_t file_size;
    uint64_t documents;
    uint64_t profile_fingerprint;
    uint32_t major, minor;
    uint32_t scheme;
    uint32_t stream;
    uint32_t tables;
    uint32_t components;
    uint32_t mph;
    uint32_t checksum_bits;
    uint32_t posting_bits;
    uint32_t default_probes;
    uint32_t stride;
    uint32_t identity_bits;
    uint32_t least_terms;
    uint32_t classes;
    uint32_t scans; /* 1: a query that does not say how compares with every sketch, 0: it looks up keys */
    uint32_t cells, cells_asked, cells_cold; /* zeros without a cells section */
} pocket_summary;

typedef struct pocket_section {
    uint32_t kind;
    uint32_t flags;
    uint64_t offset;
    uint64_t length;
    uint32_t parameters;
    uint32_t blocks;
} pocket_section;

typedef struct pocket_table {
    uint64_t keys;
    uint64_t postings;
    uint32_t parts;
    uint32_t first_component;
    uint32_t components;
} pocket_table;

/* The hash that the scheme takes of a term, its class, -1 for a stop word, and what it adds there: 1, or its signed weight. */
typedef struct pocket_class {
    uint64_t hash;
    int32_t number;
    int32_t value;
} pocket_class;

/* A block and where it lies in the file. */
typedef struct pocket_block {
    uint64_t offset;
    uint64_t length;
    uint32_t section;
    uint32_t number;
} pocket_block;

/* A document's fields; free it with pocket_document_free. */
typedef struct pocket_document {
    const char *id, *title, *url;
    uint32_t id_length, title_length, url_length;
} pocket_document;

/* A document's text as it was given, or the snippet of it, with a zero behind; free it with pocket_text_free. kept: POCKET_WHOLE or POCKET_SNIPPET. */
typedef struct pocket_text {
    const char *bytes;
    uint32_t length;
    uint32_t kept;
} pocket_text;

/* A document's title, with a zero behind (of a longer one the first 255 bytes, whole characters), and its number. */
typedef struct pocket_title {
    const char *bytes;
    uint32_t length;
    uint32_t document;
} pocket_title;

/* The slots of a part's keys under a hash that the core does not have itself: count keys in, count slots out; non-zero refuses. */
typedef int (*pocket_slots)(uint32_t mph, const uint8_t *hash, size_t length, const uint64_t *keys, size_t count, uint32_t *slots);

/* Other than 0: the call that asks is to end. */
typedef int (*pocket_interrupt)(void *argument);

/* One sentence for a status. */
const char *pocket_sentence(uint32_t status);

/* Open a file that lies in memory; the bytes must stay until pocket_close. Cost in time and memory: O(sections and their directories). */
uint32_t pocket_open(const uint8_t *bytes, uint64_t length, pocket_index **index, pocket_error *error);
/* Open a file by path, mapped read-only. If it is changed while it is open, calls that read it return POCKET_FILE_CHANGED. */
uint32_t pocket_open_path(const char *path, pocket_index **index, pocket_error *error);
void pocket_close(pocket_index *index);

/* A file in pieces, for a reader that cannot have all its bytes at once. heads: the file's header and section table and, one after the other, each
 * section's head (docs/format.md 1); they are copied. A call that needs blocks which were not lent returns POCKET_NOT_AT_HAND:
 * lend those that pocket_missed names and call again. A query misses what it needs in at most three rounds. */
uint32_t pocket_open_pieces(const uint8_t *heads, uint64_t length, pocket_index **index, pocket_error *error);
/* The blocks that were missed and not lent since, in the order of the file: at most *count of them; *count becomes their number. */
void pocket_missed(const pocket_index *index, pocket_block *blocks, uint32_t *count);
/* Miss every block of a section (POCKET_TABLES ..) that is not lent: to have it all before the first query. */
uint32_t pocket_miss(const pocket_index *index, uint32_t section);
/* Lend a block's bytes, as many as pocket_missed said, until pocket_close or, with NULL, take them back; it is not missed either then. Not while another call
 * runs. */
uint32_t pocket_lend(pocket_index *index, uint32_t section, uint32_t block, const uint8_t *bytes);

/* Lend the index a look-up for cmph hashes. Call it before the first query. */
void pocket_attach_mph(pocket_index *index, pocket_slots slots);

/* Have calls that take long ask, in the thread that called, whether to end: every few milliseconds of work, and never where they are shorter. A call that ends so returns
 * POCKET_INTERRUPTED. Call it before the first query; NULL: they do not ask. */
void pocket_on_interrupt(pocket_index *index, pocket_interrupt interrupt, void *argument);

void pocket_summarize(const pocket_index *index, pocket_summary *summary);
uint32_t pocket_section_count(const pocket_index *index);
uint32_t pocket_section_get(const pocket_index *index, uint32_t number, pocket_section *section);
uint32_t pocket_table_get(const pocket_index *index, uint32_t number, pocket_table *table);
/* The profile's name, zero-terminated; name has room for 256 bytes. */
uint32_t pocket_profile_name(const pocket_index *index, char *name);
/* Bytes of minimal perfect hash of all parts of a table (reads every part's head). */
uint32_t pocket_hash_bytes(const pocket_index *index, uint64_t *bytes, pocket_error *error);

/* The text's hits, best first. hits has room for *count of them; *count becomes their number. probes: keys looked up in each table, beside as
 * many of the nearest cells in proportion; 0 is the file's default way, which pocket_summary tells, POCKET_COLD a first answer from few blocks that lie together,
 * POCKET_EXHAUSTIVE compares the text with every stored sketch. */
uint32_t pocket_query(const pocket_index *index, const uint8_t *text, uint64_t length, uint32_t probes, pocket_hit *hits,
                      uint32_t *count, pocket_report *report, pocket_error *error);
/* The hits of a stored document, itself among them, by its stored sketch alone: the file has no margins, so every component counts the same and more
 * probes are needed to find as much (docs/format.md, section 8). Otherwise as pocket_query; the report has no terms. */
uint32_t pocket_query_document(const pocket_index *index, uint32_t document, uint32_t probes, pocket_hit *hits, uint32_t *count, pocket_report *report,
                               pocket_error *error);
/* The similarity in ten-thousandths below which hits had better not be shown, because chance alone finds documents there: it rises with the number of documents
 * and falls with the bits of a sketch (docs/format.md, section 8). pocket_query returns those hits, too. stored: not 0 for pocket_query_document. */
uint32_t pocket_min_similarity(const pocket_index *index, int stored);
/* The standard deviation of a similarity as an estimate of the cosine (docs/format.md, section 8), both in ten-thousandths. */
uint32_t pocket_similarity_error(const pocket_index *index, uint32_t similarity);
/* Bits a document for the estimate of shared text: 0, 64, 128 or 256. */
uint32_t pocket_shared_bits(const pocket_index *index);
/* How much of its text each of count documents shares with a text, in ten-thousandths: an estimate of the Jaccard similarity of their runs of three
 * terms, stop words included. It takes time in proportion to the text, so ask for the hits that are shown. POCKET_NO_SHARED_BITS: the file has none. */
uint32_t pocket_shared_estimate(const pocket_index *index, const uint8_t *text, uint64_t length, const uint32_t *documents, uint32_t count,
                                uint32_t *estimates, pocket_error *error);
/* A text's digits (one byte a component), weights (one a component), sub-keys (one a table), as the index computes them. Each may be NULL. */
uint32_t pocket_sketch(const pocket_index *index, const uint8_t *text, uint64_t length, uint8_t *digits, uint32_t *weights,
                       uint64_t *keys, pocket_report *report);
/* The class of each of a text's terms in the order of the stream, and what the term adds to it; *count, the room, becomes their number. */
uint32_t pocket_classes(const pocket_index *index, const uint8_t *text, uint64_t length, pocket_class *classes, uint64_t *count);
/* How far a term that is no stop word moves each component (pocket_summary.components of them), in a unit of the component's. */
uint32_t pocket_influences(const pocket_index *index, const pocket_class *term, int32_t *influences);
/* The stored digits of a document. */
uint32_t pocket_digits(const pocket_index *index, uint32_t document, uint8_t *digits, pocket_error *error);

uint32_t pocket_document_get(const pocket_index *index, uint32_t number, pocket_document **document, pocket_error *error);
/* Many at once, in the order of numbers: (*documents)[i] for numbers[i]; free all by one pocket_document_free(*documents). In memory their strings follow each
 * other as title, id, url, each with a zero behind. Where one cannot be had, none is. Of a file in pieces all blocks that are missed are known at once. */
uint32_t pocket_documents_get(const pocket_index *index, const uint32_t *numbers, uint32_t count, pocket_document **documents, pocket_error *error);
void pocket_document_free(pocket_document *document);
/* The number of the document with this id. */
uint32_t pocket_find(const pocket_index *index, const char *id, uint32_t length, uint32_t *number, pocket_error *error);

/* What the file keeps of the texts: 0 for nothing, POCKET_WHOLE or POCKET_SNIPPET. */
uint32_t pocket_text_kept(const pocket_index *index);
/* What is kept of a document's text; POCKET_NOT_FOUND where nothing is. Memory: the text and a block, which has 1 MiB at most. */
uint32_t pocket_text_get(const pocket_index *index, uint32_t number, pocket_text **text, pocket_error *error);
void pocket_text_free(pocket_text *text);

/* Titles that can be looked up; 0 where the file has none for that. */
uint32_t pocket_title_count(const pocket_index *index);
/* The titles that begin with a text, whatever their case, accents and points (docs/format.md 6.2), in the order of the file: the first *count of them, at most
 * 10,000; *count becomes their number. POCKET_NOT_FOUND where the file has none for that. Cost: one block, mostly. */
uint32_t pocket_titles_find(const pocket_index *index, const char *text, uint64_t length, pocket_title **titles, uint32_t *count, pocket_error *error);
void pocket_titles_free(pocket_title *titles);

/* Read and check everything; O(file). */
uint32_t pocket_verify(const pocket_index *index, pocket_error *error);
/* cdef: end */

#if defined(__GNUC__) || defined(__clang__)
#pragma GCC visibility pop
#endif

#ifdef __cplusplus
}
#endif
#endif

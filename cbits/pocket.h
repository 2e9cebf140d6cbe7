/* pocketindex: ask a pocket file for the documents most similar to a text.
 *
 * The file's bytes are given by the caller (pocket_open) or mapped from a path (pocket_open_path);
 * docs/format.md describes them. An index is immutable: any number of threads may use one at once.
 * Nothing here prints, exits or keeps global state. Strings are UTF-8 with an explicit
 * length: a file whose string is not well-formed UTF-8 is damaged, and the call that would give the
 * string returns POCKET_DAMAGED_FIELD.
 * Functions that can fail return a pocket_status and, where they take one, fill a pocket_error
 * (which may be NULL). */
#ifndef POCKET_H
#define POCKET_H

#include <stddef.h>
#include <stdint.h>

#include "base/status.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The version of this header; pocket_version tells that of the library. */
#define POCKET_VERSION "1.0.0rc1"

/* Every kind of section: constant, number, name, as in docs/format.md. */
#define POCKET_SECTIONS(X) \
    X(POCKET_PROFILE, 1, "profile") \
    X(POCKET_TABLES, 2, "tables") \
    X(POCKET_SKETCHES, 3, "sketches") \
    X(POCKET_DOCUMENTS, 4, "documents") \
    X(POCKET_IDS, 5, "ids") \
    X(POCKET_TEXTS, 6, "texts") \
    X(POCKET_TITLES, 7, "titles") \
    X(POCKET_CELLS, 8, "cells") \
    X(POCKET_PASSAGES, 9, "passages") \
    X(POCKET_WORDS, 10, "words") \
    X(POCKET_LABELS, 11, "labels") \
    X(POCKET_COPIES, 12, "copies")

#define POCKET_X(kind, number, name) kind = number,
enum { POCKET_SECTIONS(POCKET_X) POCKET_SECTION_KINDS };
#undef POCKET_X

#if defined(__GNUC__) || defined(__clang__)
#pragma GCC visibility push(default)
#endif

/* cdef: begin */
#define POCKET_EXHAUSTIVE 4294967295
#define POCKET_COLD 4294967294
/* What a file keeps of its documents' texts: 0 nothing, otherwise one of these. */
#define POCKET_WHOLE 1
#define POCKET_BY_WORDS 1
#define POCKET_BY_TEXT 2
#define POCKET_IS_ENOUGH 4
#define POCKET_IS_AGAINST 8
#define POCKET_SNIPPET 2
/* The most labels of a document, and the most bytes of a label. */
#define POCKET_MOST_LABELS 255
#define POCKET_LABEL_BYTES 1024
typedef struct pocket_index pocket_index;

/* Where a failure lies: section 0 is the header, block -1 is a section's head. expected and found
 * are sizes, checksums or field values, by what the status says; field names the thing compared, or
 * is NULL. Where more than one value is allowed, allowed is a phrase that says which, in which %
 * stands for expected ("1 .. %"); otherwise it is NULL. Two equal values without a phrase say
 * nothing. */
typedef struct pocket_error {
    pocket_status status;
    uint32_t section;
    int64_t block;
    uint64_t expected;
    uint64_t found;
    const char *field;
    const char *allowed;
} pocket_error;

/* A hit: the document's number, its similarity in ten-thousandths (0 .. 10000) and the tables it
 * was found in (bit t for table t; in a file with cells bit 63 for the nearest of them). evidence:
 * what was looked at beside its sketch, POCKET_BY_WORDS, POCKET_BY_TEXT or both, and whether that,
 * or a second look at its sketch, is POCKET_IS_ENOUGH to show it or POCKET_IS_AGAINST it. words: of
 * the rarest words of the text, by their idf, what it has beyond chance, in ten-thousandths. Where
 * its text was looked at, similarity is the cosine of both texts. order: by which hits come, the
 * highest first, in twenty-thousandths (docs/format.md 8.1). */
typedef struct pocket_hit {
    uint32_t document;
    uint32_t similarity;
    uint64_t tables;
    uint16_t evidence;
    uint16_t words;
    uint32_t order;
} pocket_hit;

/* What a query did: the text's terms, keys looked up, parts touched, candidates (distinct
 * documents), whether it stopped at the cap of 65536 postings, or of 262144 postlists; words that
 * were asked for, and texts that were read. */
typedef struct pocket_report {
    uint64_t terms;
    uint32_t probes;
    uint32_t parts;
    uint32_t candidates;
    uint32_t capped;
    uint32_t words;
    uint32_t texts;
} pocket_report;

/* How to open a file by its path. size is sizeof(pocket_open_options), as for pocket_query_options.
 * no_signal_handler: other than 0, no handler of SIGBUS is installed for this file. If another
 * program shortens it while it is open, or the disc below it fails, the signal then goes to the
 * application's own handler, or ends the process. All other changes are noticed as before. */
typedef struct pocket_open_options {
    uint32_t size;
    uint32_t no_signal_handler;
} pocket_open_options;

/* How to ask. size is sizeof(pocket_query_options): members that a later version adds are zero for
 * who does not know them, and a library refuses (POCKET_BAD_ARGUMENT) what it does not know.
 * probes: keys looked up in each table, 65536 at most, and as many of the nearest cells in
 * proportion; 0 is the file's default way (pocket_summary); POCKET_COLD is a first answer from few
 * blocks that lie together; POCKET_EXHAUSTIVE compares the text with every stored sketch. report:
 * filled where it is not NULL. sketches_alone: other than 0, neither words nor texts are asked. */
typedef struct pocket_query_options {
    uint32_t size;
    uint32_t probes;
    pocket_report *report;
    uint32_t sketches_alone;
} pocket_query_options;

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
    uint32_t least_terms; /* of a text that is compared with sketches */
    uint32_t classes;
    uint32_t scans; /* 1: a query that does not say how compares with every sketch, 0: it looks up
                       keys */
    uint32_t cells, cells_asked, cells_cold; /* zeros without a cells section */
    /* Of the passages section, zeros without one: terms of a shingle, shingles of a window, the
     * most documents of a shingle that is not frequent, and the number of frequent shingles. */
    uint32_t run_terms, run_window, run_documents;
    uint64_t frequent_runs;
    /* Of the words section, zeros without one: words and their postings, the most words of a
     * document (0: all), the average length of a document in 1/256 terms, and how often a word of
     * a title counts. */
    uint64_t words, word_postings;
    uint32_t words_heaviest, word_average, word_title_weight;
    uint32_t words_room;    /* the most bytes of a block, 0 without the section */
    uint32_t words_counted; /* documents that words were counted of, to choose the heaviest; 0 where
                               all words of a document count */
    uint32_t sketched;      /* documents that have a sketch; the others are short */
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

/* The hash that the scheme takes of a term, its class, -1 for a stop word, and what it adds there:
 * 1, or its signed weight. */
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

/* A document's text as it was given, or the snippet of it, with a zero behind; free it with
 * pocket_text_free. kept: POCKET_WHOLE or POCKET_SNIPPET. */
typedef struct pocket_text {
    const char *bytes;
    uint32_t length;
    uint32_t kept;
} pocket_text;

/* A document's title, with a zero behind (of a longer one the first 255 bytes, whole characters),
 * and its number. */
typedef struct pocket_title {
    const char *bytes;
    uint32_t length;
    uint32_t document;
} pocket_title;

/* How to ask for sources. size is sizeof(pocket_sources_options), as for pocket_query_options.
 * most: sources that are wanted, 0 for 100, at most 1,000. cold: not 0 for fewer look-ups, those of
 * a passage that was copied word by word. */
typedef struct pocket_sources_options {
    uint32_t size;
    uint32_t most;
    uint32_t cold;
} pocket_sources_options;

/* A passage of the text, from byte start up to end, which has the terms of the text from first up
 * to last. verified: not 0 if it was found in the text of the document, from byte document_start up
 * to document_end. Otherwise it is an estimate, and these two are 0. edited: the share of its terms
 * that the document does not have there, in ten-thousandths. documents: the number of documents
 * that were seen to have a sentence of it word for word, 0 if there is none. */
typedef struct pocket_passage {
    uint64_t start, end, document_start, document_end;
    uint32_t first, last;
    uint32_t edited, documents, verified;
} pocket_passage;

/* A stretch of a text, from first up to last. */
typedef struct pocket_span {
    uint32_t first, last;
} pocket_span;

/* A document that passages of a text come from. coverage: the share of the text's terms that its
 * passages cover; added: the share that they cover and the passages of no source before it do; both
 * in ten-thousandths. evidence: that of its best passage: the more terms or shingles the document
 * shares with it, and the fewer other documents have these, the higher. The source has count
 * passages, from number first on in passages of pocket_sources_found. */
typedef struct pocket_source {
    uint32_t document;
    uint32_t coverage, added, evidence;
    uint32_t first, count;
} pocket_source;

/* The longest sentence of a text, from byte start up to end, that was not found as a passage
 * although documents have all of its words that were looked up. A file that keeps no texts does not
 * tell their order. documents: the number of documents that were seen to have these words, 0 if
 * there is no such sentence; document: one of them. */
typedef struct pocket_words_only {
    uint64_t start, end;
    uint32_t document, documents;
} pocket_words_only;

/* A passage of the text that very many documents have, so that none of them is its source: from
 * byte start up to end, terms first up to last. documents: about how many documents have it. Of
 * these, example_count (1 to 3) are named, from number first_example on in examples of
 * pocket_sources_found. verified: not 0 if it was found in their texts. */
typedef struct pocket_frequent_passage {
    uint64_t start, end;
    uint32_t first, last;
    uint32_t documents, verified;
    uint32_t first_example, example_count;
} pocket_frequent_passage;

/* Sources, the one that explains most of a text first, then by what each adds; free them with
 * pocket_sources_free. coverage: of all sources together. capped: not 0 if more documents or
 * postings had to be examined than the limits allow, so that sources may be missing. */
typedef struct pocket_sources_found {
    const pocket_source *sources;
    const pocket_passage *passages;
    uint32_t count, passage_count;
    uint32_t all; /* the number of all sources, including those that are not listed */
    uint32_t terms, coverage, capped;
    pocket_words_only words_only;
    const pocket_frequent_passage *frequent; /* in the order of the text */
    const uint32_t *examples;                /* documents of frequent passages */
    uint32_t frequent_count;
} pocket_sources_found;

/* How to search for words. size is sizeof(pocket_search_options), as for pocket_query_options.
 * most: hits that are wanted, 0 for 10, at most 1,000. prefix: not 0 where the last word may be the
 * beginning of one. cold: not 0 to read of a word that many documents have its highest ranks.
 * exact: not 0 to look for no other forms of the words. titles: not 0 where a hit is to have all
 * the words in its title. replace: 1 where another word may be asked instead of one that no
 * document has, 2 where also instead of one that is a thousand times rarer. having, all: where not
 * NULL, how many documents of all files that are asked together have each word, in the order of an
 * answer's words, and how many they have: so their scores compare, and a word that any of them has
 * is not replaced. filters: where not NULL,
 * filters_length bytes of further filters, which hold for a text of any length: label:earn,
 * lang:de, -label:"crude oil". */
typedef struct pocket_search_options {
    uint32_t size;
    uint32_t most;
    uint32_t prefix;
    uint32_t cold;
    uint32_t exact;
    uint32_t titles;
    uint32_t replace;
    const uint64_t *having;
    uint64_t all;
    const uint8_t *filters;
    uint64_t filters_length;
} pocket_search_options;

/* A document that has words of a search: how many of the asked ones, and its score, by which hits
 * are ordered: 26 * 256 / (2.2 ln 2) times that of BM25, nearly, and more where the document has
 * all words, or its title. */
typedef struct pocket_word_hit {
    uint32_t document;
    uint32_t words;
    uint32_t score;
} pocket_word_hit;

/* What POCKET_ASKED.. say of a word of a search. */
#define POCKET_ASKED_EXCLUDED 1
#define POCKET_ASKED_QUOTED 2
#define POCKET_ASKED_PREFIX 4
#define POCKET_ASKED_PARTIAL 8
#define POCKET_ASKED_FORMS 16
/* A word of a search: where it stands first in the text, in bytes; how many documents have it; and
 * of the flags above those that hold: excluded by a minus; within a quote; a beginning of words;
 * not all of its documents were read; documents have other forms of it. Of a word that is in no
 * document, documents is the sum of those that have its other forms; of a beginning, of those that
 * each word has. */
typedef struct pocket_asked_word {
    uint64_t start, end;
    uint64_t documents;
    uint32_t flags, reserved;
} pocket_asked_word;

/* The flags of a filter of a search: it excludes documents; it is by language, not by label; its
 * value is in the options, not in the text. */
#define POCKET_FILTER_EXCLUDED 1
#define POCKET_FILTER_LANGUAGE 2
#define POCKET_FILTER_OPTION 4
/* A filter of a search. start, end: the place of its value in the text, or in the filters of the
 * options, in bytes. documents: the number of documents that have a label or language to which
 * it refers. labels: the number of these labels or languages; where it is 0, near_labels are
 * near_count labels with a similar spelling, the most similar first. */
typedef struct pocket_asked_filter {
    uint64_t start, end;
    uint64_t documents;
    uint32_t flags, labels;
    uint32_t near_count, near_labels[3];
} pocket_asked_filter;

/* How words of a search were replaced: two by one; one by two; one by another spelling; one by
 * another form. */
#define POCKET_REPLACED_JOINED 1
#define POCKET_REPLACED_PARTED 2
#define POCKET_REPLACED_SPELLED 3
#define POCKET_REPLACED_FORM 4
/* What was asked instead of words that no document has: where these stood in the text, and where it
 * stands in the text that was asked instead, in bytes. documents: how many have the word, where it
 * was a rare one that was replaced, else 0. */
typedef struct pocket_replacement {
    uint64_t start, end;
    uint64_t new_start, new_end;
    uint32_t how, documents;
} pocket_replacement;

/* The answer to a search, best hit first; free it with pocket_search_free. all, any: how many
 * documents have all asked words that a document has, and how many one of them (before quotes are
 * looked for). capped: not 0 where more words, beginnings or texts were to be looked at than are;
 * unchecked: not 0 where quotes were not looked for, because no whole texts are kept; ignored: not
 * 0 where quotation marks or a minus were not heeded, because the text has eight terms or more;
 * pieces: not 0 where all counts documents that have each two neighbours of three or more
 * characters without spaces, and not all of these were looked into. No hit that was not has `words`
 * of all. allowed: the number of documents that match the filters; only these are in hits, all and
 * any. unlabelled: which of the things that the filters need the file does not keep: 1 labels,
 * 2 languages, 3 both. */
typedef struct pocket_search_found {
    const pocket_word_hit *hits;
    const pocket_asked_word *words;
    uint32_t count, word_count;
    uint32_t all, any;
    uint32_t capped, unchecked;
    uint32_t ignored, pieces;
    const pocket_replacement *replacements;
    const char *text; /* that was asked instead, of which words tell the places; or NULL */
    uint64_t text_length;
    uint32_t replacement_count, filter_count;
    const pocket_asked_filter *filters;
    uint32_t allowed, unlabelled;
} pocket_search_found;

/* The slots of a part's keys under a hash that the core does not have itself: count keys in, count
 * slots out; non-zero refuses. */
typedef int (*pocket_slots)(uint32_t mph, const uint8_t *hash, size_t length, const uint64_t *keys,
                            size_t count, uint32_t *slots);

/* Other than 0: the call that asks is to end. */
typedef int (*pocket_interrupt)(void *argument);

/* ---- statuses ---- */

/* Returns one English sentence for a status. The string is static. */
const char *pocket_sentence(uint32_t status);

/* Write a description of an error to buffer, which has room for size bytes: what is wrong, what
 * was expected and what to do, as one line of UTF-8 without the file's name and without a full
 * stop, with a zero at its end. A text that does not fit is cut off. Returns the length of the
 * whole text; 512 bytes are enough for every error of this library. */
uint32_t pocket_describe(const pocket_error *error, char *buffer, uint32_t size);

/* Returns the version of the library, such as "1.2.3". The string is static. */
const char *pocket_version(void);

/* ---- opening ---- */

/* Open a file that lies in memory. The bytes stay the caller's and must not move or change until
 * pocket_close. *index is NULL after an error, otherwise free it with pocket_close. Time and
 * memory: in proportion to the directories of the sections. */
pocket_status pocket_open(const uint8_t *bytes, uint64_t length, pocket_index **index,
                          pocket_error *error);

/* Open a file by its path (UTF-8), mapped read-only. Free *index with pocket_close. A file that
 * changes while it is open does not crash a call: the call returns POCKET_FILE_CHANGED or
 * POCKET_IO. POCKET_IO says in error->field what was tried and in error->found the system's error
 * number. */
pocket_status pocket_open_path(const char *path, pocket_index **index, pocket_error *error);

/* Open a file by its path as pocket_open_path does, with options: NULL for the defaults. */
pocket_status pocket_open_path_with(const char *path, const pocket_open_options *options,
                                    pocket_index **index, pocket_error *error);

/* Tell that a file opened by its path lies on a slow disc: from now on the system is asked to read
 * no more of it than a call needs. For queries with POCKET_COLD. */
void pocket_expect_cold(const pocket_index *index);

/* Free an index. NULL is allowed. No other call may be running. */
void pocket_close(pocket_index *index);

/* Lend the index a look-up for the perfect hashes of libcmph (docs/embedding.md). Call it before
 * the first query. */
void pocket_attach_mph(pocket_index *index, pocket_slots slots);

/* Let long calls ask whether to end. They ask in the thread that called, every few milliseconds of
 * work; short calls never ask. A call that ends so returns POCKET_INTERRUPTED. NULL: no call asks.
 * Call it before the first query. */
void pocket_on_interrupt(pocket_index *index, pocket_interrupt interrupt, void *argument);

/* ---- a file in pieces ---- */

/* Open a file of which only some bytes are at hand. heads: the header, the section table and each
 * section's head one after the other (docs/format.md 1); they are copied. A call that needs a block
 * which was not lent returns POCKET_NOT_AT_HAND: lend the blocks that pocket_missed names, and call
 * again. A query needs three rounds at most. */
pocket_status pocket_open_pieces(const uint8_t *heads, uint64_t length, pocket_index **index,
                                 pocket_error *error);

/* List the blocks that calls missed and that were not lent since, in the order of the file. *count
 * is the room in blocks and becomes the number written. */
void pocket_missed(const pocket_index *index, pocket_block *blocks, uint32_t *count);

/* Mark every block of a section (POCKET_TABLES ..) that is not lent as missed, to have them all
 * before the first query. POCKET_BAD_ARGUMENT: there is no such section. */
pocket_status pocket_miss(const pocket_index *index, uint32_t section);

/* Lend a block's bytes until pocket_close. They stay the caller's. NULL takes them back, and the
 * block is no longer missed. No other call may be running. */
pocket_status pocket_lend(pocket_index *index, uint32_t section, uint32_t block,
                          const uint8_t *bytes);

/* ---- what a file says of itself ---- */

/* Fill *summary. */
void pocket_summarize(const pocket_index *index, pocket_summary *summary);

/* Returns the number of sections. */
uint32_t pocket_section_count(const pocket_index *index);

/* Fill *section with the section of this number. POCKET_BAD_ARGUMENT: there is none. */
pocket_status pocket_section_get(const pocket_index *index, uint32_t number,
                                 pocket_section *section);

/* Fill *table with the table of this number. POCKET_BAD_ARGUMENT: there is none. */
pocket_status pocket_table_get(const pocket_index *index, uint32_t number, pocket_table *table);

/* Write the profile's name to name, which has room for 256 bytes, with a zero behind. */
pocket_status pocket_profile_name(const pocket_index *index, char *name);

/* Sum the bytes of all minimal perfect hashes of the tables. It reads the head of every part. */
pocket_status pocket_hash_bytes(const pocket_index *index, uint64_t *bytes, pocket_error *error);

/* Read and check everything that docs/format.md says of a file. Time: in proportion to the file. */
pocket_status pocket_verify(const pocket_index *index, pocket_error *error);

/* ---- queries ---- */

/* Find the documents most similar to a text, best first. options: NULL for the defaults. hits is
 * the caller's; *count is its room and becomes the number of hits, 0 after an error. What chance
 * finds is among them: pocket_more_than_chance leaves it out. In a file with words or whole texts
 * these are asked, too, where the sketches leave it in doubt what is similar. A text that has too
 * few terms for a sketch finds its copies, with a similarity of 10000, or 9999 where they have the
 * same words, written in another way, and documents that have two of its words; in a file with
 * neither words nor whole texts, one of three terms or more that has no copies is compared with
 * sketches. POCKET_TEXT_TOO_SHORT: there is none of this. Any number of
 * threads may ask at once. */
pocket_status pocket_query(const pocket_index *index, const uint8_t *text, uint64_t length,
                           const pocket_query_options *options, pocket_hit *hits, uint32_t *count,
                           pocket_error *error);

/* Find the documents most similar to a stored one, itself among them, by its stored sketch alone. A
 * sketch has no margins, so every component counts the same, and as many hits need more probes
 * (docs/format.md, section 8). A document without a sketch finds its copies. Otherwise as
 * pocket_query. */
pocket_status pocket_query_document(const pocket_index *index, uint32_t document,
                                    const pocket_query_options *options, pocket_hit *hits,
                                    uint32_t *count, pocket_error *error);

/* Keep those hits of a query, in their order, that are more than chance: the others had better not
 * be shown. Returns how many there are. Copies are, and those with POCKET_IS_ENOUGH; those with
 * POCKET_IS_AGAINST are not. Of the others the first one has pocket_min_similarity at least, those
 * behind it seven eighths of that (docs/format.md, section 8). documents: those of all files that
 * are asked together, 0 for those of this one. stored: not 0 for hits of pocket_query_document. */
uint32_t pocket_more_than_chance(const pocket_index *index, uint64_t documents, int stored,
                                 pocket_hit *hits, uint32_t count);

/* Returns the similarity, in ten-thousandths, below which the first hit of a query may be chance.
 * It rises with the number of documents and falls with the bits of a sketch (docs/format.md,
 * section 8). documents, stored: as above. */
uint32_t pocket_min_similarity(const pocket_index *index, uint64_t documents, int stored);

/* Returns the standard deviation of a similarity as an estimate of the cosine (docs/format.md,
 * section 8). Both are in ten-thousandths. */
uint32_t pocket_similarity_error(const pocket_index *index, uint32_t similarity);

/* ---- sources ---- */

/* Find the documents that passages of a text come from (docs/format.md, section 9). options: NULL
 * for the defaults. Free *found with pocket_sources_free; it is NULL after an error.
 * POCKET_NO_PASSAGES: the file has no section of passages. Time and memory are in proportion to the
 * text, of which the first 1,048,576 terms are looked at. */
pocket_status pocket_sources(const pocket_index *index, const uint8_t *text, uint64_t length,
                             const pocket_sources_options *options, pocket_sources_found **found,
                             pocket_error *error);

/* Returns where the passages of an answer are in the texts of their documents, in code points: a
 * span for each of passages, in that order, of zeros for an estimate. It lives as long as the
 * answer does. */
const pocket_span *pocket_sources_places(const pocket_sources_found *found);

/* Free what pocket_sources gave. NULL is allowed. */
void pocket_sources_free(pocket_sources_found *found);

/* Texts that are looked for in documents that the caller gives. */
typedef struct pocket_given pocket_given;

/* Prepare a search for count texts, at most 16,777,216, in documents that are given one after the
 * other. The index need not have these documents; it tells how rare a word is, and must stay open
 * until pocket_given_free. The texts are copied. Free *given with pocket_given_free; it is NULL
 * after an error. One thread may use it at a time. */
pocket_status pocket_given_new(const pocket_index *index, const uint8_t *const *texts,
                               const uint64_t *lengths, uint32_t count, pocket_given **given,
                               pocket_error *error);

/* Look for the texts in a document. document: a number that the caller chooses. The memory is in
 * proportion to the longest document, and to what is found. */
pocket_status pocket_given_look(pocket_given *given, uint32_t document, const uint8_t *text,
                                uint64_t length, pocket_error *error);

/* Returns how often a document was noted for a piece of a text. If a call of pocket_given_look
 * increases this, pocket_given_found may name the document; otherwise it will not. */
uint64_t pocket_given_noted(const pocket_given *given);

/* Returns the number of the first text, from the given number on, of which the last document may
 * have passages, or UINT32_MAX if there is none. pocket_given_found tells which passages it has.
 * The reason may also be an earlier document that was given after the last pocket_given_forget. */
uint32_t pocket_given_next(const pocket_given *given, uint32_t from);

/* Forget all documents that were given. Later calls find passages only in documents that are given
 * afterwards, and do not count how many earlier ones have a passage. */
void pocket_given_forget(pocket_given *given);

/* Find the sources of a text (0 .. count - 1) among the documents given so far, as pocket_sources
 * does. options: only its most is used. Free *found with pocket_sources_free. */
pocket_status pocket_given_found(pocket_given *given, uint32_t text,
                                 const pocket_sources_options *options,
                                 pocket_sources_found **found, pocket_error *error);

/* Free what pocket_given_new gave. NULL is allowed. */
void pocket_given_free(pocket_given *given);

/* Order the sources of one text as pocket_sources does, if several files named them or their
 * passages were looked for in the texts: the one that covers most first, then by what each adds to
 * those before it. The spans of source i end at ends[i] in spans, and begin where those of the
 * source before it end. They rise and do not overlap; their unit is the caller's. A source that
 * adds less than least comes after those that add more, by what it covers, and adds 0; if two are
 * equal, the one that was given first comes first. *count is the number of sources and becomes the
 * number of those that were ordered, at most most. order: their numbers; added: what each adds;
 * both have room for most. POCKET_BAD_ARGUMENT: ends or spans do not rise, or there are more than
 * 16,777,216 of them. The memory is in proportion to the spans. */
pocket_status pocket_order_sources(const pocket_span *spans, const uint32_t *ends, uint32_t *count,
                                   uint32_t least, uint32_t most, uint32_t *order, uint32_t *added,
                                   pocket_error *error);

/* ---- words ---- */

/* Find the documents that have words of a text, best first (docs/format.md, section 10): a few
 * words, "quoted ones", and -excluded ones. options: NULL for the defaults. Free *found with
 * pocket_search_free; it is NULL after an error. POCKET_NO_WORDS: the file has no section of words.
 * Time and memory are in proportion to the documents that have the words. */
pocket_status pocket_search(const pocket_index *index, const uint8_t *text, uint64_t length,
                            const pocket_search_options *options, pocket_search_found **found,
                            pocket_error *error);

/* Free what pocket_search gave. NULL is allowed. */
void pocket_search_free(pocket_search_found *found);

/* Find where words that a search asks for stand in another text, in bytes, to show them there:
 * start and end of each, rising; words that overlap are one place. prefix: as in
 * pocket_search_options. *count is the room in places (two numbers each) and becomes how many were
 * written. */
pocket_status pocket_mark_words(const uint8_t *text, uint64_t length, const uint8_t *asked,
                                uint64_t asked_length, uint32_t prefix, uint64_t *places,
                                uint32_t *count);

/* Tell which language and libraries put the words into classes of forms, where they are in some: at
 * most 255 bytes and a zero, which alone stand for none. */
void pocket_word_forms(const pocket_index *index, char *name);
/* Count the documents that have each term of a text, in the order of the stream `every word`
 * (docs/format.md, section 7): 0 where none has it. *count is the room and becomes the number of
 * terms. A search for those that are rare and come often in the text finds what is on its topic.
 * POCKET_NO_WORDS: the file has no section of words. */
pocket_status pocket_known_words(const pocket_index *index, const uint8_t *text, uint64_t length,
                                 uint64_t *documents, uint64_t *count, pocket_error *error);

/* Group documents, in their order, by their sketches (docs/format.md, section 10): groups[i]
 * becomes the place, among the documents, of the first one of the group that document i is in.
 * Time: in proportion to count, at most 1,000. */
pocket_status pocket_group(const pocket_index *index, const uint32_t *documents, uint32_t count,
                           uint32_t *groups, pocket_error *error);

/* ---- sketches, looked at ---- */

/* Compute a text's digits (one byte a component), weights (one a component) and sub-keys (one a
 * table). Each array may be NULL. */
pocket_status pocket_sketch(const pocket_index *index, const uint8_t *text, uint64_t length,
                            uint8_t *digits, uint32_t *weights, uint64_t *keys,
                            pocket_report *report);

/* List the class of each term of a text in the order of the stream, and what the term adds to it.
 * *count is the room and becomes their number. */
pocket_status pocket_classes(const pocket_index *index, const uint8_t *text, uint64_t length,
                             pocket_class *classes, uint64_t *count);

/* Tell how far a term that is no stop word moves each component. influences has room for
 * pocket_summary.components; the unit is the component's. */
pocket_status pocket_influences(const pocket_index *index, const pocket_class *term,
                                int32_t *influences);

/* Read the stored digits of a document, one byte a component. */
pocket_status pocket_digits(const pocket_index *index, uint32_t document, uint8_t *digits,
                            pocket_error *error);

/* ---- documents ---- */

/* Read a document's id, title and url. Free *document with pocket_document_free; it is NULL after
 * an error. POCKET_NOT_FOUND: there is no such number. */
pocket_status pocket_document_get(const pocket_index *index, uint32_t number,
                                  pocket_document **document, pocket_error *error);

/* Read many documents at once, in the order of numbers: (*documents)[i] for numbers[i]. Free all by
 * one pocket_document_free(*documents). Their strings lie one after the other in memory as title,
 * id, url, each with a zero behind. Where one document cannot be had, none is. In a file in pieces,
 * all blocks that are missed are known after the first call. */
pocket_status pocket_documents_get(const pocket_index *index, const uint32_t *numbers,
                                   uint32_t count, pocket_document **documents,
                                   pocket_error *error);

/* Free what pocket_document_get or pocket_documents_get gave. NULL is allowed. */
void pocket_document_free(pocket_document *document);

/* Find the number of the document with this id. POCKET_NOT_FOUND: there is none. */
pocket_status pocket_find(const pocket_index *index, const char *id, uint32_t length,
                          uint32_t *number, pocket_error *error);

/* ---- kept texts ---- */

/* Returns what the file keeps of the texts: 0 for nothing, POCKET_WHOLE or POCKET_SNIPPET. */
uint32_t pocket_text_kept(const pocket_index *index);

/* Read what is kept of a document's text. Free *text with pocket_text_free. POCKET_NOT_FOUND:
 * nothing is kept. Memory: the text and a block of 1 MiB at most. */
pocket_status pocket_text_get(const pocket_index *index, uint32_t number, pocket_text **text,
                              pocket_error *error);

/* Free what pocket_text_get gave. NULL is allowed. */
void pocket_text_free(pocket_text *text);

/* ---- titles ---- */

/* Returns the number of titles that can be looked up, 0 where the file has none for that. */
uint32_t pocket_title_count(const pocket_index *index);

/* Find the titles that begin with a text, whatever their case, accents and points
 * (docs/format.md 6.2), in the order of the file. *count is the most that are wanted, at most
 * 10,000, and becomes their number. Free *titles with pocket_titles_free. POCKET_NOT_FOUND: the
 * file has no titles to look up. It mostly reads one block. */
pocket_status pocket_titles_find(const pocket_index *index, const char *text, uint64_t length,
                                 pocket_title **titles, uint32_t *count, pocket_error *error);

/* Free what pocket_titles_find gave. NULL is allowed. */
void pocket_titles_free(pocket_title *titles);

/* ---- labels ---- */

/* Returns the number of labels that documents of the file have, 0 where it was built without. */
uint32_t pocket_label_count(const pocket_index *index);

/* List the numbers of a document's labels, rising. *count is the room and becomes how many were
 * written: POCKET_MOST_LABELS is always room enough. POCKET_NOT_FOUND: there is no such document,
 * or the file has no section of labels. It reads one block. */
pocket_status pocket_labels_get(const pocket_index *index, uint32_t document, uint32_t *numbers,
                                uint32_t *count, pocket_error *error);

/* Write the label with a number to label, which has room for POCKET_LABEL_BYTES and a zero behind.
 * POCKET_NOT_FOUND: there is none. It reads one block. */
pocket_status pocket_label_name(const pocket_index *index, uint32_t number, char *label,
                                uint32_t *length, pocket_error *error);
/* cdef: end */

#if defined(__GNUC__) || defined(__clang__)
#pragma GCC visibility pop
#endif

#ifdef __cplusplus
}
#endif
#endif

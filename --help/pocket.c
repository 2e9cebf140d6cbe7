/* pocketindex 0.1.0: ask a pocket file. Made by cbits/amalgamate.py; pocket.h says what to call, docs/embedding.md how.
 * The tables of Unicode are derived from the Unicode Character Database (Unicode License v3, https://www.unicode.org/license.txt).
 *
 * MIT License
 *
 * Copyright (c) 2026 The pocketindex developers
 *
 * Permission is hereby granted, free of charge, to any person obtaining a copy
 * of this software and associated documentation files (the "Software"), to deal
 * in the Software without restriction, including without limitation the rights
 * to use, copy, modify, merge, publish, distribute, sublicense, and/or sell
 * copies of the Software, and to permit persons to whom the Software is
 * furnished to do so, subject to the following conditions:
 *
 * The above copyright notice and this permission notice shall be included in all
 * copies or substantial portions of the Software.
 *
 * THE SOFTWARE IS PROVIDED "AS IS", WITHOUT WARRANTY OF ANY KIND, EXPRESS OR
 * IMPLIED, INCLUDING BUT NOT LIMITED TO THE WARRANTIES OF MERCHANTABILITY,
 * FITNESS FOR A PARTICULAR PURPOSE AND NONINFRINGEMENT. IN NO EVENT SHALL THE
 * AUTHORS OR COPYRIGHT HOLDERS BE LIABLE FOR ANY CLAIM, DAMAGES OR OTHER
 * LIABILITY, WHETHER IN AN ACTION OF CONTRACT, TORT OR OTHERWISE, ARISING FROM,
 * OUT OF OR IN CONNECTION WITH THE SOFTWARE OR THE USE OR OTHER DEALINGS IN THE
 * SOFTWARE.
 */
#if defined(__clang__)
#pragma clang diagnostic push
#pragma clang diagnostic ignored "-Wunused-function" /* helpers that only the building half calls */
#endif

/* ======== map.c ======== */
/* Map a file; turn a fault on its bytes, and any change of the file, into a status.
 *
 * A file that is written to in place changes under its readers. The rules of container.h keep them
 * from harm, and after each piece of work a look at the file's size and times tells whether its
 * answer is that of the file that was opened. A file that was changed just now is read once the
 * clock that stamps files has gone on, so that a later write does not leave it the same times.
 * Whoever renames a new file over the old one changes nothing of the old one but the number of its
 * links, and with that the time of its last change of status.
 *
 * The one exception to "no globals": a signal's handler belongs to the process, and it finds the
 * work that it interrupted through a variable of the thread. The handler is installed with the
 * first mapping and stays; a SIGBUS that is not ours it hands to the handler that was there before.
 */
#ifndef _WIN32
#define _XOPEN_SOURCE 700
#define _DARWIN_C_SOURCE /* nanoseconds of struct stat */
#define _FILE_OFFSET_BITS 64
#endif


/* ======== map.h ======== */
/* A file mapped read-only, and work on its bytes that survives when they go away or change. The
 * only I/O of the core, and the only state that is not in a handle: see map.c. */
#ifndef POCKET_MAP_H
#define POCKET_MAP_H

#include "pocket.h"

#if !defined(POCKET_FREESTANDING) && !defined(POCKET_NO_FILES)

typedef struct mapping {
    const uint8_t *bytes;
    uint64_t length;
#ifdef _WIN32
    void *handle; /* kept so that nobody writes to the file */
#else
    int file;                   /* its descriptor, kept to tell whether the file changes */
    uint64_t modified, changed; /* its times when it was opened, of contents and of status, in
                                   nanoseconds since 1970 */
    uint64_t links;
#endif
} mapping;

/* POCKET_NOT_POCKET for an empty file; POCKET_IO for what cannot be opened, is no regular file or
 * does not fit the address space: then field of the error is what was tried and found the system's
 * error number (errno, GetLastError). A file that was changed just now is waited for, until no
 * later write can leave it the times that it has: a tick of the system's clock, at most some 20
 * milliseconds. */
static uint32_t mapping_open(const char *path, mapping *m, pocket_error *error);
static void mapping_close(mapping *m);
/* Tell the system whether reads of the mapping lie far apart, so that it reads no more than is
 * asked. What it does with this is its own choice. */
static void mapping_sparse(const mapping *m, int sparse);
/* Run work(argument) and return its status. When a byte of the mapping cannot be had, work is given
 * up on the spot (memory that it has allocated and only knows itself is lost) and the status is
 * POCKET_IO. Whatever the status would be, it is POCKET_FILE_CHANGED when the file's size, or the
 * time of a change, is another one than when it was opened. Guards may be nested, in any number of
 * threads. On Windows it only runs work: a file cannot be changed there while it is open. */
static uint32_t mapping_guard(const mapping *m, uint32_t (*work)(void *), void *argument);

#endif
#endif


/* ======== memory.h ======== */
/* Memory for the core: the C library's, or in a free-standing build (wasm32) that of memory_wasm.c.
 */
#ifndef POCKET_MEMORY_H
#define POCKET_MEMORY_H

#include <stddef.h>
#include <stdint.h>

#ifdef POCKET_FREESTANDING
void *pocket_malloc(size_t size);
void pocket_free(void *memory);
void *memcpy(void *to, const void *from, size_t size);
void *memmove(void *to, const void *from, size_t size);
void *memset(void *to, int value, size_t size);
int memcmp(const void *a, const void *b, size_t size);
#else
#include <stdlib.h>
#include <string.h>
static inline void *pocket_malloc(size_t size) { return malloc(size ? size : 1); }
static inline void pocket_free(void *memory) { free(memory); }
#endif

/* Make room for so many things of this size in an array of which used ones count; memory and *room
 * are the array so far, NULL and 0 before there is one. Returns the array, or NULL where there is
 * no memory, and the one before stays. */
static inline void *array_grow(void *memory, uint32_t *room, uint32_t used, uint32_t wanted,
                               size_t size) {
    uint64_t more = *room ? *room : 16;
    if (wanted <= *room) return memory;
    while (more < wanted) more *= 2;
    void *grown =
        more > UINT32_MAX || more > SIZE_MAX / size ? NULL : pocket_malloc((size_t)more * size);
    if (!grown) return NULL;
    if (used) memcpy(grown, memory, used * size);
    pocket_free(memory);
    *room = (uint32_t)more;
    return grown;
}

#endif

/* ======== container.h ======== */
/* The container (docs/format.md, section 1): header, sections, blocks. A block's CRC is checked
 * when it is first touched.
 *
 * The bytes of a mapped file may change while it is read. What is checked once and used later
 * (header, section table, and the head of each section: profile, parameters, directory) is copied
 * when the file is opened; the copy is checked and used. Blocks are read in place, by the rule of
 * one look: what decides an index, a length or a bound is loaded once (once() of bytes.h), checked,
 * and used as it was; everything else of a block is only compared, counted or copied. So a change
 * never leads out of bounds. Whether the answer holds is known after the work: map.c looks whether
 * the file is the one that was opened. */
#ifndef POCKET_CONTAINER_H
#define POCKET_CONTAINER_H

#include <stdatomic.h>


/* ======== meter.h ======== */
/* Work counted while it is done, so that a call that takes long asks its caller now and then
 * whether to go on (pocket_on_interrupt). */
#ifndef POCKET_METER_H
#define POCKET_METER_H

#include <stdint.h>

#include "pocket.h"

#ifndef STEPS_BETWEEN /* harnesses ask more often */
#define STEPS_BETWEEN \
    65536u /* two questions; a step takes about 50 nanoseconds, so that they are some milliseconds \
              apart */
#endif

/* Of one call, begun by meter_of (file/container.h). */
typedef struct meter {
    int (*ask)(void *argument); /* other than 0: the call is to end */
    void *argument;
    uint64_t steps;
    int ended;
} meter;

#ifdef POCKET_FREESTANDING /* a page ends its worker */

static inline uint32_t interrupted(meter *m, uint64_t steps) {
    return (void)m, (void)steps, (uint32_t)POCKET_OK;
}

#else

static inline uint32_t meter_ask(meter *m) {
    if (!m->ended) {
        m->steps = 0;
        m->ended = m->ask && m->ask(m->argument);
    }
    if (!m->ended) return POCKET_OK;
    m->steps = STEPS_BETWEEN;
    return POCKET_INTERRUPTED;
}

/* Count so many steps more: POCKET_INTERRUPTED where the call is to end, from then on whatever is
 * counted. */
static inline uint32_t interrupted(meter *m, uint64_t steps) {
    return (m->steps += steps) < STEPS_BETWEEN ? (uint32_t)POCKET_OK : meter_ask(m);
}

#endif

/* The steps of bytes that are looked at one after the other. */
static inline uint64_t steps_of(uint64_t bytes) { return bytes / 128 + 1; }

#endif

/* ======== symbols.h ======== */
/* Codes of packed records (docs/format.md, section 5). */
#ifndef POCKET_SYMBOLS_H
#define POCKET_SYMBOLS_H

/* A code below SYMBOLS is a symbol of up to SYMBOL_BYTES bytes; SYMBOL_LITERAL goes before a byte
 * that stands for itself; SYMBOL_END ends a record, and is no other code and no byte of a record,
 * so that records are counted without being read. */
enum { SYMBOLS = 254, SYMBOL_BYTES = 8, SYMBOL_LITERAL = 254, SYMBOL_END = 255 };
/* Between the fields of a record: no byte of UTF-8. */
enum { FIELD_END = 0xFE };

#endif

/* ======== sketch.h ======== */
/* Digits, packed sketches and sub-keys (docs/format.md 2.2), the same for every scheme. */
#ifndef POCKET_SKETCH_H
#define POCKET_SKETCH_H


/* ======== profile.h ======== */
/* A profile (docs/format.md, section 2), opened: everything that turns terms into a sketch, read
 * where the caller keeps its bytes. */
#ifndef POCKET_PROFILE_H
#define POCKET_PROFILE_H


/* ======== bytes.h ======== */
/* Explicit little-endian loads and stores: the only place that knows the byte order. And asking for
 * bytes ahead. */
#ifndef POCKET_BYTES_H
#define POCKET_BYTES_H

#include <stdint.h>

/* Ask for a byte's cache line before it is needed. */
#ifdef __GNUC__
#define FETCH(p) __builtin_prefetch(p)
#else
#define FETCH(p) ((void)(p))
#endif

/* A value that was loaded from a file, as it was then. Bytes of a mapped file may change at any
 * time, and a compiler that is short of registers may load a value again that it has loaded and
 * checked: not one that came out of here. */
static inline uint32_t once(uint32_t value) {
#ifdef __GNUC__
    __asm__("" : "+r"(value));
#endif
    return value;
}

static inline uint16_t load16(const uint8_t *p) { return (uint16_t)(p[0] | (unsigned)p[1] << 8); }

static inline uint32_t load32(const uint8_t *p) {
    return (uint32_t)p[0] | (uint32_t)p[1] << 8 | (uint32_t)p[2] << 16 | (uint32_t)p[3] << 24;
}

static inline uint64_t load64(const uint8_t *p) {
    return load32(p) | (uint64_t)load32(p + 4) << 32;
}

static inline void store16(uint8_t *p, uint32_t v) {
    p[0] = (uint8_t)v;
    p[1] = (uint8_t)(v >> 8);
}

static inline void store32(uint8_t *p, uint32_t v) {
    store16(p, v & 0xFFFFu);
    store16(p + 2, v >> 16);
}

static inline void store64(uint8_t *p, uint64_t v) {
    store32(p, (uint32_t)v);
    store32(p + 4, (uint32_t)(v >> 32));
}

/* width (0 .. 32) bits from bit position at on; reads only the bytes that hold them. */
static inline uint32_t load_bits(const uint8_t *p, uint64_t at, uint32_t width) {
    uint64_t value = 0;
    uint32_t shift = (uint32_t)(at & 7), need = (shift + width + 7) / 8;
    p += at >> 3;
    /* Two loads that overlap serve three bytes as well as four: which it is alternates from one
     * position to the next. */
    if (need == 3 || need == 4)
        value = load16(p) | (uint64_t)load16(p + need - 2) << (8 * (need - 2));
    else if (need == 5)
        value = load32(p) | (uint64_t)p[4] << 32;
    else
        for (uint32_t i = 0; i < need; i++) value |= (uint64_t)p[i] << (8 * i);
    return once((uint32_t)(value >> shift & ((1ull << width) - 1)));
}

/* Or width bits of v into zeroed bytes. */
static inline void store_bits(uint8_t *p, uint64_t at, uint32_t width, uint32_t v) {
    uint64_t value = (uint64_t)v << (at & 7);
    uint32_t need = (uint32_t)((at & 7) + width + 7) / 8;
    p += at >> 3;
    for (uint32_t i = 0; i < need; i++) p[i] = (uint8_t)(p[i] | value >> (8 * i));
}

static inline uint64_t pad8(uint64_t n) { return (n + 7) & ~7ull; }

#endif

/* ======== limits.h ======== */
/* Bounds of docs/format.md that more than one room keeps, in bytes. */
#ifndef POCKET_LIMITS_H
#define POCKET_LIMITS_H

#define MOST_TEXT 268435456u /* of a text, whether it is asked or kept */
#define MOST_ID 1024u
#define MOST_TITLE 8192u
#define MOST_URL 8192u
#define MOST_LABEL 1024u
#define MOST_LABELS 255u /* of a document */

#endif

#define POCKET_MAX_TABLES 64
#define POCKET_MAX_ROWS 256
#define POCKET_MAX_KEY_COMPONENTS 256 /* of a sub-key */
#define POCKET_MAX_STOP_RUN 256       /* taken stop slots in a row: so far a look-up goes */
#define POCKET_BODY_FIELDS 8
#define POCKET_NO_MOVE 0xFFFFFFFFu

/* Consecutive components, from first on, which take bits `bit` on of the packed sketch. */
typedef struct key_row {
    uint32_t first, count, bit, bits;
} key_row;

/* A sub-key is made of the components of its rows, count in all. packed: its bits are the key (all
 * intervals powers of two, at most 64 bits); hashed: the radix number does not fit in 64 bits;
 * summed: the key is the sum of the digits. */
typedef struct sub_key {
    const key_row *rows;
    uint32_t row_count, count;
    int packed, hashed, summed;
} sub_key;

typedef struct profile profile;
struct sketch;
struct meter;
struct term_stream;

/* A scheme: check the body of its profile, and compute a text's digits (with costs and weights
 * where sketch->down is given). */
typedef struct scheme {
    uint32_t number;
    int cosine; /* does agreement, weighted by margins, estimate a cosine? Otherwise every weight is
                   1, and similarity the share that agrees */
    int ordered; /* are digits intervals, so that the next one is near? */
    const char *(*check)(const profile *p);
    uint32_t (*embed)(const profile *p, const uint8_t *text, uint64_t length, struct sketch *out);
    pocket_class (*classify)(const profile *p, const struct term_stream *term);
    uint32_t (*classes)(const profile *p);
    int32_t (*influence)(const profile *p, const pocket_class *term,
                         uint32_t component); /* of a term on a component's value */
} scheme;

struct profile {
    const uint8_t *bytes, *stops, *components, *borders, *body, *name;
    const scheme *scheme;
    uint64_t length, body_length;
    uint32_t stream, tables, row_count, component_count, border_count, stop_slots, least_terms,
        name_length, sketch_bits;
    int registers; /* of this processor, by which sums are made (sketch/registers.h) */
    uint32_t fields[POCKET_BODY_FIELDS];
    key_row rows[POCKET_MAX_ROWS];
    sub_key keys[POCKET_MAX_TABLES];
};

/* A text's sketch. The arrays have component_count elements; down, up and weights may be NULL
 * together. A cost of POCKET_NO_MOVE: no digit on that side. */
typedef struct sketch {
    uint64_t terms;
    uint8_t *digits;
    uint32_t *down, *up, *weights;
    struct meter *meter; /* where embedding a text counts its work, or NULL */
} sketch;

/* POCKET_OK, POCKET_TOO_NEW or POCKET_DAMAGED_FIELD with *field naming what is wrong. */
static uint32_t profile_open(profile *p, const uint8_t *bytes, uint64_t length, const char **field);
/* Is the term with this murmur hash a stop word? */
static inline int profile_stops(const uint8_t *stops, uint32_t slots, uint64_t term) {
    for (uint64_t i = 0; i < slots; i++) {
        uint64_t stop = load64(stops + 8 * ((term + i) & (slots - 1)));
        if (stop == 0 || stop == term) return stop != 0;
    }
    return 0;
}

/* Is every component a bit? */
static inline int profile_is_binary(const profile *p) {
    return p->border_count == p->component_count;
}
static uint32_t component_intervals(const profile *p, uint32_t component);
static uint32_t component_source(const profile *p, uint32_t component);
/* Bits of a digit with so many intervals. */
static uint32_t digit_bits(uint32_t intervals);

static const scheme scheme_ff, scheme_rff, scheme_plsh, scheme_minhash, scheme_wminhash,
    scheme_simhash;

#endif

#define MOST_SKETCH_BYTES 2048u /* 4096 components of four bits */
#define COARSE_BYTES 16u
#define COARSE_COMPONENTS (8u * COARSE_BYTES)

/* A stored sketch. Its coarse code lies beside those of other documents, for scans to compare; the
 * rest, if any, lies elsewhere (docs/format.md, section 4). */
typedef struct packed_sketch {
    const uint8_t *coarse, *rest;
} packed_sketch;

/* Bytes of a packed sketch, and of its coarse code. */
static uint32_t sketch_bytes(const profile *p);
static uint32_t coarse_bytes(const profile *p);
/* Components of the coarse code, where all intervals are two. */
static inline uint32_t coarse_components(const profile *p) {
    return p->component_count < COARSE_COMPONENTS ? p->component_count : COARSE_COMPONENTS;
}
/* A stored sketch in one piece: where it lies, or in room, which has MOST_SKETCH_BYTES. */
static const uint8_t *sketch_whole(const profile *p, packed_sketch s, uint8_t *room);
/* Pack digits into zeroed bytes. */
static void sketch_pack(const profile *p, const uint8_t *digits, uint8_t *packed);
/* Unpack count components from first on, which start at bit; 0 when a digit is not below its
 * intervals. */
static int sketch_unpack(const profile *p, const uint8_t *packed, uint32_t first, uint32_t count,
                  uint32_t bit, uint8_t *digits);
/* Sub-key t of a sketch's digits. */
static uint64_t sub_key_of_digits(const profile *p, uint32_t t, const uint8_t *digits);
/* Sub-key t of a packed sketch; 0 when a digit is out of range, else *key. */
static int sub_key_of_packed(const profile *p, uint32_t t, const uint8_t *packed, uint64_t *key);

/* Room for a text's sketch (one allocation), with costs and weights or without. */
static int sketch_alloc(sketch *s, const profile *p, int margins);
static void sketch_free(sketch *s);
/* The sketch of a stored document, without its margins: all weights are 0, and every move that its
 * scheme allows costs 1. 0 when a digit is out of range. */
static int sketch_stored(const profile *p, const uint8_t *packed, sketch *s);
/* Embed a text; POCKET_TEXT_TOO_LONG, POCKET_TEXT_TOO_SHORT. */
static uint32_t sketch_text(const profile *p, const uint8_t *text, uint64_t length, sketch *s);

#endif

#define POCKET_MAX_CELLS 65536u
#define POCKET_MAX_KEYS_ASKED \
    262144u /* of a query that does not say how: default probes times tables */
#define POCKET_MAX_TEMPLATE 1024u
#define POCKET_MAX_DOCUMENTS_BLOCK 65536u
#define POCKET_DIRECTORY_ENTRY 20u /* bytes of a block in the directory of its section */

typedef struct section {
    uint32_t kind, flags, parameters, blocks, seal; /* seal: CRC32C of the head */
    uint64_t offset, length,
        first_block; /* first_block: number of its block 0 among the blocks of all sections */
    const uint8_t *bytes, *directory; /* the head, parameters and directory: a copy */
    uint64_t head;                    /* its length */
    const uint8_t *body;              /* the blocks, in the file */
} section;

/* The documents from first up to end. */
typedef struct stretch {
    uint32_t first, end;
} stretch;

/* The parameters of a row of tables (kinds tables and ids). */
typedef struct tables {
    const section *section;
    const uint8_t *rows;
    uint32_t count, mph, checksum_bits, posting_bits, default_probes;
} tables;

struct pocket_index {
    const uint8_t *bytes; /* the file, or the heads of one in pieces, which are read while it is
                             opened alone */
    uint64_t length, fingerprint;
    section *sections;
    _Atomic unsigned char *checked; /* a bit a block: its CRC agreed once */
    /* A file in pieces (pieces.c): what was lent of each block, and a bit for each that a call has
     * missed. */
    const uint8_t **lent;
    _Atomic unsigned char *missed;
    uint64_t at_hand, blocks; /* bytes given, blocks of all sections */
    const section *by_kind[POCKET_SECTION_KINDS];
    uint32_t section_count, major, minor;
    profile profile;
    tables tables, ids, passages;
    uint32_t documents, sketched; /* sketched: documents that have a sketch, the first ones */
    uint32_t stride, identity_bits, block_documents, template_length;
    uint32_t copies, copies_together; /* zeros without a copies section */
    uint32_t most_parts; /* of any table */
    int counting; /* how this processor counts ones (hamming.h) */
    uint32_t text_kept, text_characters, text_room; /* zeros without a texts section */
    uint32_t titles, title_room;                    /* zeros without a titles section */
    uint32_t cells, cells_asked, cells_cold, cells_pruning; /* zeros without a cells section */
    /* Zeros without a passages section. */
    uint32_t shingle_terms, shingle_window, shingle_documents, shingle_range;
    uint64_t frequent_shingles;
    uint32_t word_room, words_heaviest, word_average, word_title_weight; /* zeros without words */
    uint32_t words_counted; /* 0 where all words count */
    uint64_t words, word_postings;
    /* Zeros without a labels section. */
    uint32_t labels, label_documents, label_least, label_count_bits, label_blocks, label_room;
    char url_template[POCKET_MAX_TEMPLATE];
    uint8_t symbols[SYMBOLS][SYMBOL_BYTES],
        symbol_lengths[256]; /* of the documents section; length 0: no symbol has this code */
    pocket_slots slots;
    pocket_interrupt interrupt; /* NULL: calls do not ask */
    void *interrupt_argument;
    /* Set by the adapter that mapped the bytes: runs work so that a file that changes becomes a
     * status; closes the mapping. */
    uint32_t (*guard)(const void *mapping, uint32_t (*work)(void *), void *argument);
    void (*unmap)(void *mapping);
    void *mapping;
};

/* Fill *error (may be NULL) and return status. */
static uint32_t fail(pocket_error *error, uint32_t status, uint32_t section, int64_t block,
              const char *field, uint64_t expected, uint64_t found);
/* Say which values are allowed beside expected, for which % stands in the phrase, and return
 * status. */
static inline uint32_t allowing(pocket_error *error, const char *allowed, uint32_t status) {
    if (error) error->allowed = allowed;
    return status;
}
static uint32_t no_document(pocket_error *error, uint32_t section, uint64_t documents, uint64_t number);
static uint32_t text_too_long(pocket_error *error, uint64_t length);
/* At the start of a call: what stands in *error is the caller's, and may be anything. */
static inline void clear(pocket_error *error) {
    if (error) *error = (pocket_error){0, 0, -1, 0, 0, NULL, NULL};
}
/* Return status, and see that *error carries it (a guard that gave up work could not). */
static inline uint32_t fail_as(pocket_error *error, uint32_t status) {
    if (error && error->status != status) *error = (pocket_error){status, 0, -1, 0, 0, NULL, NULL};
    return status;
}
/* Block i (< blocks) of a section, its CRC checked; no_cache checks it again. POCKET_NOT_AT_HAND:
 * it is missed until it is lent. */
static uint32_t block_get(const pocket_index *index, const section *s, uint32_t i, int no_cache,
                   const uint8_t **bytes, uint64_t *length, pocket_error *error);
static uint64_t block_first(const section *s, uint32_t i);
/* The last of the blocks from .. to - 1 whose first is at most key; to when there is none. */
static uint32_t block_find(const section *s, uint32_t from, uint32_t to, uint64_t key);
/* Where block i lies in its section, behind the head. */
static uint64_t block_start(const section *s, uint32_t i);
static uint64_t block_end(const section *s, uint32_t i);
/* A table's row: its first part, parts, keys and postings. */
static void table_row(const tables *t, uint32_t number, uint32_t *first, uint32_t *parts, uint64_t *keys,
               uint64_t *postings);
/* A document's sketch. */
static uint32_t sketch_get(const pocket_index *index, uint32_t document, packed_sketch *sketch,
                    pocket_error *error);
/* The identity bits that stand beside it. */
static uint32_t identity_get(const pocket_index *index, uint32_t document, uint32_t *identity,
                      pocket_error *error);
/* The count of the work of one call. */
static inline meter meter_of(const pocket_index *x) {
    return (meter){x->interrupt, x->interrupt_argument, 0, 0};
}
/* Run work, guarded when the bytes are mapped. */
static uint32_t guarded(const pocket_index *index, uint32_t (*work)(void *), void *argument);

#endif

#if !defined(POCKET_FREESTANDING) && !defined(POCKET_NO_FILES)

static uint32_t fail_io(pocket_error *error, const char *what, uint64_t number) {
    return fail(error, POCKET_IO, 0, -1, what, 0, number);
}

static uint32_t check_size(pocket_error *error, uint64_t size, uint64_t too_large) {
    if (size == 0) return fail(error, POCKET_NOT_POCKET, 0, -1, "file size", 1, 0);
    return size > SIZE_MAX ? fail_io(error, "map the whole file", too_large) : POCKET_OK;
}

#ifdef _WIN32

#define WIN32_LEAN_AND_MEAN
#include <windows.h>

static wchar_t *widen(const char *path) {
    int size = MultiByteToWideChar(CP_UTF8, MB_ERR_INVALID_CHARS, path, -1, NULL, 0);
    wchar_t *wide = size > 0 ? pocket_malloc((size_t)size * sizeof *wide) : NULL;
    if (wide) MultiByteToWideChar(CP_UTF8, MB_ERR_INVALID_CHARS, path, -1, wide, size);
    return wide;
}

static uint32_t map_handle(HANDLE file, mapping *m, pocket_error *error) {
    LARGE_INTEGER size;
    if (!GetFileSizeEx(file, &size)) return fail_io(error, "get the file's size", GetLastError());
    uint32_t status = check_size(error, (uint64_t)size.QuadPart, ERROR_NOT_ENOUGH_MEMORY);
    if (status) return status;
    HANDLE section = CreateFileMappingW(file, NULL, PAGE_READONLY, 0, 0, NULL);
    if (!section) return fail_io(error, "map the file", GetLastError());
    m->bytes = MapViewOfFile(section, FILE_MAP_READ, 0, 0, 0);
    if (!m->bytes) status = fail_io(error, "map the file", GetLastError());
    m->length = (uint64_t)size.QuadPart;
    CloseHandle(section);
    return status;
}

/* The handle stays open, and nobody can open the file for writing as long. */
uint32_t mapping_open(const char *path, mapping *m, pocket_error *error) {
    *m = (mapping){0};
    wchar_t *wide = widen(path);
    if (!wide) return fail_io(error, "read the path as UTF-8", GetLastError());
    HANDLE file = CreateFileW(wide, GENERIC_READ, FILE_SHARE_READ | FILE_SHARE_DELETE, NULL,
                              OPEN_EXISTING, FILE_FLAG_RANDOM_ACCESS, NULL);
    DWORD number = GetLastError();
    pocket_free(wide);
    if (file == INVALID_HANDLE_VALUE) return fail_io(error, "open the file", number);
    m->handle = file;
    uint32_t status = map_handle(file, m, error);
    if (status) mapping_close(m);
    return status;
}

void mapping_close(mapping *m) {
    if (m->bytes) UnmapViewOfFile(m->bytes);
    if (m->handle) CloseHandle(m->handle);
    *m = (mapping){0};
}

void mapping_sparse(const mapping *m, int sparse) {
    (void)m; /* the file is opened for random access */
    (void)sparse;
}

uint32_t mapping_guard(const mapping *m, uint32_t (*work)(void *), void *argument) {
    (void)m;
    return work(argument);
}

#else

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdatomic.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

/* Saving the signal mask is a system call, and the handler has the mask to restore at hand. Apple's
 * siglongjmp leaves the alternate stack only in the form that saves it. */
#ifdef __APPLE__
#define SAVE_MASK 1
#else
#define SAVE_MASK 0
#endif

/* glibc would allocate the variable on a thread's first touch, which may be in the handler. */
#ifdef __GLIBC__
#define FIXED_PLACE __attribute__((tls_model("initial-exec")))
#else
#define FIXED_PLACE
#endif

typedef struct guard {
    sigjmp_buf jump;
    const uint8_t *low, *high;
    struct guard *outer;
} guard;

static _Thread_local guard *innermost FIXED_PLACE;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int installed; /* under lock */
static struct sigaction former;

/* What the system would do if this handler were not there. */
static void pass_on(int number, siginfo_t *info, void *context) {
    int sent = info->si_code <= 0 ||
               info->si_code ==
                   SI_USER; /* by a process; a fault recurs by itself, once its handler returns */
    if (former.sa_flags & (int)SA_RESETHAND) signal(number, SIG_DFL);
    if (former.sa_flags & SA_SIGINFO) {
        former.sa_sigaction(number, info, context);
    } else if (former.sa_handler != SIG_DFL && former.sa_handler != SIG_IGN) {
        former.sa_handler(number);
    } else if (former.sa_handler == SIG_DFL || !sent) {
        signal(number, SIG_DFL); /* a fault cannot be ignored */
        if (sent) raise(number);
    }
}

static void on_fault(int number, siginfo_t *info, void *context) {
    const uint8_t *at = info->si_addr;
    for (guard *g = innermost; g; g = g->outer) {
        if (at < g->low || at >= g->high) continue;
        pthread_sigmask(SIG_SETMASK, &((ucontext_t *)context)->uc_sigmask, NULL);
        siglongjmp(g->jump, 1);
    }
    pass_on(number, info, context);
}

static int install(void) {
    pthread_mutex_lock(&lock);
    if (!installed && sigaction(SIGBUS, NULL, &former) == 0) {
        struct sigaction action = {.sa_mask = former.sa_mask};
        action.sa_sigaction = on_fault;
        action.sa_flags = SA_SIGINFO | SA_ONSTACK | (former.sa_flags & (SA_NODEFER | SA_RESTART));
        installed = sigaction(SIGBUS, &action, NULL) == 0;
    }
    int done = installed;
    pthread_mutex_unlock(&lock);
    return done;
}

#ifdef __APPLE__
#define TIME(status, which) (status)->st_##which##timespec
#else
#define TIME(status, which) (status)->st_##which##tim
#endif

/* Modulo 2^64: a file may bear any time. */
static uint64_t nanoseconds(struct timespec t) {
    return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

/* The clock that stamps files, and to how many nanoseconds a file system may round it. Linux stamps
 * by a clock that stands still between two ticks of 1 to 10 milliseconds. */
#ifdef CLOCK_REALTIME_COARSE
#define STAMPS CLOCK_REALTIME_COARSE
#define ROUNDED 1000u
#else
#define STAMPS CLOCK_REALTIME
#define ROUNDED 10000000u
#endif

enum { LOOKS = 20, BETWEEN = 1000000 /* nanoseconds */ }; /* while a file settles */

/* Whether a write from now on may give the file a time that it has already. A time that lies
 * further ahead is that of another clock: waiting for it is in vain. */
static int may_recur(struct timespec time, struct timespec now) {
    return nanoseconds(time) + ROUNDED - nanoseconds(now) < ROUNDED + (uint64_t)LOOKS * BETWEEN;
}

/* The file's status, looked at when its times were over: a write after the look gives it other
 * ones. That takes a tick where the file was changed just now. A file that is changed all the time
 * is taken as it is in the end. */
static int settled_status(int file, struct stat *status) {
    for (int look = 0;; look++) {
        struct timespec now = {0}, rest = {.tv_nsec = BETWEEN};
        clock_gettime(STAMPS, &now); /* before the look, or a write between the two has its time */
        if (fstat(file, status)) return -1;
        if (look == LOOKS || !(may_recur(TIME(status, c), now) || may_recur(TIME(status, m), now)))
            return 0;
        while (nanosleep(&rest, &rest) && errno == EINTR) continue;
    }
}

static uint32_t map_descriptor(mapping *m, pocket_error *error) {
    struct stat status;
    if (settled_status(m->file, &status))
        return fail_io(error, "get the file's size", (uint64_t)errno);
    if (S_ISDIR(status.st_mode)) return fail_io(error, "open the file", EISDIR);
    if (!S_ISREG(status.st_mode)) return fail_io(error, "map the file", ENODEV);
    uint32_t failure = check_size(error, (uint64_t)status.st_size, EFBIG);
    if (failure) return failure;
    if (!install()) return fail_io(error, "install a handler of SIGBUS", (uint64_t)errno);
    void *bytes = mmap(NULL, (size_t)status.st_size, PROT_READ, MAP_SHARED, m->file, 0);
    if (bytes == MAP_FAILED) return fail_io(error, "map the file", (uint64_t)errno);
    m->bytes = bytes;
    m->length = (uint64_t)status.st_size;
    m->modified = nanoseconds(TIME(&status, m));
    m->changed = nanoseconds(TIME(&status, c));
    m->links = (uint64_t)status.st_nlink;
    return POCKET_OK;
}

uint32_t mapping_open(const char *path, mapping *m, pocket_error *error) {
    *m = (mapping){.file = -1};
    do
        m->file = open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY |
                                 O_NONBLOCK); /* O_NONBLOCK: or a pipe would wait for its writer */
    while (m->file < 0 && errno == EINTR);
    if (m->file < 0) return fail_io(error, "open the file", (uint64_t)errno);
    uint32_t status = map_descriptor(m, error);
    if (status) mapping_close(m);
    return status;
}

void mapping_close(mapping *m) {
    if (m->bytes) munmap((void *)(uintptr_t)m->bytes, (size_t)m->length);
    if (m->file >= 0) close(m->file);
    *m = (mapping){.file = -1};
}

void mapping_sparse(const mapping *m, int sparse) {
    posix_madvise((void *)(uintptr_t)m->bytes, (size_t)m->length,
                  sparse ? POSIX_MADV_RANDOM : POSIX_MADV_NORMAL);
}

/* The time of the last change of status tells a writer that puts the other one back; with another
 * number of links it tells nothing. */
static uint32_t unless_changed(const mapping *m, uint32_t outcome) {
    struct stat status;
    if (fstat(m->file, &status)) return POCKET_IO;
    int same =
        (uint64_t)status.st_size == m->length && nanoseconds(TIME(&status, m)) == m->modified &&
        (nanoseconds(TIME(&status, c)) == m->changed || (uint64_t)status.st_nlink != m->links);
    return same ? outcome : POCKET_FILE_CHANGED;
}

uint32_t mapping_guard(const mapping *m, uint32_t (*work)(void *), void *argument) {
    guard g; /* no initialiser: it would clear the jump buffer, which takes longer than all the rest
              */
    g.low = m->bytes;
    g.high = m->bytes + m->length;
    g.outer = innermost;
    if (sigsetjmp(g.jump, SAVE_MASK)) {
        innermost = g.outer;
        return unless_changed(m, POCKET_IO);
    }
    innermost = &g;
    atomic_signal_fence(memory_order_seq_cst);
    uint32_t status = work(argument);
    atomic_signal_fence(memory_order_seq_cst);
    innermost = g.outer;
    return unless_changed(m, status);
}

#endif

#endif

/* ======== crc32c.c ======== */
/* CRC32C: by the processor's instruction where there is one, elsewhere by one look-up a byte, eight
 * bytes at a time; four in a page, which would have to fetch 4 KB of tables more, and where nearly
 * all processors have the instruction. The result is the same. POCKET_PORTABLE leaves the
 * instruction out. */

/* ======== crc32c.h ======== */
/* CRC32C, the checksum of docs/format.md. */
#ifndef POCKET_CRC32C_H
#define POCKET_CRC32C_H

#include <stddef.h>
#include <stdint.h>

/* Castagnoli polynomial, reflected 0x82F63B78, start and final xor 0xFFFFFFFF. crc is 0, or the
 * result for the bytes before these. */
static uint32_t crc32c(uint32_t crc, const uint8_t *bytes, size_t length);

#endif


#if !defined(POCKET_PORTABLE) && defined(__x86_64__) && defined(__GNUC__)
#define INSTRUCTION_PRESENT __builtin_cpu_supports("sse4.2")
/* Not the intrinsics: compilers disagree on the name of the target that has them. */
static inline uint64_t add_byte(uint64_t crc, uint8_t byte) {
    __asm__("crc32b %1, %k0" : "+r"(crc) : "r"(byte));
    return crc;
}
static inline uint64_t add_word(uint64_t crc, uint64_t word) {
    __asm__("crc32q %1, %0" : "+r"(crc) : "r"(word));
    return crc;
}
#elif !defined(POCKET_PORTABLE) && defined(__aarch64__) && defined(__ARM_FEATURE_CRC32)
#include <arm_acle.h>
#define INSTRUCTION_PRESENT 1
static inline uint64_t add_byte(uint64_t crc, uint8_t byte) {
    return __crc32cb((uint32_t)crc, byte);
}
static inline uint64_t add_word(uint64_t crc, uint64_t word) {
    return __crc32cd((uint32_t)crc, word);
}
#endif

#if defined(POCKET_FREESTANDING) || defined(INSTRUCTION_PRESENT)
#define FOUR_AT_A_TIME
#endif

#ifdef INSTRUCTION_PRESENT

/* An instruction takes three cycles, but one can start in each: three lanes are twice as fast as
 * one, all in all. */
#define LANE 1024
/* x^(8 LANE - 33) and x^(16 LANE - 33) modulo the polynomial. 33, because add_word multiplies by
 * x^32 and the product of reflected numbers has one more x. */
#define OVER_ONE_LANE 0x170076FAu
#define OVER_TWO_LANES 0xA51B6135u

static inline uint64_t multiply(uint64_t a, uint64_t b) {
    uint64_t product = 0;
    for (uint32_t i = 0; i < 32; i++) product ^= (0 - (a >> i & 1)) & b << i;
    return product;
}

static uint32_t by_instruction(uint32_t start, const uint8_t *bytes, size_t length) {
    uint64_t crc = start;
    for (; length >= 3 * LANE; length -= 3 * LANE, bytes += 3 * LANE) {
        uint64_t second = 0, third = 0;
        for (size_t i = 0; i < LANE; i += 8) {
            crc = add_word(crc, load64(bytes + i));
            second = add_word(second, load64(bytes + LANE + i));
            third = add_word(third, load64(bytes + 2 * LANE + i));
        }
        crc = third ^ add_word(0, multiply(crc, OVER_TWO_LANES) ^ multiply(second, OVER_ONE_LANE));
    }
    for (; length >= 8; length -= 8, bytes += 8) crc = add_word(crc, load64(bytes));
    for (; length > 0; length--, bytes++) crc = add_byte(crc, *bytes);
    return (uint32_t)crc;
}

#endif

/* A CRC is linear: the look-up of a byte is the sum of those of its bits, so the compiler makes the
 * tables from 64 numbers. */
#define BIT(byte, i, c) (((byte) >> (i) & 1u) * (c))
#define BYTE(b, c7, c6, c5, c4, c3, c2, c1, c0) \
    (BIT(b, 7, c7) ^ BIT(b, 6, c6) ^ BIT(b, 5, c5) ^ BIT(b, 4, c4) ^ BIT(b, 3, c3) ^ \
     BIT(b, 2, c2) ^ BIT(b, 1, c1) ^ BIT(b, 0, c0))
#define BYTES4(b, ...) \
    BYTE(b, __VA_ARGS__), BYTE(b + 1u, __VA_ARGS__), BYTE(b + 2u, __VA_ARGS__), \
        BYTE(b + 3u, __VA_ARGS__)
#define BYTES16(b, ...) \
    BYTES4(b, __VA_ARGS__), BYTES4(b + 4u, __VA_ARGS__), BYTES4(b + 8u, __VA_ARGS__), \
        BYTES4(b + 12u, __VA_ARGS__)
#define BYTES64(b, ...) \
    BYTES16(b, __VA_ARGS__), BYTES16(b + 16u, __VA_ARGS__), BYTES16(b + 32u, __VA_ARGS__), \
        BYTES16(b + 48u, __VA_ARGS__)
#define BYTES256(...) \
    {BYTES64(0u, __VA_ARGS__), BYTES64(64u, __VA_ARGS__), BYTES64(128u, __VA_ARGS__), \
     BYTES64(192u, __VA_ARGS__)}

/* lookup[i]: a byte with i bytes after it. The numbers are the register 1, 2, .. 64 shifts after it
 * held a one. */
static const uint32_t lookup[][256] = {
    BYTES256(0x82F63B78u, 0x417B1DBCu, 0x20BD8EDEu, 0x105EC76Fu, 0x8AD958CFu, 0xC79A971Fu,
             0xE13B70F7u, 0xF26B8303u),
    BYTES256(0xFBC3FAF9u, 0xFF17C604u, 0x7F8BE302u, 0x3FC5F181u, 0x9D14C3B8u, 0x4E8A61DCu,
             0x274530EEu, 0x13A29877u),
    BYTES256(0x8B277743u, 0xC76580D9u, 0xE144FB14u, 0x70A27D8Au, 0x38513EC5u, 0x9EDEA41Au,
             0x4F6F520Du, 0xA541927Eu),
    BYTES256(0x52A0C93Fu, 0xABA65FE7u, 0xD725148Bu, 0xE964B13Du, 0xF64463E6u, 0x7B2231F3u,
             0xBF672381u, 0xDD45AAB8u),
#ifndef FOUR_AT_A_TIME
    BYTES256(0x6EA2D55Cu, 0x37516AAEu, 0x1BA8B557u, 0x8F2261D3u, 0xC5670B91u, 0xE045BEB0u,
             0x7022DF58u, 0x38116FACu),
    BYTES256(0x1C08B7D6u, 0x0E045BEBu, 0x85F4168Du, 0xC00C303Eu, 0x6006181Fu, 0xB2F53777u,
             0xDB8CA0C3u, 0xEF306B19u),
    BYTES256(0xF56E0EF4u, 0x7AB7077Au, 0x3D5B83BDu, 0x9C5BFAA6u, 0x4E2DFD53u, 0xA5E0C5D1u,
             0xD0065990u, 0x68032CC8u),
    BYTES256(0x34019664u, 0x1A00CB32u, 0x0D006599u, 0x847609B4u, 0x423B04DAu, 0x211D826Du,
             0x9278FA4Eu, 0x493C7D27u),
#endif
};

static uint32_t by_lookup(uint32_t crc, const uint8_t *bytes, size_t length) {
#ifdef FOUR_AT_A_TIME
    for (; length >= 4; length -= 4, bytes += 4) {
        crc ^= load32(bytes);
        crc = lookup[3][crc & 0xFF] ^ lookup[2][crc >> 8 & 0xFF] ^ lookup[1][crc >> 16 & 0xFF] ^
              lookup[0][crc >> 24];
    }
#else
    for (; length >= 8; length -= 8, bytes += 8) {
        uint32_t low = load32(bytes) ^ crc, high = load32(bytes + 4);
        crc = lookup[7][low & 0xFF] ^ lookup[6][low >> 8 & 0xFF] ^ lookup[5][low >> 16 & 0xFF] ^
              lookup[4][low >> 24] ^ lookup[3][high & 0xFF] ^ lookup[2][high >> 8 & 0xFF] ^
              lookup[1][high >> 16 & 0xFF] ^ lookup[0][high >> 24];
    }
#endif
    for (; length > 0; length--, bytes++) crc = crc >> 8 ^ lookup[0][(crc ^ *bytes) & 0xFF];
    return crc;
}

uint32_t crc32c(uint32_t crc, const uint8_t *bytes, size_t length) {
#ifdef INSTRUCTION_PRESENT
    if (INSTRUCTION_PRESENT) return ~by_instruction(~crc, bytes, length);
#endif
    return ~by_lookup(~crc, bytes, length);
}

/* ======== hash.c ======== */
/* MurmurHash3_x64_128, byte order independent. */

/* ======== hash.h ======== */
/* Hashes: MurmurHash3 for bytes, a bijective mixer for keys. */
#ifndef POCKET_HASH_H
#define POCKET_HASH_H

#include <stddef.h>
#include <stdint.h>

/* The first 64 bits of MurmurHash3_x64_128, seed 0 (Appleby, public domain algorithm). */
static uint64_t murmur(const uint8_t *bytes, size_t length);

/* Spreads a key over 64 bits; different keys stay different. docs/format.md 3.1. */
static inline uint64_t mix64(uint64_t x) {
    x ^= x >> 32;
    x *= 0xD6E8FEB86659FD93ull;
    x ^= x >> 32;
    x *= 0xD6E8FEB86659FD93ull;
    return x ^ x >> 32;
}

#endif


#define C1 0x87c37b91114253d5ull
#define C2 0x4cf5ad432745937full

static inline uint64_t rotate_left(uint64_t x, int r) { return x << r | x >> (64 - r); }

static inline uint64_t finish(uint64_t k) {
    k ^= k >> 33;
    k *= 0xff51afd7ed558ccdull;
    k ^= k >> 33;
    k *= 0xc4ceb9fe1a85ec53ull;
    return k ^ k >> 33;
}

/* 1 to 8 bytes, little-endian, by loads that overlap: terms are short, and a loop over their bytes
 * costs more than the hash. */
static inline uint64_t load_some(const uint8_t *p, size_t count) {
    if (count == 8) return load64(p);
    if (count >= 4) return load32(p) | (uint64_t)load32(p + count - 4) << (8 * (count - 4));
    return p[0] | (uint64_t)p[count / 2] << (8 * (count / 2)) |
           (uint64_t)p[count - 1] << (8 * (count - 1));
}

uint64_t murmur(const uint8_t *bytes, size_t length) {
    uint64_t h1 = 0, h2 = 0, k1 = 0, k2 = 0;
    const uint8_t *tail = bytes + (length & ~(size_t)15);
    for (; bytes != tail; bytes += 16) {
        h1 ^= rotate_left(load64(bytes) * C1, 31) * C2;
        h1 = (rotate_left(h1, 27) + h2) * 5 + 0x52dce729;
        h2 ^= rotate_left(load64(bytes + 8) * C2, 33) * C1;
        h2 = (rotate_left(h2, 31) + h1) * 5 + 0x38495ab5;
    }
    size_t rest = length & 15;
    if (rest > 8) k2 = load_some(tail + 8, rest - 8);
    if (rest > 0) k1 = load_some(tail, rest < 8 ? rest : 8);
    if (rest > 8) h2 ^= rotate_left(k2 * C2, 33) * C1;
    if (rest > 0) h1 ^= rotate_left(k1 * C1, 31) * C2;
    h1 ^= (uint64_t)length;
    h2 ^= (uint64_t)length;
    h1 += h2;
    h2 += h1;
    return finish(h1) + finish(h2);
}

/* ======== inflate.c ======== */
/* Raw deflate (RFC 1951), reading side.
 *
 * One look-up of a code's first bits finds most codewords; a longer one goes on bit by bit,
 * counting ranks in the canonical order (RFC 1951, 3.2.2), so that a table's size does not depend
 * on the stream. Behind the end of the input lie zeros ("ghosts") without end; they are counted,
 * which spares every codeword a check. */

/* ======== inflate.h ======== */
/* Raw deflate (RFC 1951), reading side, for content whose length is known. */
#ifndef POCKET_INFLATE_H
#define POCKET_INFLATE_H

#include <stddef.h>
#include <stdint.h>

typedef struct inflater inflater;

/* Begin to inflate a stream that holds out_length bytes to out. NULL where there is no memory. */
static inflater *inflate_begin(const uint8_t *in, size_t in_length, uint8_t *out, size_t out_length);
/* Go on until so many bytes stand in out, or some more; with all of them 0 means that in is one
 * well-formed stream from its first to its last byte. -1: it is none. */
static int inflate_until(inflater *inflater, size_t wanted);
static void inflate_end(inflater *inflater);

/* 0 when in is one well-formed stream from its first to its last byte and holds exactly out_length
 * bytes; they stand in out then. Anything else is -1 and leaves out with bytes of no meaning.
 * Neither reads nor writes outside the two; its time is bounded by their lengths. */
static int inflate_raw(const uint8_t *in, size_t in_length, uint8_t *out, size_t out_length);

#endif


enum {
    LONGEST = 15,
    LITERALS = 286,
    DISTANCES = 30,
    FIXED_LITERALS = 288,
    FIXED_DISTANCES = 32,
    LENGTHS = 19,
    END_OF_BLOCK = 256
};
enum { LITERAL_WIDTH = 10, DISTANCE_WIDTH = 8, LENGTH_WIDTH = 7 };

/* An entry says what a codeword means: its length in the low byte, how many extra bits follow (<<
 * 8), a kind, a value (<< 16). */
enum { PLAIN = 1 << 12, LONGER = 2 << 12, END = 4 << 12, WRONG = 8 << 12 };

typedef struct code {
    uint32_t first[1 << LITERAL_WIDTH]; /* by the next bits; LONGER: the first bits of longer
                                           codewords, the value is their rank */
    uint32_t entries[FIXED_LITERALS];   /* of all codewords, in canonical order */
    uint32_t counts[LONGEST + 1];       /* codewords of each length */
    uint32_t brief;                     /* codewords that one look-up finds */
} code;

typedef struct stream {
    const uint8_t *next, *end;
    uint64_t bits; /* above the valid ones: zeros, or the low bits of *next */
    uint32_t valid;
    uint64_t ghosts;
    uint8_t *out, *start, *stop;
} stream;

/* At least 56 valid bits. */
static inline void refill(stream *s) {
    if (s->end - s->next >= 8) {
        s->bits |= load64(s->next) << s->valid;
        s->next += (63 - s->valid) / 8;
        s->valid |= 56;
        return;
    }
    for (; s->valid < 56; s->valid += 8) {
        if (s->next < s->end)
            s->bits |= (uint64_t)*s->next++ << s->valid;
        else
            s->ghosts++;
    }
}

static inline uint32_t take_bits(stream *s, uint32_t width) {
    uint32_t value = (uint32_t)(s->bits & ((1ull << width) - 1));
    s->bits >>= width;
    s->valid -= width;
    return value;
}

static uint32_t decode_long(const code *c, uint32_t width, uint32_t rank, uint64_t bits) {
    const uint32_t *entries = c->entries + c->brief;
    for (uint32_t length = width + 1; length <= LONGEST; length++, bits >>= 1) {
        rank = 2 * rank + (uint32_t)(bits & 1);
        if (rank < c->counts[length]) return entries[rank];
        rank -= c->counts[length];
        entries += c->counts[length];
    }
    return WRONG;
}

/* The entry of the next codeword, which is taken. Needs 15 valid bits. */
static inline uint32_t take_codeword(stream *s, const code *c, uint32_t width) {
    uint32_t e = c->first[s->bits & ((1u << width) - 1)];
    if (e & LONGER) e = decode_long(c, width, e >> 16, s->bits >> width);
    s->bits >>= e & 63;
    s->valid -= e & 63;
    return e;
}

/* A length or distance: its base and what the extra bits add. */
static inline uint32_t value(stream *s, uint32_t e) {
    return (e >> 16) + take_bits(s, e >> 8 & 15);
}

static uint32_t plain_entry(uint32_t symbol) { return PLAIN | symbol << 16; }

static uint32_t base_entry(uint32_t base, uint32_t extra) { return base << 16 | extra << 8; }

/* RFC 1951, 3.2.5, both tables. */
static uint32_t literal_entry(uint32_t symbol) {
    if (symbol < END_OF_BLOCK) return plain_entry(symbol);
    if (symbol == END_OF_BLOCK) return END;
    if (symbol >= LITERALS) return WRONG;
    if (symbol == LITERALS - 1) return base_entry(258, 0);
    uint32_t i = symbol - END_OF_BLOCK - 1;
    return i < 8 ? base_entry(3 + i, 0) : base_entry(3 + ((4 + i % 4) << (i / 4 - 1)), i / 4 - 1);
}

static uint32_t distance_entry(uint32_t symbol) {
    if (symbol >= DISTANCES) return WRONG;
    return symbol < 4 ? base_entry(1 + symbol, 0)
                      : base_entry(1 + ((2 + symbol % 2) << (symbol / 2 - 1)), symbol / 2 - 1);
}

/* The codeword that follows one in canonical order; the bit that comes first is the lowest. */
static uint32_t next_codeword(uint32_t codeword, uint32_t length) {
    uint32_t bit = 1u << length >> 1;
    for (; codeword & bit; bit >>= 1) codeword ^= bit;
    return codeword | bit;
}

/* 0 when no code has these lengths. Only a code of one codeword of one bit, or of none, may be
 * incomplete (RFC 1951, 3.2.7). */
static int make_code(code *c, uint32_t width, const uint8_t *lengths, uint32_t symbols,
                     uint32_t (*meaning)(uint32_t)) {
    uint32_t places[LONGEST + 1], all = 0, covered = 0, size = 1u << width, free = size;
    memset(c->counts, 0, sizeof c->counts);
    for (uint32_t i = 0; i < symbols; i++) c->counts[lengths[i]]++;
    for (uint32_t length = 1; length <= LONGEST; length++) {
        places[length] = all;
        all += c->counts[length];
        covered += c->counts[length] << (LONGEST - length);
        if (length != width) continue;
        c->brief = all;
        free -= covered >> (LONGEST - width);
    }
    if (covered != 1u << LONGEST) {
        if (all > 1 || all != c->counts[1]) return 0;
        for (uint32_t i = 0; i < size; i++) c->first[i] = WRONG;
        free = 0;
    }
    for (uint32_t i = 0; i < symbols; i++) {
        if (lengths[i]) c->entries[places[lengths[i]]++] = meaning(i) | lengths[i];
    }
    uint32_t codeword = 0;
    for (uint32_t i = 0; i < c->brief; i++) {
        uint32_t e = c->entries[i], length = e & 63;
        for (uint32_t at = codeword; at < size; at += 1u << length) c->first[at] = e;
        codeword = next_codeword(codeword, length);
    }
    for (uint32_t rank = 0; rank < free; rank++) {
        c->first[codeword] = LONGER | rank << 16;
        codeword = next_codeword(codeword, width);
    }
    return 1;
}

static int fixed_codes(code *literals, code *distances) {
    uint8_t lengths[FIXED_LITERALS];
    memset(lengths, 8, 144);
    memset(lengths + 144, 9, 112);
    memset(lengths + 256, 7, 24);
    memset(lengths + 280, 8, 8);
    make_code(literals, LITERAL_WIDTH, lengths, FIXED_LITERALS, literal_entry);
    memset(lengths, 5, FIXED_DISTANCES);
    return make_code(distances, DISTANCE_WIDTH, lengths, FIXED_DISTANCES, distance_entry);
}

static int read_codes(stream *s, code *literals, code *distances) {
    static const uint8_t order[LENGTHS] = {16, 17, 18, 0, 8,  7, 9,  6, 10, 5,
                                           11, 4,  12, 3, 13, 2, 14, 1, 15};
    uint8_t lengths[LITERALS + DISTANCES] = {0};
    uint32_t literal_count = 257 + take_bits(s, 5), distance_count = 1 + take_bits(s, 5),
             length_count = 4 + take_bits(s, 4);
    uint32_t all = literal_count + distance_count;
    if (literal_count > LITERALS || distance_count > DISTANCES) return 0;
    for (uint32_t i = 0; i < length_count; i++) {
        refill(s);
        lengths[order[i]] = (uint8_t)take_bits(s, 3);
    }
    if (!make_code(distances, LENGTH_WIDTH, lengths, LENGTHS, plain_entry)) return 0;
    for (uint32_t i = 0; i < all;) {
        refill(s);
        uint32_t e = take_codeword(s, distances, LENGTH_WIDTH), symbol = e >> 16, times = 1;
        uint8_t length = (uint8_t)symbol;
        if (e & WRONG || (symbol == 16 && i == 0)) return 0;
        if (symbol == 16) times = 3 + take_bits(s, 2), length = lengths[i - 1];
        if (symbol == 17) times = 3 + take_bits(s, 3), length = 0;
        if (symbol == 18) times = 11 + take_bits(s, 7), length = 0;
        if (times > all - i) return 0;
        memset(lengths + i, length, times);
        i += times;
    }
    return make_code(literals, LITERAL_WIDTH, lengths, literal_count, literal_entry) &&
           make_code(distances, DISTANCE_WIDTH, lengths + literal_count, distance_count,
                     distance_entry);
}

/* Repeats length bytes that lie distance back: eight at a time, seven too many at most, where there
 * is room for them. */
static inline void repeat(uint8_t *out, const uint8_t *stop, uint32_t distance, uint32_t length) {
    static const uint8_t strides[8] = {
        0, 8, 8, 9, 8, 10, 12, 14}; /* the least multiple of the distance that is at least 8 */
    const uint8_t *from = out - distance;
    uint8_t *end = out + length;
    if (stop - end < 7) {
        while (out < end) *out++ = *from++;
        return;
    }
    if (distance < 8) {
        for (uint32_t i = 0; i < 8; i++) out[i] = from[i];
        out += 8;
        from = out - strides[distance];
    }
    for (; out < end; out += 8, from += 8) memcpy(out, from, 8);
}

enum { BROKEN, DONE, PAUSED };

/* A block's symbols to its end, or until limit bytes stand in out. One refill is enough for each:
 * 15 + 5 bits for a length, 15 + 13 for its distance. */
static int read_symbols(stream *given, const code *literals, const code *distances,
                        const uint8_t *limit) {
    stream s = *given; /* a copy that the compiler may keep in registers */
    for (;;) {
        if (s.out >= limit && limit < s.stop) {
            *given = s;
            return PAUSED;
        }
        refill(&s);
        uint32_t e = take_codeword(&s, literals, LITERAL_WIDTH);
        if (e & PLAIN) {
            if (s.out == s.stop) return BROKEN;
            *s.out++ = (uint8_t)(e >> 16);
            continue;
        }
        if (e & (END | WRONG)) {
            *given = s;
            return e & END ? DONE : BROKEN;
        }
        uint32_t length = value(&s, e);
        e = take_codeword(&s, distances, DISTANCE_WIDTH);
        uint32_t distance = value(&s, e);
        if (e & WRONG || distance > (size_t)(s.out - s.start) || length > (size_t)(s.stop - s.out))
            return BROKEN;
        repeat(s.out, s.stop, distance, length);
        s.out += length;
    }
}

/* A block of bytes as they are. */
static int read_stored(stream *s) {
    if (s->ghosts > s->valid / 8) return 0;
    s->next -= s->valid / 8 - s->ghosts;
    s->bits = 0;
    s->valid = 0;
    s->ghosts = 0;
    if (s->end - s->next < 4) return 0;
    uint32_t length = once(load16(s->next));
    if ((length ^ load16(s->next + 2)) != 0xFFFF) return 0;
    s->next += 4;
    if (length > (size_t)(s->end - s->next) || length > (size_t)(s->stop - s->out)) return 0;
    if (length > 0) memcpy(s->out, s->next, length);
    s->next += length;
    s->out += length;
    return 1;
}

struct inflater {
    stream s;
    code literals, distances;
    uint32_t last;
    int in_block;
};

/* Begin a block. */
static int read_block(inflater *i) {
    stream *s = &i->s;
    refill(s);
    i->last = take_bits(s, 1);
    switch (take_bits(s, 2)) {
    case 0: return read_stored(s);
    case 1: return i->in_block = fixed_codes(&i->literals, &i->distances);
    case 2: return i->in_block = read_codes(s, &i->literals, &i->distances);
    default: return 0;
    }
}

static void begin_inflater(inflater *i, const uint8_t *in, size_t in_length, uint8_t *out,
                           size_t out_length) {
    i->s = (stream){
        .next = in, .end = in + in_length, .out = out, .start = out, .stop = out + out_length};
    i->last = 0;
    i->in_block = 0;
}

inflater *inflate_begin(const uint8_t *in, size_t in_length, uint8_t *out, size_t out_length) {
    inflater *i = pocket_malloc(sizeof *i);
    if (i) begin_inflater(i, in, in_length, out, out_length);
    return i;
}

int inflate_until(inflater *i, size_t wanted) {
    stream *s = &i->s;
    size_t all = (size_t)(s->stop - s->start);
    const uint8_t *limit = s->start + (wanted < all ? wanted : all);
    while (s->out < limit || limit == s->stop) {
        if (i->in_block) {
            int done = read_symbols(s, &i->literals, &i->distances, limit);
            if (done == BROKEN) return -1;
            if (done == PAUSED) return 0;
            i->in_block = 0;
        } else if (i->last) {
            return s->next == s->end && s->valid / 8 == s->ghosts && s->out == s->stop ? 0 : -1;
        } else if (!read_block(i)) {
            return -1;
        }
    }
    return 0;
}

void inflate_end(inflater *i) { pocket_free(i); }

int inflate_raw(const uint8_t *in, size_t in_length, uint8_t *out, size_t out_length) {
    inflater i;
    begin_inflater(&i, in, in_length, out, out_length);
    return inflate_until(&i, out_length);
}

/* ======== jenkins.c ======== */

/* ======== jenkins.h ======== */
/* Jenkins' hash lookup3 (hashlittle2 with seeds 0 and 0): the token hash that the interoperability
 * draft asks for. */
#ifndef POCKET_JENKINS_H
#define POCKET_JENKINS_H

#include <stddef.h>
#include <stdint.h>

/* The better mixed half is the low one. */
static uint64_t lookup3(const uint8_t *bytes, size_t length);

#endif

typedef struct lookup3_state {
    uint32_t a, b, c;
} lookup3_state;

static uint32_t turned(uint32_t x, uint32_t by) { return x << by | x >> (32 - by); }

/* Twelve bytes have been added, and more follow. */
static void lookup3_mix(lookup3_state *s) {
    static const uint32_t turns[6] = {4, 6, 8, 16, 19, 4};
    for (uint32_t i = 0; i < 6; i++) {
        uint32_t a = s->a - s->c;
        a ^= turned(s->c, turns[i]);
        /* The three take turns: what was b comes next. */
        *s = (lookup3_state){s->b, s->c + s->b, a};
    }
}

static void lookup3_finish(lookup3_state *s) {
    static const uint32_t turns[7] = {14, 11, 25, 16, 4, 14, 24};
    for (uint32_t i = 0; i < 7; i++) {
        uint32_t c = (s->c ^ s->b) - turned(s->b, turns[i]);
        *s = (lookup3_state){s->b, c, s->a};
    }
    *s = (lookup3_state){s->c, s->a, s->b}; /* seven turns are one more than two rounds */
}

/* The next `count` bytes, at most 12; zeros stand for the others. */
static void lookup3_add(lookup3_state *s, const uint8_t *bytes, size_t count) {
    uint32_t words[3] = {0, 0, 0};
    for (size_t i = 0; i < count; i++) words[i / 4] |= (uint32_t)bytes[i] << 8 * (i % 4);
    s->a += words[0];
    s->b += words[1];
    s->c += words[2];
}

uint64_t lookup3(const uint8_t *bytes, size_t length) {
    uint32_t start = 0xDEADBEEFu + (uint32_t)length;
    lookup3_state s = {start, start, start};
    for (; length > 12; length -= 12, bytes += 12) {
        lookup3_add(&s, bytes, 12);
        lookup3_mix(&s);
    }
    if (length > 0) {
        lookup3_add(&s, bytes, length);
        lookup3_finish(&s);
    }
    return (uint64_t)s.b << 32 | s.c;
}

/* ======== memory_wasm.c ======== */
/* Memory for a free-standing wasm32 module: a first-fit list of free blocks over what lies behind
 * the module's own data. */
#ifdef POCKET_FREESTANDING


#include <stdint.h>

#define PAGE 65536u
#define UNIT 16u

extern unsigned char __heap_base;

/* A block's head, UNIT bytes before what the caller gets. next is used in free blocks only, which
 * are kept in order of address. */
typedef struct block {
    size_t size; /* without the head */
    struct block *next;
} block;

/* The module is an instance of its own with one thread: its heap is its memory, and the one piece
 * of state the core has anywhere. */
static block *freed;
static uintptr_t top;

static block *grow_heap(size_t size) {
    if (top == 0) top = ((uintptr_t)&__heap_base + UNIT - 1) / UNIT * UNIT;
    uintptr_t end = (uintptr_t)__builtin_wasm_memory_size(0) * PAGE;
    if (size + UNIT > end - top) {
        size_t pages = (size + UNIT - (end - top) + PAGE - 1) / PAGE;
        if (__builtin_wasm_memory_grow(0, pages) == (size_t)-1) return NULL;
    }
    block *b = (block *)top;
    b->size = size;
    top += UNIT + size;
    return b;
}

void *pocket_malloc(size_t size) {
    if (size > (size_t)1 << 30) return NULL;
    size = (size + UNIT - 1) / UNIT * UNIT;
    for (block **link = &freed; *link; link = &(*link)->next) {
        block *b = *link;
        if (b->size < size) continue;
        if (b->size >= size + 2 * UNIT) {
            block *rest = (block *)((uintptr_t)b + UNIT + size);
            rest->size = b->size - size - UNIT;
            rest->next = b->next;
            *link = rest;
            b->size = size;
        } else {
            *link = b->next;
        }
        return (unsigned char *)b + UNIT;
    }
    block *b = grow_heap(size);
    return b ? (unsigned char *)b + UNIT : NULL;
}

static void join(block *b) {
    while (b->next && (uintptr_t)b + UNIT + b->size == (uintptr_t)b->next) {
        b->size += UNIT + b->next->size;
        b->next = b->next->next;
    }
}

void pocket_free(void *memory) {
    if (!memory) return;
    block *b = (block *)((unsigned char *)memory - UNIT), *before = NULL;
    for (block *f = freed; f && f < b; f = f->next) before = f;
    b->next = before ? before->next : freed;
    if (before)
        before->next = b;
    else
        freed = b;
    join(b);
    if (before) join(before);
}

void *memcpy(void *to, const void *from, size_t size) {
    unsigned char *t = to;
    const unsigned char *f = from;
    while (size--) *t++ = *f++;
    return to;
}

void *memmove(void *to, const void *from, size_t size) {
    unsigned char *t = to;
    const unsigned char *f = from;
    if (t <= f) return memcpy(to, from, size);
    while (size--) t[size] = f[size];
    return to;
}

void *memset(void *to, int value, size_t size) {
    unsigned char *t = to;
    while (size--) *t++ = (unsigned char)value;
    return to;
}

int memcmp(const void *a, const void *b, size_t size) {
    const unsigned char *x = a, *y = b;
    for (; size; size--, x++, y++)
        if (*x != *y) return *x < *y ? -1 : 1;
    return 0;
}

#else
typedef int memory_wasm_is_empty; /* a translation unit may not be */
#endif

/* ======== utf8.c ======== */
/* One copy of what several files ask. */

/* ======== utf8.h ======== */
/* UTF-8, reading and writing. */
#ifndef POCKET_UTF8_H
#define POCKET_UTF8_H

#include <stddef.h>
#include <stdint.h>

/* The code point at *text, before end; *text moves behind it. Every maximal ill-formed part is
 * U+FFFD. */
static inline uint32_t utf8_decode(const uint8_t **text, const uint8_t *end) {
    const uint8_t *at = *text;
    uint32_t lead = *at++, low = 0x80, high = 0xBF;
    *text = at;
    if (lead < 0x80) return lead;
    if (lead < 0xC2 || lead > 0xF4) return 0xFFFD;
    uint32_t more = 1u + (lead >= 0xE0) + (lead >= 0xF0), code = lead & 0x3Fu >> more;
    /* Only the second byte can make an overlong form, a surrogate or a code point beyond the last.
     */
    if (lead == 0xE0) low = 0xA0;
    if (lead == 0xED) high = 0x9F;
    if (lead == 0xF0) low = 0x90;
    if (lead == 0xF4) high = 0x8F;
    for (; more; more--, low = 0x80, high = 0xBF) {
        if (at == end || *at < low || *at > high) {
            code = 0xFFFD;
            break;
        }
        code = code << 6 | (*at++ & 0x3Fu);
    }
    *text = at;
    return code;
}

/* Write a code point; returns its bytes, 1 .. 4. */
static inline uint32_t utf8_encode(uint8_t *to, uint32_t code) {
    if (code < 0x80) {
        to[0] = (uint8_t)code;
        return 1;
    }
    uint32_t more = 1u + (code >= 0x800) + (code >= 0x10000);
    to[0] = (uint8_t)(0xFF00u >> (more + 1) | code >> 6 * more);
    for (uint32_t i = 1; i <= more; i++)
        to[i] = (uint8_t)(0x80u | (code >> 6 * (more - i) & 0x3Fu));
    return 1 + more;
}

/* Is it UTF-8? Shortest forms only, no surrogates, nothing beyond U+10FFFF. */
static int is_utf8(const uint8_t *bytes, size_t length);

#endif


int is_utf8(const uint8_t *bytes, size_t length) {
    for (size_t i = 0; i < length;) {
        /* Most text is ASCII, which passes eight bytes at a time. */
        if (length - i >= 8 && !(load64(bytes + i) & 0x8080808080808080u)) {
            i += 8;
            continue;
        }
        uint32_t lead = bytes[i++], least = 0x80, point, more;
        if (lead < 0x80) continue;
        if (lead < 0xC2 || lead > 0xF4) return 0;
        more = 1u + (lead >= 0xE0) + (lead >= 0xF0);
        if (more == 2) least = 0x800;
        if (more == 3) least = 0x10000;
        point = lead & (0x3Fu >> more);
        if (more > length - i) return 0;
        for (; more > 0; more--) {
            if ((bytes[i] & 0xC0) != 0x80) return 0;
            point = point << 6 | (bytes[i++] & 0x3Fu);
        }
        if (point < least || point > 0x10FFFF || (point >= 0xD800 && point <= 0xDFFF)) return 0;
    }
    return 1;
}

/* ======== asked_words.c ======== */

/* ======== asked_words.h ======== */
/* What a search asks for (docs/format.md, section 10): a few words, some in quotes, some behind a
 * minus. */
#ifndef POCKET_ASKED_WORDS_H
#define POCKET_ASKED_WORDS_H


/* ======== word_stream.h ======== */
/* The words of a text, by which documents are found (docs/format.md 6.4): its terms, and what else
 * people type for them: compounds (wi-fi as wifi), parts (foo_bar and fooBar as foo, bar, the last
 * character of a run without spaces), names with signs (C++), emoji. */
#ifndef POCKET_WORD_STREAM_H
#define POCKET_WORD_STREAM_H


/* ======== terms.h ======== */
/* The term streams (docs/format.md, section 7): a text's terms one after the other. */
#ifndef POCKET_TERMS_H
#define POCKET_TERMS_H


/* ======== term_stream.h ======== */
/* A stream of terms on its way through a text. */
#ifndef POCKET_TERM_STREAM_H
#define POCKET_TERM_STREAM_H

#include <stdint.h>

#define TERM_BYTES 128
#define TERM_RUN 30

/* As numbered in profiles. The third is in none: `folded` with every word a term, numbers too, for
 * texts that are compared exactly. Nor is the fourth, the words of word_stream.h. */
enum { STREAM_FOLDED = 1, STREAM_INTEROP = 2, STREAM_EVERY_WORD = 3, STREAM_WORDS = 4 };

struct meter;

/* Every term_stream_next that returns 1 leaves a term in bytes, length, and where it stands in the
 * text in term, term_end, of_pairs (not in the stream `interop`); 0 is the end. The text must stay
 * until then, and may be NULL when its length is 0. The other members belong to terms.c; a point
 * there is a code point with its kind and combining class, which was read from the text from `from`
 * up to `to`. */

typedef struct term_stream {
    const uint8_t *text, *end;
    uint32_t stream;
    uint8_t bytes[TERM_BYTES + 8]; /* whole words of 8 bytes are stored */
    uint32_t length;
    const uint8_t *term, *term_end;
    int of_pairs;             /* is the term one or two code points of a script without spaces? */
    const uint8_t *from, *to; /* of the last point of ordered */
    const uint8_t *folded_from, *folded_to; /* of the last point of folded */
    const uint8_t *ahead_from, *ahead_to;
    const uint8_t *pair_from, *pair_to;
    const uint8_t *run_from[1 + TERM_RUN], *run_to[1 + TERM_RUN];
    const uint16_t *fold, *fold_end; /* the rest of the fold under way */
    uint32_t ahead;                  /* a folded point read too early, or 0 */
    uint32_t run[1 + TERM_RUN]; /* points in canonical order: a starter and its marks; run_at ..
                                   run_end - 1 are still to come */
    uint32_t run_at, run_end;
    struct meter
        *meter; /* set behind term_stream_begin: the terms end where it is interrupted; or NULL */
    uint32_t pair,
        paired; /* the last point of the pair run under way, or 0; is it part of a term already? */
} term_stream;

#endif

static void term_stream_begin(term_stream *terms, const uint8_t *text, uint64_t length, uint32_t stream);
static int term_stream_next(term_stream *terms);
/* The folded text with one space for every run of separators and none at either end
 * (docs/format.md 6.2), in UTF-8: whole code points of it that fit room bytes. A text of nothing
 * but separators stays as it is, but for its white space. Returns how many bytes. */
static uint32_t terms_folded(const uint8_t *text, uint64_t length, uint8_t *out, uint32_t room);

#endif

#define MOST_JOINED 5u /* terms of a compound */

/* A whole is what stands in the text; compounds and parts are what else it may be called. */
enum { WORD_WHOLE, WORD_COMPOUND, WORD_PART };

typedef struct chained_term {
    uint8_t bytes[TERM_BYTES];
    uint32_t length;
    const uint8_t *from, *to; /* in the text */
    const uint8_t *last;      /* of two characters of a script without spaces: the second one */
    int alone, possessive;    /* alone: joins with no other */
} chained_term;

/* Every word_stream_next that returns 1 leaves a word in bytes, length, its kind, and where it
 * stands in the text in from, to; in the order of `from`, of equal ones the compound first, then
 * the whole. single: is it one code point that comes in addition to a longer word, or the s of
 * Iceland's? compounded: is it a term of a compound? The other members belong to word_stream.c. */
typedef struct word_stream {
    const uint8_t *bytes, *from, *to;
    uint32_t length, kind;
    int single, compounded;
    term_stream terms, parts;
    const uint8_t *text_end;
    chained_term chain[MOST_JOINED + 1]; /* terms joined by single signs, and the one after them */
    uint32_t chained, at;                /* at: the next of them to give */
    int ahead, goes_on, ended; /* is there one after them; is it joined to them, too; or none? */
    uint8_t compound[TERM_BYTES];
    uint32_t compound_length;       /* 0 where they make none */
    int has_compound, due;          /* due: it is still to come */
    const uint8_t *gap;             /* where the text goes on behind what was given */
    const uint8_t *part, *part_end; /* what is left of a name whose parts are under way, or NULL */
    int in_part, run_ends;
    uint8_t emoji[4];
} word_stream;

static void word_stream_begin(word_stream *w, const uint8_t *text, uint64_t length, struct meter *meter);
static int word_stream_next(word_stream *w);

#endif

#define PASTED_WORDS 8u /* of a text, from which on it has no syntax: it was pasted */
#define MOST_ASKED 64u  /* different terms */
#define MOST_QUOTED (PASTED_WORDS - 1) /* words of all quotes and runs */
#define MOST_QUOTES (MOST_QUOTED / 2)  /* of two terms or more */

/* What a word is asked for: documents that have it, or those that have not; a word of negative
 * quotes alone does nothing by itself. */
enum { WORD_WANTED, WORD_EXCLUDED, WORD_IN_NEGATIVE_QUOTE };

typedef struct asked_word {
    uint8_t bytes[TERM_BYTES];
    uint32_t length;
    uint64_t start, end; /* where it stands first, in bytes */
    int role, quoted, prefix;
    int of_run; /* one of several pairs of characters in a row */
    int alone;  /* a plain word of which there are neither compound nor parts, and not of_run */
} asked_word;

/* A quote's words are words[terms[first]] .. words[terms[first + count - 1]]. A run, three or more
 * characters in a row of a script without spaces, is looked for as a quote is; but documents that
 * lack it are hits, too. */
typedef struct asked_quote {
    uint32_t first, count;
    int negative, run;
} asked_quote;

typedef struct asked_words {
    asked_word words[MOST_ASKED];
    asked_quote quotes[MOST_QUOTES];
    uint32_t terms[MOST_QUOTED];
    uint32_t count, quote_count, term_count;
    int capped;
    int syntax, ignored;      /* ignored: there is some, in a text of many words */
    const uint8_t *first_end; /* of the first term */
    meter *steps;
} asked_words;

/* Read what a text asks for. prefix: its last term may be a beginning. steps: where the work is
 * counted; an end of it leaves what was read so far. */
static void asked_words_read(asked_words *a, const uint8_t *text, uint64_t length, int prefix,
                      meter *steps);
/* Is a term this word, or does it begin so, where that is enough? */
static int asked_word_is(const asked_word *word, const uint8_t *term, uint32_t length);

#endif


#define MOST_LOOKED 512 /* bytes behind a minus, more than a term of three letters has */

/* A piece of the text between quotation marks, behind a minus, or neither. */
typedef struct piece {
    const uint8_t *from, *to;
    int quoted, negative;
} piece;

/* Bytes of the quotation mark here, 0 where there is none: " and U+201C, U+201D, U+201E. */
static uint32_t mark_at(const uint8_t *p, const uint8_t *end) {
    if (p < end && *p == '"') return 1;
    return end - p >= 3 && p[0] == 0xE2 && p[1] == 0x80 && p[2] >= 0x9C && p[2] <= 0x9E ? 3 : 0;
}

static int is_space(uint8_t byte) { return byte == ' ' || (byte >= 9 && byte <= 13); }

static const uint8_t *next_mark(const uint8_t *p, const uint8_t *end) {
    while (p < end && !mark_at(p, end)) p++;
    return p;
}

/* Has a term three code points that are neither digits nor lines, or a letter of three bytes? */
static int is_excludable(const word_stream *t) {
    const uint8_t *p = t->bytes, *end = p + t->length;
    uint32_t letters = 0;
    while (p < end && letters < 3) {
        uint32_t code = utf8_decode(&p, end);
        letters += code > 0x7FF ? 3 : code >= 'a';
    }
    return letters >= 3;
}

/* Does what stands behind a minus begin with a quote, or with a word of three letters? Else the
 * minus is one of an option, a number, a list. */
static int is_excluded(const uint8_t *p, const uint8_t *end) {
    word_stream t;
    if (p < end && mark_at(p, end)) return 1;
    word_stream_begin(&t, p, (uint64_t)(end - p < MOST_LOOKED ? end - p : MOST_LOOKED), NULL);
    return word_stream_next(&t) && t.from == p && is_excludable(&t);
}

static int is_minus(const asked_words *a, const uint8_t *p, const uint8_t *end) {
    return *p == '-' && a->syntax && p >= a->first_end && is_space(p[-1]) &&
           is_excluded(p + 1, end);
}

/* Read the quote that begins behind a mark; returns where the text goes on, or NULL where it is not
 * closed. */
static const uint8_t *read_quote(piece *found, const uint8_t *p, const uint8_t *end) {
    found->from = p + mark_at(p, end);
    found->to = next_mark(found->from, end);
    found->quoted = 1;
    return found->to < end ? found->to + mark_at(found->to, end) : NULL;
}

/* Read the next piece; returns where the text goes on. */
static const uint8_t *next_piece(const asked_words *a, piece *found, const uint8_t *p,
                                 const uint8_t *end) {
    *found = (piece){p, end, 0, is_minus(a, p, end)};
    if (found->negative) found->from = ++p;
    if (mark_at(p, end)) {
        const uint8_t *behind = read_quote(found, p, end);
        if (behind) return behind;
        *found = (piece){found->from, end, 0, 0};
        return end;
    }
    while (p < end && !mark_at(p, end) && (found->negative ? !is_space(*p) : !is_minus(a, p, end)))
        p++;
    return found->to = p;
}

/* The place of a word among those asked, or MOST_ASKED where there is no room. */
static uint32_t asked_place(asked_words *a, const word_stream *t, const uint8_t *text, int role) {
    for (uint32_t i = 0; i < a->count; i++)
        if (a->words[i].role == role && a->words[i].length == t->length &&
            !memcmp(a->words[i].bytes, t->bytes, t->length))
            return i;
    if (a->count == MOST_ASKED) return a->capped = 1, MOST_ASKED;
    asked_word *word = &a->words[a->count];
    *word = (asked_word){.length = t->length, .role = role};
    memcpy(word->bytes, t->bytes, t->length);
    word->start = (uint64_t)(t->from - text);
    word->end = (uint64_t)(t->to - text);
    return a->count++;
}

static void begin_words(word_stream *t, const asked_words *a, const piece *p) {
    word_stream_begin(t, p->from, (uint64_t)(p->to - p->from), a->steps);
}

/* Go to the next whole word. */
static int next_whole(word_stream *t) {
    while (word_stream_next(t))
        if (t->kind == WORD_WHOLE) return 1;
    return 0;
}

/* One code point of three bytes or more is seldom a whole term. */
static int is_lone(const word_stream *t) {
    return t->length >= 3 && t->bytes[0] >= 0xE0 && t->length == (t->bytes[0] < 0xF0 ? 3u : 4u);
}

/* Is a term the beginning of words, as configur* is? Where a star stands on both sides it is not.
 */
static int is_starred(const word_stream *t, const uint8_t *text, const uint8_t *end) {
    const uint8_t *star = t->to;
    return star < end && *star == '*' && (star + 1 == end || is_space(star[1])) &&
           (t->from == text || t->from[-1] != '*');
}

/* Keep a run of pairs; of one pair there is none. */
static void end_run(asked_words *a, asked_quote *run) {
    if (run->count > 1) {
        for (uint32_t i = 0; i < run->count; i++) {
            asked_word *word = &a->words[a->terms[run->first + i]];
            word->of_run = 1;
            word->alone = 0;
        }
        a->quotes[a->quote_count++] = *run;
    } else {
        a->term_count = run->first;
    }
    *run = (asked_quote){a->term_count, 0, 0, 1};
}

/* The words of a plain piece, but for single letters of compounds and names. */
static void read_plain(asked_words *a, const piece *p, const uint8_t *text, const uint8_t *end,
                       int prefix) {
    word_stream t;
    asked_quote run = {a->term_count, 0, 0, 1};
    const uint8_t *last = p->from; /* the end of the whole word before */
    uint32_t whole = MOST_ASKED;   /* the last one that was alone */
    begin_words(&t, a, p);
    while (word_stream_next(&t)) {
        if (t.kind == WORD_WHOLE) {
            if (t.from >= last) end_run(a, &run);
            last = t.to;
        }
        if (t.single || (p->negative && t.kind != WORD_WHOLE)) continue;
        uint32_t before = a->count,
                 place = asked_place(a, &t, text, p->negative ? WORD_EXCLUDED : WORD_WANTED);
        if (place == MOST_ASKED || p->negative || p->quoted) continue;
        if ((prefix && t.to == end) || is_lone(&t) || (a->syntax && is_starred(&t, text, end)))
            a->words[place].prefix = 1;
        if (t.kind == WORD_WHOLE && place == before && a->syntax && !t.compounded)
            a->words[whole = place].alone = 1;
        else if (whole != MOST_ASKED && t.kind == WORD_PART)
            a->words[whole].alone = 0;
        if (!a->syntax || t.kind != WORD_WHOLE) continue;
        a->terms[a->term_count++] = place;
        run.count++;
    }
    end_run(a, &run);
}

static void read_quoted(asked_words *a, const piece *p, const uint8_t *text) {
    asked_quote q = {a->term_count, 0, p->negative, 0};
    word_stream t;
    begin_words(&t, a, p);
    while (next_whole(&t)) {
        uint32_t place =
            asked_place(a, &t, text, p->negative ? WORD_IN_NEGATIVE_QUOTE : WORD_WANTED);
        a->words[place].quoted = 1;
        a->terms[a->term_count++] = place;
        q.count++;
    }
    a->quotes[a->quote_count++] = q;
}

/* How many whole words a piece has, up to `most`, and where the first one ends. */
static uint32_t count_words(const asked_words *a, const piece *p, uint32_t most,
                            const uint8_t **first_end) {
    word_stream t;
    uint32_t count = 0;
    begin_words(&t, a, p);
    while (count < most && next_whole(&t))
        if (count++ == 0 && first_end) *first_end = t.to;
    return count;
}

/* Read the text piece by piece; only_look: does it have a piece that is quoted or negative? */
static int read_pieces(asked_words *a, const uint8_t *text, uint64_t length, int prefix,
                       int only_look) {
    const uint8_t *p = text, *end = text + length;
    while (p < end) {
        piece found;
        const uint8_t *behind = next_piece(a, &found, p, end);
        if (interrupted(a->steps, steps_of((uint64_t)(behind - p)))) return 0;
        p = behind;
        if (only_look) {
            if (found.quoted || found.negative) return 1;
        } else if ((found.quoted || found.negative) && count_words(a, &found, 2, NULL) > 1) {
            read_quoted(a, &found, text);
        } else {
            read_plain(a, &found, text, end, prefix);
        }
    }
    return 0;
}

void asked_words_read(asked_words *a, const uint8_t *text, uint64_t length, int prefix,
                      meter *steps) {
    piece whole = {text, text + length, 0, 0};
    a->count = a->quote_count = a->term_count = 0;
    a->capped = a->ignored = 0;
    a->syntax = 1;
    a->steps = steps;
    a->first_end = text + length;
    if (count_words(a, &whole, PASTED_WORDS, &a->first_end) < PASTED_WORDS) {
        read_pieces(a, text, length, prefix, 0);
        return;
    }
    a->ignored = read_pieces(a, text, length, prefix, 1);
    a->syntax = 0;
    read_plain(a, &whole, text, text + length, prefix);
}

int asked_word_is(const asked_word *word, const uint8_t *term, uint32_t length) {
    return (word->prefix ? length >= word->length : length == word->length) &&
           !memcmp(word->bytes, term, word->length);
}

/* ======== copy_key.c ======== */

/* ======== copy_key.h ======== */
/* What short texts that are copies of each other have in common (docs/format.md 4.3). */
#ifndef POCKET_COPY_KEY_H
#define POCKET_COPY_KEY_H

#include <stdint.h>

#define COPY_BITS 39u /* of a copy key */
#define COPY_IDENTITY_BITS 7u

struct meter;

/* The copy key of a text: 1, or 0 where it has nothing but white space. steps: may be NULL; where
 * it has ended, *key means nothing. */
static int copy_key_of_text(const uint8_t *text, uint64_t length, struct meter *steps, uint64_t *key);

#endif


static int is_white(uint8_t byte) { return byte == ' ' || (byte >= '\t' && byte <= '\r'); }

int copy_key_of_text(const uint8_t *text, uint64_t length, struct meter *steps, uint64_t *key) {
    term_stream terms;
    uint64_t hash = 0, count = 0;
    for (; length && is_white(text[length - 1]); length--) {
    }
    for (; length && is_white(*text); text++) length--;
    if (!length) return 0;
    uint64_t whole = murmur(text, (size_t)length);
    term_stream_begin(&terms, text, length, STREAM_EVERY_WORD);
    terms.meter = steps;
    for (; term_stream_next(&terms); count++)
        hash = mix64(hash + murmur(terms.bytes, terms.length));
    if (!count) hash = whole;
    *key = hash >> 32 << COPY_IDENTITY_BITS | (whole & ((1u << COPY_IDENTITY_BITS) - 1));
    return 1;
}

/* ======== interop.c ======== */
/* The term stream `interop` (docs/format.md 7.2): the tokens of the interoperability draft, as they
 * stand in the text. */

/* ======== interop.h ======== */
/* The term stream `interop` (docs/format.md 7.2). */
#ifndef POCKET_INTEROP_H
#define POCKET_INTEROP_H


/* The next term, as term_stream_next returns it. */
static int interop_next(term_stream *terms);

#endif


/* ======== unicode_ranges.h ======== */
/* Of data/unicode.bin as C arrays, made from Unicode 15.0.0 by data/make_unicode.py: do not edit.
 * The layout is described there and in docs/format.md 7.1. */
#ifndef POCKET_UNICODE_RANGES_H
#define POCKET_UNICODE_RANGES_H

#include <stdint.h>

#define UNICODE_RANGES 1969

static const uint32_t unicode_ranges[1969] = {
0, 193, 232, 262, 364, 381, 384, 390, 492, 682, 684, 695, 696, 726, 728, 746, 748, 770, 860, 866, 988, 994, 2824, 2842, 2888, 2946, 2964,
2994, 2996, 3002, 3004, 3073, 3391, 3393, 3522, 3540, 3546, 3552, 3562, 3576, 3582, 3584, 3610, 3612, 3618, 3628, 3634, 3636, 3642, 3720,
3726, 4056, 4062, 4616, 4621, 4640, 4650, 5312, 5318, 5468, 5478, 5480, 5506, 5668, 5701, 5880, 5885, 5888, 5893, 5900, 5905, 5912, 5917,
5920, 5954, 6060, 6078, 6092, 6147, 6168, 6209, 6252, 6259, 6260, 6274, 6445, 6568, 6586, 6593, 6598, 6992, 6998, 7001, 7031, 7032, 7037,
7062, 7069, 7076, 7081, 7098, 7105, 7146, 7156, 7166, 7168, 7231, 7234, 7237, 7242, 7361, 7468, 7478, 7833, 7878, 7880, 7937, 7978, 8109,
8146, 8152, 8170, 8172, 8181, 8184, 8194, 8281, 8298, 8301, 8338, 8341, 8354, 8357, 8376, 8450, 8549, 8560, 8578, 8620, 8642, 8736, 8742,
8764, 8771, 8776, 8801, 8834, 9001, 9099, 9101, 9228, 9234, 9449, 9452, 9457, 9462, 9464, 9477, 9508, 9525, 9528, 9538, 9541, 9570, 9609,
9616, 9625, 9664, 9670, 9733, 9736, 9750, 9780, 9790, 9796, 9806, 9892, 9898, 9924, 9930, 9932, 9946, 9960, 9969, 9974, 9976, 9989, 10004,
10037, 10042, 10044, 10098, 10104, 10110, 10121, 10128, 10137, 10178, 10184, 10226, 10228, 10233, 10236, 10245, 10252, 10262, 10284,
10302, 10308, 10318, 10404, 10410, 10436, 10442, 10448, 10454, 10460, 10466, 10472, 10481, 10484, 10501, 10508, 10525, 10532, 10541,
10552, 10565, 10568, 10598, 10612, 10618, 10620, 10649, 10698, 10709, 10712, 10757, 10764, 10774, 10808, 10814, 10824, 10830, 10916,
10922, 10948, 10954, 10960, 10966, 10984, 10993, 10998, 11000, 11013, 11032, 11037, 11044, 11061, 11064, 11074, 11076, 11138, 11145,
11152, 11161, 11200, 11238, 11241, 11264, 11269, 11272, 11286, 11316, 11326, 11332, 11342, 11428, 11434, 11460, 11466, 11472, 11478,
11496, 11505, 11510, 11512, 11517, 11520, 11525, 11540, 11573, 11576, 11605, 11612, 11634, 11640, 11646, 11657, 11664, 11673, 11712,
11718, 11720, 11785, 11790, 11792, 11798, 11820, 11834, 11844, 11850, 11864, 11878, 11884, 11890, 11892, 11898, 11904, 11918, 11924,
11938, 11948, 11962, 12008, 12033, 12036, 12085, 12088, 12098, 12100, 12185, 12224, 12289, 12292, 12305, 12310, 12340, 12346, 12356,
12362, 12452, 12458, 12520, 12529, 12534, 12537, 12548, 12569, 12580, 12585, 12600, 12629, 12636, 12642, 12652, 12662, 12664, 12674,
12681, 12688, 12697, 12736, 12802, 12805, 12808, 12822, 12852, 12858, 12868, 12874, 12964, 12970, 13008, 13014, 13032, 13041, 13046,
13048, 13053, 13056, 13081, 13084, 13105, 13112, 13174, 13180, 13186, 13193, 13200, 13209, 13248, 13254, 13260, 13313, 13320, 13330,
13364, 13370, 13380, 13386, 13549, 13558, 13560, 13573, 13588, 13621, 13626, 13628, 13650, 13660, 13694, 13705, 13712, 13721, 13760,
13802, 13824, 13829, 13832, 13846, 13916, 13930, 14024, 14030, 14064, 14070, 14072, 14082, 14108, 14121, 14124, 14153, 14164, 14169,
14172, 14233, 14272, 14342, 14533, 14538, 14545, 14572, 14594, 14621, 14652, 14657, 14696, 14854, 14860, 14866, 14868, 14874, 14892,
14898, 14992, 14998, 15000, 15006, 15045, 15050, 15057, 15094, 15096, 15106, 15124, 15130, 15132, 15137, 15164, 15169, 15208, 15218,
15232, 15362, 15364, 15457, 15464, 15489, 15528, 15573, 15576, 15581, 15584, 15589, 15592, 15618, 15648, 15654, 15796, 15813, 15868,
15873, 15892, 15897, 15906, 15925, 15968, 15973, 16116, 16153, 16156, 16386, 16556, 16565, 16580, 16585, 16608, 16613, 16620, 16629,
16638, 16641, 16680, 16706, 16728, 16737, 16746, 16761, 16774, 16776, 16790, 16796, 16826, 16837, 16854, 16905, 16908, 16917, 16924,
16949, 16954, 16956, 16961, 17000, 17013, 17016, 17026, 17176, 17182, 17184, 17206, 17208, 17218, 17388, 17394, 17791, 17798, 18724,
18730, 18744, 18754, 18780, 18786, 18788, 18794, 18808, 18818, 18980, 18986, 19000, 19010, 19140, 19146, 19160, 19170, 19196, 19202,
19204, 19210, 19224, 19234, 19292, 19298, 19524, 19530, 19544, 19554, 19820, 19829, 19840, 19970, 20032, 20098, 20440, 20450, 20472,
20486, 22964, 22974, 23040, 23046, 23148, 23170, 23468, 23494, 23524, 23554, 23625, 23636, 23678, 23753, 23760, 23810, 23881, 23888,
23938, 23988, 23994, 24004, 24009, 24016, 24066, 24275, 24280, 24285, 24312, 24345, 24348, 24357, 24400, 24414, 24416, 24434, 24437,
24440, 24449, 24488, 24623, 24641, 24680, 24706, 25060, 25090, 25109, 25118, 25253, 25258, 25260, 25282, 25560, 25602, 25724, 25729,
25740, 25757, 25764, 25801, 25804, 25829, 25840, 25881, 25922, 26040, 26050, 26068, 26114, 26288, 26306, 26408, 26433, 26472, 26626,
26717, 26724, 26733, 26736, 26754, 26964, 26969, 26972, 26977, 27004, 27009, 27012, 27017, 27020, 27029, 27060, 27085, 27124, 27133,
27176, 27201, 27240, 27294, 27296, 27329, 27384, 27389, 27452, 27649, 27664, 27670, 27857, 27860, 27865, 27884, 27889, 27892, 27913,
27916, 27926, 27956, 27969, 28008, 28077, 28112, 28161, 28168, 28174, 28292, 28297, 28312, 28321, 28328, 28333, 28346, 28353, 28394,
28569, 28572, 28577, 28584, 28597, 28600, 28605, 28616, 28674, 28816, 28849, 28880, 28889, 28896, 28929, 28968, 28982, 28993, 29034,
29176, 29186, 29220, 29250, 29420, 29430, 29440, 29505, 29516, 29521, 29572, 29577, 29606, 29621, 29626, 29649, 29654, 29660, 29665,
29674, 29676, 29698, 30465, 30722, 31832, 31842, 31864, 31874, 32024, 32034, 32056, 32066, 32096, 32102, 32104, 32110, 32112, 32118,
32120, 32126, 32248, 32258, 32468, 32474, 32500, 32506, 32508, 32522, 32532, 32538, 32564, 32578, 32592, 32602, 32624, 32642, 32692,
32714, 32724, 32730, 32756, 32815, 32832, 32939, 32956, 33021, 33028, 33105, 33108, 33155, 33216, 33222, 33224, 33278, 33280, 33346,
33396, 33601, 33652, 33669, 33672, 33685, 33732, 33802, 33804, 33822, 33824, 33834, 33872, 33878, 33880, 33894, 33912, 33938, 33940,
33946, 33948, 33954, 33956, 33962, 33976, 33982, 34024, 34034, 34048, 34070, 34088, 34106, 34108, 34318, 34324, 45058, 45972, 45998,
46013, 46026, 46032, 46082, 46232, 46238, 46240, 46262, 46264, 46274, 46496, 46526, 46528, 46589, 46594, 46684, 46722, 46748, 46754,
46780, 46786, 46812, 46818, 46844, 46850, 46876, 46882, 46908, 46914, 46940, 46946, 46972, 46977, 47104, 47294, 47296, 49174, 49180,
49321, 49336, 49350, 49368, 49390, 49396, 49414, 49756, 49765, 49772, 49782, 49792, 49798, 50156, 50162, 50176, 50198, 50368, 50374,
50579, 50582, 50748, 50818, 50944, 51138, 51200, 53250, 79616, 79874, 168500, 168770, 168952, 168962, 170036, 170050, 170113, 170154,
170160, 170242, 170429, 170432, 170449, 170488, 170494, 170617, 170626, 170904, 170945, 170952, 171102, 171136, 171146, 171556, 171566,
171820, 171842, 171848, 171854, 171856, 171862, 171880, 171978, 172041, 172046, 172057, 172062, 172077, 172082, 172172, 172181, 172188,
172209, 172212, 172290, 172496, 172554, 172752, 172817, 172824, 172865, 172904, 172929, 173002, 173024, 173038, 173040, 173046, 173053,
173098, 173209, 173240, 173250, 173341, 173384, 173442, 173556, 173569, 173580, 173586, 173773, 173776, 173785, 173800, 173809, 173816,
173886, 173889, 173928, 173954, 173973, 173978, 174017, 174058, 174076, 174082, 174245, 174268, 174277, 174284, 174293, 174300, 174338,
174349, 174354, 174385, 174388, 174401, 174440, 174466, 174556, 174570, 174572, 174577, 174580, 174586, 174785, 174790, 174793, 174806,
174813, 174822, 174841, 174850, 174853, 174858, 174860, 174958, 174968, 174978, 175020, 175025, 175032, 175050, 175060, 175065, 175068,
175110, 175132, 175142, 175164, 175174, 175196, 175234, 175260, 175266, 175292, 175298, 175468, 175474, 175528, 175554, 176012, 176021,
176024, 176033, 176036, 176053, 176056, 176065, 176104, 176130, 220816, 220866, 220956, 220974, 221168, 254978, 256440, 256450, 256872,
257026, 257052, 257102, 257120, 257142, 257145, 257150, 257188, 257194, 257244, 257250, 257268, 257274, 257276, 257282, 257288, 257294,
257300, 257306, 257736, 257870, 259320, 259394, 259648, 259658, 259872, 260034, 260080, 260099, 260160, 260225, 260288, 260301, 260308,
260405, 260416, 260546, 260564, 260570, 261108, 261119, 261120, 261185, 261224, 261254, 261356, 261373, 261376, 261382, 261484, 261530,
261763, 261766, 261884, 261898, 261920, 261930, 261952, 261962, 261984, 261994, 262004, 262083, 262128, 262146, 262192, 262198, 262300,
262306, 262380, 262386, 262392, 262398, 262456, 262466, 262520, 262658, 263148, 264181, 264184, 264706, 264820, 264834, 265028, 265089,
265092, 265218, 265344, 265398, 265476, 265482, 265512, 265538, 265689, 265708, 265730, 265848, 265858, 266000, 266018, 266048, 266242,
266872, 266881, 266920, 266946, 267088, 267106, 267248, 267266, 267424, 267458, 267664, 267714, 267756, 267762, 267820, 267826, 267852,
267858, 267864, 267870, 267912, 267918, 267976, 267982, 268008, 268014, 268020, 268290, 269532, 269570, 269656, 269698, 269728, 269826,
269848, 269854, 270020, 270026, 270060, 270338, 270360, 270370, 270372, 270378, 270552, 270558, 270564, 270578, 270580, 270590, 270680,
270722, 270812, 270850, 270972, 271234, 271308, 271314, 271320, 271362, 271448, 271490, 271592, 271874, 272096, 272122, 272128, 272386,
272389, 272400, 272405, 272412, 272433, 272450, 272464, 272470, 272480, 272486, 272600, 272609, 272620, 272637, 272640, 272770, 272884,
272898, 273012, 273154, 273184, 273190, 273301, 273308, 273410, 273624, 273666, 273752, 273794, 273868, 273922, 273992, 274434, 274724,
274946, 275148, 275202, 275404, 275458, 275601, 275616, 275649, 275688, 276994, 277160, 277165, 277172, 277186, 277192, 277493, 277506,
277620, 277662, 277664, 277698, 277785, 277828, 277954, 278025, 278040, 278210, 278292, 278402, 278492, 278533, 278536, 278542, 278753,
278812, 278937, 278982, 278989, 278998, 279000, 279037, 279048, 279054, 279232, 279245, 279260, 279269, 279276, 279287, 279288, 279305,
279308, 279351, 279352, 279362, 279460, 279489, 279528, 279553, 279566, 279709, 279728, 279733, 279764, 279769, 279808, 279826, 279828,
279838, 279840, 279874, 280013, 280016, 280026, 280028, 280065, 280072, 280078, 280268, 280281, 280316, 280326, 280340, 280357, 280372,
280381, 280426, 280428, 280434, 280436, 280578, 280648, 280654, 280752, 280765, 280776, 280785, 280788, 280793, 280800, 280825, 280830,
280837, 280840, 281090, 281116, 281122, 281124, 281130, 281144, 281150, 281208, 281214, 281252, 281282, 281469, 281472, 281485, 281516,
281537, 281576, 281601, 281608, 281622, 281652, 281662, 281668, 281678, 281764, 281770, 281796, 281802, 281808, 281814, 281832, 281837,
281846, 281848, 281857, 281860, 281922, 281924, 281974, 281992, 282009, 282036, 282049, 282068, 282626, 282836, 282849, 282880, 282889,
282900, 282905, 282910, 282924, 282945, 282984, 283001, 283006, 283016, 283138, 283328, 283341, 283364, 283369, 283372, 283389, 283396,
283401, 283410, 283416, 283422, 283424, 283457, 283496, 284162, 284348, 284361, 284376, 284401, 284408, 284413, 284420, 284514, 284529,
284536, 284674, 284864, 284877, 284908, 284917, 284920, 284925, 284932, 284946, 284948, 284993, 285032, 285186, 285357, 285360, 285365,
285368, 285377, 285400, 285405, 285410, 285412, 285441, 285480, 285698, 285804, 285813, 285824, 285833, 285848, 285853, 285872, 285889,
285928, 285954, 285980, 286722, 286896, 286909, 286944, 286949, 286956, 287362, 287617, 287656, 287742, 287772, 287782, 287784, 287794,
287824, 287830, 287836, 287842, 287936, 287981, 287988, 287993, 287998, 288000, 288006, 288008, 288013, 288016, 288065, 288104, 288386,
288416, 288426, 288580, 288593, 288608, 288617, 288624, 288641, 288646, 288648, 288654, 288656, 288770, 288773, 288814, 288973, 288996,
289002, 289005, 289020, 289053, 289056, 289090, 289093, 289116, 289125, 289138, 289321, 289372, 289377, 289384, 289398, 289400, 289474,
289764, 290818, 290852, 290858, 291004, 291009, 291036, 291041, 291064, 291069, 291074, 291076, 291137, 291176, 291274, 291392, 291401,
291488, 291497, 291524, 291529, 291536, 291541, 291548, 291842, 291868, 291874, 291880, 291886, 292037, 292060, 292073, 292076, 292081,
292088, 292093, 292122, 292125, 292128, 292161, 292200, 292226, 292248, 292254, 292260, 292266, 292392, 292417, 292424, 292437, 292440,
292445, 292450, 292452, 292481, 292520, 293762, 293837, 293844, 293889, 293898, 293900, 293906, 293956, 293962, 294096, 294105, 294124,
294145, 294148, 294153, 294156, 294209, 294248, 294594, 294596, 294914, 298600, 299522, 300304, 310850, 311236, 311298, 315587, 315649,
315654, 315677, 315736, 331778, 334108, 368642, 370916, 370946, 371068, 371073, 371112, 371138, 371452, 371457, 371496, 371522, 371640,
371649, 371668, 371714, 371905, 371932, 371970, 371984, 372033, 372072, 372110, 372192, 372214, 372288, 375042, 375296, 375810, 376108,
376125, 376130, 376132, 376381, 376398, 376448, 376706, 376712, 376718, 376721, 376724, 376834, 401376, 401410, 406360, 406530, 406564,
442306, 442320, 442326, 442352, 442358, 442364, 442370, 443532, 443594, 443596, 443714, 443724, 443734, 443736, 443794, 443808, 443842,
445424, 454658, 455084, 455106, 455156, 455170, 455204, 455234, 455272, 455285, 455292, 455299, 455312, 474113, 474296, 474305, 474396,
476573, 476584, 476623, 476653, 476684, 476693, 476720, 476841, 476856, 477449, 477460, 479234, 479572, 479578, 479860, 479866, 479872,
479882, 479884, 479894, 479900, 479910, 479924, 479930, 479976, 479982, 479984, 479990, 480016, 480022, 480280, 480286, 480300, 480310,
480340, 480346, 480372, 480378, 480488, 480494, 480508, 480514, 480532, 480538, 480540, 480554, 480580, 480586, 481944, 481954, 482052,
482058, 482156, 482162, 482284, 482290, 482388, 482394, 482516, 482522, 482620, 482626, 482748, 482754, 482852, 482858, 482980, 482986,
483084, 483090, 483120, 483129, 483328, 485377, 485596, 485613, 485812, 485845, 485848, 485905, 485908, 485997, 486016, 486021, 486080,
490498, 490620, 490646, 490668, 491521, 491548, 491553, 491620, 491629, 491656, 491661, 491668, 491673, 491692, 491714, 491960, 492093,
492096, 492546, 492724, 492737, 492766, 492792, 492801, 492840, 492858, 492860, 494146, 494265, 494268, 494338, 494513, 494568, 496450,
496561, 496616, 499586, 499612, 499618, 499632, 499638, 499644, 499650, 499708, 499714, 500500, 500545, 500572, 500738, 501009, 501038,
501040, 501057, 501096, 505858, 505872, 505878, 505984, 505990, 505996, 506002, 506004, 506014, 506016, 506022, 506060, 506066, 506080,
506086, 506088, 506094, 506096, 506122, 506124, 506142, 506144, 506150, 506152, 506158, 506160, 506166, 506176, 506182, 506188, 506194,
506196, 506206, 506208, 506214, 506216, 506222, 506224, 506230, 506232, 506238, 506240, 506246, 506252, 506258, 506260, 506270, 506284,
506290, 506316, 506322, 506336, 506342, 506356, 506362, 506364, 506370, 506408, 506414, 506480, 506502, 506512, 506518, 506536, 506542,
506608, 520129, 520168, 524290, 695168, 695298, 711912, 711938, 712824, 712834, 735880, 735938, 765828, 778242, 780408, 786434, 806188,
806210, 822976, 3670019, 3686400,
};

#endif

enum { CLASS_OTHER, CLASS_WORD, CLASS_LETTER, CLASS_REMOVED };

/* The class of a code point: that of the last range which begins at or before it. */
static uint32_t kind_of(uint32_t code) {
    uint32_t low = 0, high = UNICODE_RANGES;
    while (high - low > 1) {
        uint32_t middle = (low + high) / 2;
        if (unicode_ranges[middle] >> 2 <= code)
            low = middle;
        else
            high = middle;
    }
    return unicode_ranges[low] & 3;
}

static uint32_t class_of_ascii(uint32_t code) {
    if ((code | 0x20) - 'a' < 26) return CLASS_LETTER;
    return code - '0' < 10 || code == '_' ? CLASS_WORD : CLASS_OTHER;
}

static int is_digit(uint32_t byte) { return byte - '0' < 10; }
static int is_plain(uint32_t byte) {
    return is_digit(byte) || (byte | 0x20) - 'a' < 26;
} /* an ASCII letter or digit */

/* Does RFC 3986 allow it? */
static int is_of_urls(uint32_t byte) {
    static const char marks[] = "-._~:/?#[]@!$&'()*+,;=%";
    for (uint32_t i = 0; i < sizeof marks - 1; i++)
        if (byte == (uint8_t)marks[i]) return 1;
    return is_plain(byte);
}

/* Behind `words`, in lower case, if the text at `at` begins so in whatever case; else NULL. */
static const uint8_t *behind(const uint8_t *at, const uint8_t *end, const char *words) {
    for (; *words; at++, words++)
        if (at == end ||
            (*at != (uint8_t)*words && (!is_plain(*at) || (*at | 0x20) != (uint8_t)*words)))
            return NULL;
    return at;
}

/* Behind 10., four to nine digits and a slash; else NULL. */
static const uint8_t *behind_doi(const uint8_t *at, const uint8_t *end) {
    uint32_t digits = 0;
    if (!(at = behind(at, end, "10."))) return NULL;
    for (; at != end && is_digit(*at) && digits < 10; at++) digits++;
    return digits >= 4 && digits <= 9 ? behind(at, end, "/") : NULL;
}

/* Behind the groups of a UUID, 8-4-4-4-12; else NULL. */
static const uint8_t *behind_uuid(const uint8_t *at, const uint8_t *end) {
    for (uint32_t i = 0; i < 36; i++, at++) {
        int hyphen = i == 8 || i == 13 || i == 18 || i == 23;
        if (at == end || (hyphen ? *at != '-' : !is_digit(*at) && (*at | 0x20u) - 'a' >= 6))
            return NULL;
    }
    return at;
}

/* Behind a digit, 7 to 17 digits and hyphens, and an X, as ISSN, ISBN and ORCID end; else NULL. */
static const uint8_t *behind_checked(const uint8_t *at, const uint8_t *end) {
    uint32_t count = 0;
    for (; at != end && count < 19 && (is_digit(*at) || (*at == '-' && count)); at++) count++;
    return count >= 8 && count <= 18 ? behind(at, end, "x") : NULL;
}

/* Behind the URL or identifier at `at`, a letter or digit that follows none; `at` itself where
 * there is none. */
static const uint8_t *behind_name(const uint8_t *at, const uint8_t *end) {
    static const char *const before[] = {"arxiv:", "doi:", "hdl:", "mailto:", "urn:", "www."};
    const uint8_t *run = at, *found = NULL, *past;
    while (run != end && is_plain(*run)) run++;
    for (size_t i = 0; i < sizeof before / sizeof *before && !found; i++)
        found = behind(at, end, before[i]);
    if (!found) found = behind(run, end, "://");
    if (!found) found = behind_doi(at, end);
    if (found) {
        for (past = found; past != end && is_of_urls(*past); past++) continue;
        return past > found ? past : at;
    }
    if (!(past = behind_uuid(at, end))) past = behind_checked(at, end);
    return past && (past == end || !is_plain(*past)) ? past : at;
}

int interop_next(term_stream *t) {
    while (t->text != t->end) {
        uint32_t limit = TERM_BYTES, class = CLASS_WORD;
        int letter = 0, within = 0; /* within: the code point before is an ASCII letter or digit */
        t->length = 0;
        while (t->text != t->end && class != CLASS_OTHER) {
            if (!within && is_plain(*t->text)) {
                const uint8_t *past = behind_name(t->text, t->end);
                if (past != t->text) {
                    t->text = past;
                    break;
                }
            }
            uint32_t code = utf8_decode(&t->text, t->end);
            within = is_plain(code);
            class = code < 0x80 ? class_of_ascii(code) : kind_of(code);
            if (class == CLASS_OTHER || class == CLASS_REMOVED) continue;
            uint32_t length = t->length + utf8_encode(t->bytes + t->length, code);
            if (length > limit)
                limit = t->length;
            else {
                t->length = length;
                letter |= class == CLASS_LETTER;
            }
        }
        if (letter) return 1;
    }
    return 0;
}

/* ======== shingles.c ======== */

/* ======== shingles.h ======== */
/* Shingles, runs of consecutive terms, and the least values of many hash functions over them
 * (docs/format.md 2.6). */
#ifndef POCKET_SHINGLES_H
#define POCKET_SHINGLES_H

#include <stdint.h>

#define SHINGLE_TERMS 16u /* at most */

/* The hashes of the last terms, size of them once there are as many. */
typedef struct shingle {
    uint8_t hashes[8 * SHINGLE_TERMS];
    uint32_t size, filled;
} shingle;

/* Put a term's hash behind the others, the oldest falls out; the hash of the shingle that they now
 * are. */
static uint64_t shingle_push(shingle *s, uint64_t term);
/* Lower the least values of functions 0 .. count - 1 by a shingle's hash. */
static void shingle_lower(uint64_t *least, uint32_t count, uint64_t hash);

#endif


uint64_t shingle_push(shingle *s, uint64_t term) {
    if (s->filled == s->size)
        memmove(s->hashes, s->hashes + 8, 8 * (size_t)(s->size - 1));
    else
        s->filled++;
    store64(s->hashes + 8 * (size_t)(s->filled - 1), term);
    return s->size == 1 ? term : murmur(s->hashes, 8 * (size_t)s->filled);
}

void shingle_lower(uint64_t *least, uint32_t count, uint64_t hash) {
    for (uint32_t j = 0; j < count; j++) {
        uint64_t value = mix64(hash + (j + 1) * 0x9E3779B97F4A7C15ull);
        if (value < least[j]) least[j] = value;
    }
}

/* ======== terms.c ======== */
/* The term stream `folded` in stages, each pulling from the one before: decode, folded (steps 1 and
 * 2 of docs/format.md 7), ordered (3 and 4), word and pair (5 and 6). Words of ASCII skip the
 * stages. */


/* ======== unicode_tables.h ======== */
/* Of data/unicode.bin as C arrays, made from Unicode 15.0.0 by data/make_unicode.py: do not edit.
 * The layout is described there and in docs/format.md 7.1. */
#ifndef POCKET_UNICODE_TABLES_H
#define POCKET_UNICODE_TABLES_H

#include <stdint.h>

#define UNICODE_GROUPS 9

static const uint16_t unicode_top[2176] = {
0, 32, 64, 96, 128, 160, 192, 224, 256, 284, 316, 342, 374, 406, 438, 470, 502, 534, 560, 575, 575, 607, 639, 671, 703, 735, 767, 767,
767, 767, 767, 767, 767, 767, 767, 767, 767, 767, 771, 767, 767, 767, 767, 767, 767, 767, 767, 767, 767, 767, 767, 767, 767, 767, 767,
767, 767, 767, 767, 767, 767, 767, 767, 767, 767, 767, 767, 767, 767, 767, 767, 767, 767, 767, 767, 767, 767, 767, 767, 767, 803, 803,
827, 859, 891, 923, 803, 803, 803, 803, 803, 803, 803, 803, 803, 803, 803, 803, 803, 803, 803, 803, 803, 803, 803, 803, 803, 955, 575,
575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 987, 1019, 1051, 1083, 1115, 1147, 1179, 1211, 1243, 1275,
1307, 1331, 1363, 1395, 1427, 1459, 1491, 1523, 1555, 1582, 803, 1614, 1640, 575, 575, 575, 575, 1661, 803, 803, 1693, 575, 575, 575, 575,
575, 575, 575, 803, 1725, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 803, 1757, 575, 1785, 803, 803,
803, 803, 803, 803, 803, 803, 803, 803, 803, 1817, 803, 803, 1849, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575,
575, 575, 1866, 1898, 1921, 575, 575, 575, 575, 1953, 575, 575, 575, 575, 575, 575, 575, 575, 1969, 1990, 2019, 2051, 2083, 575, 2115,
575, 2131, 2163, 2186, 2205, 2221, 2253, 575, 575, 2285, 2301, 2333, 575, 575, 575, 2339, 575, 575, 767, 767, 767, 767, 767, 767, 767,
767, 767, 767, 767, 767, 767, 767, 767, 767, 767, 767, 767, 767, 767, 767, 767, 767, 767, 767, 767, 767, 767, 767, 767, 767, 767, 767,
767, 767, 767, 767, 767, 767, 767, 767, 767, 767, 767, 767, 767, 767, 767, 767, 767, 767, 767, 767, 767, 767, 767, 767, 767, 767, 767,
767, 767, 767, 767, 767, 767, 767, 767, 767, 767, 767, 767, 767, 767, 767, 767, 767, 767, 767, 767, 767, 767, 2371, 767, 767, 767, 767,
767, 767, 767, 2387, 2418, 767, 767, 767, 767, 767, 767, 767, 767, 767, 767, 2440, 767, 767, 767, 767, 767, 767, 767, 767, 767, 767, 767,
767, 767, 2451, 575, 575, 575, 575, 575, 575, 2483, 2515, 575, 575, 767, 767, 767, 767, 767, 767, 767, 767, 767, 2547, 767, 767, 767, 767,
767, 767, 767, 2568, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575,
575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575,
575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575,
575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575,
575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575,
575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575,
575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575,
575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575,
575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575,
575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575,
575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575,
575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575,
575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575,
575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575,
575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575,
575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575,
575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575,
575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575,
575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575,
575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575,
575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575,
575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575,
575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575,
575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575,
575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575,
575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575,
575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575,
575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575,
575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575,
575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575,
575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575,
575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575,
575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575,
575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575,
575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575,
575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575,
575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575,
575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575,
575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575,
575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575,
575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575,
575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575,
575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575,
575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575,
575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575,
575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575,
575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575,
575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575,
575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575,
575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575,
575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575,
575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 2600, 2600, 2600, 2600, 2600, 2600, 2600, 2600, 575,
575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575,
575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575,
575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575,
575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575,
575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575,
575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575,
575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575,
575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575,
575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575,
575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575,
575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575,
575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575,
575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575,
575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575, 575,
};

static const uint16_t unicode_middle[2632] = {
0, 0, 0, 16, 31, 47, 63, 68, 0, 0, 84, 100, 116, 132, 148, 164, 180, 196, 212, 228, 243, 259, 275, 291, 307, 323, 339, 354, 367, 382, 398,
414, 430, 446, 462, 478, 493, 508, 508, 508, 508, 508, 508, 524, 538, 552, 568, 0, 584, 595, 610, 622, 638, 654, 667, 683, 699, 715, 731,
747, 761, 777, 793, 809, 825, 841, 857, 873, 508, 889, 905, 921, 937, 953, 969, 985, 1001, 1017, 1033, 1049, 1065, 1081, 1097, 1113, 1129,
1145, 1161, 1161, 1170, 1185, 1199, 1215, 1231, 508, 1247, 1262, 1278, 1294, 1310, 508, 1326, 1342, 1358, 1374, 508, 508, 508, 508, 1390,
1403, 1418, 1434, 1450, 1466, 1161, 1482, 1497, 508, 508, 508, 1161, 1161, 1510, 1525, 1541, 1161, 1551, 1565, 1161, 1581, 1593, 0, 1161,
1609, 1625, 508, 1641, 1657, 508, 508, 1673, 1688, 1702, 1718, 1734, 1161, 1741, 1756, 1770, 1786, 1802, 1160, 1818, 1830, 1837, 1852,
1866, 1881, 1802, 1897, 1912, 1830, 1837, 1927, 1941, 1956, 10, 1972, 1987, 1999, 1837, 2014, 2028, 2044, 1802, 2051, 2067, 1830, 1837,
2014, 2083, 2097, 1802, 2043, 2113, 2128, 2144, 2158, 2172, 2188, 10, 0, 2204, 2216, 1837, 2222, 2236, 2250, 1802, 0, 2266, 2216, 1837,
2275, 2291, 2305, 1802, 2320, 2336, 2216, 1161, 2350, 2364, 2379, 1802, 2395, 2411, 2420, 1161, 2434, 2450, 2465, 10, 2481, 2496, 2497,
2497, 2510, 2526, 16, 0, 0, 2541, 2497, 2553, 2566, 2582, 2598, 0, 0, 2614, 2627, 16, 2638, 2654, 2668, 2681, 2696, 2712, 2725, 2739,
2752, 2765, 0, 0, 0, 2497, 2497, 2781, 2790, 16, 2497, 2497, 2497, 2801, 2817, 2833, 2849, 2865, 1161, 1161, 2881, 1161, 1161, 1161, 1161,
1161, 2894, 2909, 1161, 1161, 1161, 1161, 1161, 1161, 1161, 1161, 1161, 2916, 2932, 1161, 1161, 2916, 1161, 1161, 2924, 2940, 1994, 1161,
1161, 1161, 2940, 1161, 1161, 1161, 2948, 0, 0, 1161, 0, 1161, 1161, 1161, 1161, 1161, 2964, 1160, 1161, 1161, 1161, 1161, 1161, 1161,
1161, 1161, 1161, 1161, 1161, 1161, 1161, 1161, 1161, 1161, 1161, 1161, 1161, 1161, 1161, 1161, 1161, 1161, 1161, 1161, 1161, 1161, 1161,
1161, 1161, 2980, 1161, 1160, 1625, 1161, 1161, 1161, 1161, 1625, 2994, 1161, 3010, 1161, 3025, 1161, 3041, 1833, 3057, 2497, 2497, 2497,
3073, 2497, 3087, 16, 0, 1267, 16, 1161, 1161, 1161, 1161, 1161, 3103, 3119, 1161, 3126, 1161, 1161, 1161, 1161, 3142, 1161, 2910, 3158,
3174, 10, 1161, 2218, 3190, 1161, 1161, 3206, 1161, 544, 16, 0, 0, 1161, 3222, 1161, 1161, 1161, 3238, 3254, 3265, 16, 16, 2387, 3281,
3296, 0, 0, 0, 3312, 3327, 1161, 3339, 3355, 16, 3368, 3381, 3397, 1161, 3412, 1541, 1161, 1161, 3426, 3440, 1161, 1161, 3456, 3465, 3481,
1541, 1161, 2218, 3497, 3513, 3529, 3545, 0, 3561, 3577, 3591, 508, 508, 3607, 3623, 3639, 3655, 3671, 3682, 508, 3691, 3707, 3723, 3739,
3755, 584, 3765, 3781, 3797, 3813, 3829, 3845, 3861, 3877, 3893, 3909, 3925, 3941, 3957, 3973, 3989, 4005, 4021, 4037, 4053, 4069, 4085,
4101, 4117, 4133, 4149, 4165, 4181, 4197, 4213, 4229, 4245, 4261, 4277, 4293, 4309, 4321, 4337, 4352, 4364, 4380, 4396, 4412, 4428, 4441,
0, 0, 4457, 4472, 4488, 4504, 4520, 4536, 4551, 4567, 4583, 4599, 4599, 4615, 4625, 4637, 0, 4652, 0, 0, 0, 4668, 0, 4681, 4697, 4712, 0,
4728, 4744, 4760, 0, 4770, 0, 0, 0, 4786, 0, 0, 0, 4800, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 4816, 4832, 4848, 4864, 4880, 4896, 42,
32, 4912, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 4923, 0, 0, 0, 0, 0, 0, 4936, 0,
0, 0, 0, 0, 4943, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 4959, 4975, 4991, 1161, 1161, 1161, 5007, 5023, 5039, 5055, 5071,
5087, 5103, 5119, 5135, 5150, 1161, 1161, 5166, 1161, 1161, 1161, 5182, 5198, 1161, 3361, 5214, 5214, 5214, 5214, 584, 584, 0, 0, 2045, 0,
0, 0, 0, 0, 0, 5229, 0, 0, 0, 0, 0, 5245, 5261, 5277, 5293, 5309, 5325, 5341, 5357, 5373, 5389, 5405, 5421, 5437, 5453, 5469, 0, 0, 5485,
0, 5492, 5508, 5523, 5539, 5555, 5571, 2497, 5585, 5601, 5617, 5633, 5649, 2497, 5663, 1156, 1161, 1161, 5679, 5695, 5711, 5727, 5743,
5759, 5774, 1161, 1161, 0, 0, 0, 2497, 5790, 5806, 5822, 5838, 5854, 5870, 5886, 5902, 5918, 5934, 5950, 5966, 5982, 5998, 6014, 6030,
6046, 6062, 6078, 6094, 6110, 6126, 6142, 6158, 6174, 6190, 6206, 6222, 6238, 6254, 6270, 6286, 2497, 2497, 2497, 2497, 2497, 2497, 2497,
2497, 2497, 2497, 2497, 2497, 2497, 2497, 2497, 2497, 2497, 2497, 2497, 2497, 2497, 2497, 2497, 2497, 2497, 2497, 2497, 2497, 2497, 2497,
2497, 2497, 0, 0, 0, 0, 1161, 1161, 1161, 1161, 1161, 1161, 1161, 1161, 1161, 1161, 1161, 1161, 1161, 1161, 1161, 1161, 1161, 1161, 1161,
1161, 1161, 1161, 1161, 1161, 1161, 1161, 1161, 1161, 1161, 1161, 1161, 1161, 6302, 0, 0, 0, 0, 1161, 1161, 2218, 1161, 1161, 1161, 1161,
1161, 1161, 1161, 1161, 1161, 1161, 1161, 1161, 1161, 1161, 1161, 1161, 6302, 1161, 6318, 0, 6334, 6350, 6366, 6382, 6398, 6414, 1161,
1161, 1161, 1161, 3142, 6428, 0, 3199, 6442, 6457, 6473, 6489, 6505, 6519, 6535, 6551, 6567, 6583, 6599, 6615, 0, 6629, 6645, 1161, 6658,
0, 1161, 1161, 1161, 5225, 6674, 1161, 1161, 3456, 6690, 16, 584, 6706, 1541, 1161, 6722, 1161, 3406, 6738, 1161, 6302, 1734, 1161, 1161,
6754, 6770, 16, 2497, 6786, 1161, 1161, 3404, 6802, 6818, 16, 2497, 6834, 1161, 1161, 1161, 6850, 6866, 6871, 3402, 6885, 6900, 3141,
5214, 508, 508, 6916, 6932, 6948, 6964, 6980, 6996, 7012, 1161, 1161, 7028, 16, 1161, 1161, 1161, 1161, 1161, 1161, 1161, 1161, 1161,
1161, 1161, 1161, 1161, 1161, 1161, 1161, 1161, 1161, 1161, 1161, 1161, 1161, 1161, 1161, 1161, 1161, 5225, 1161, 533, 1161, 1161, 3206,
0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 7044, 7060, 7076, 7092, 7108, 7124, 7140, 7156, 7172, 7188, 7204, 7220, 7236, 7252, 7268,
7284, 7300, 7316, 7332, 7348, 7364, 7380, 7396, 7412, 7428, 7444, 7460, 7476, 7492, 7508, 0, 0, 7524, 7537, 7553, 7569, 7585, 7601, 7615,
7629, 7643, 7657, 7673, 7689, 0, 7702, 7718, 7734, 7750, 7766, 7782, 7798, 7814, 7830, 7846, 7862, 7878, 7894, 7910, 7926, 7942, 7958,
7974, 7990, 8006, 8022, 8038, 8054, 0, 8070, 8085, 8100, 8116, 8132, 8148, 8164, 8180, 0, 0, 8196, 4380, 8212, 8228, 8244, 8260, 8276,
8292, 8308, 8324, 8339, 8354, 8369, 8384, 8399, 8414, 8429, 8445, 8461, 8477, 8493, 8509, 8525, 8541, 8557, 6013, 8573, 8589, 8605, 8620,
8636, 8652, 8668, 1834, 1161, 1994, 2004, 2218, 2218, 0, 0, 1161, 1161, 1161, 1161, 1161, 1161, 1161, 1625, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
0, 0, 0, 0, 0, 8680, 0, 0, 0, 0, 0, 0, 0, 0, 1161, 6302, 1161, 1161, 1161, 2044, 8693, 0, 1161, 1161, 6869, 1161, 8709, 1161, 1161, 8725,
1161, 2218, 1161, 1161, 536, 0, 0, 0, 8741, 8757, 8773, 1161, 1161, 1161, 1161, 1161, 1161, 2218, 16, 8789, 8805, 8821, 1161, 3206, 1161,
1161, 3360, 1161, 1161, 1161, 5225, 8837, 8853, 8869, 1999, 8883, 0, 0, 0, 0, 1161, 1161, 1161, 1161, 1161, 1161, 1161, 1161, 1161, 1161,
1161, 1161, 1161, 1161, 1161, 1161, 1161, 1161, 1161, 3361, 1161, 3142, 3360, 0, 8899, 8915, 8931, 8947, 0, 0, 0, 0, 8963, 1161, 1161,
8973, 1161, 3142, 1161, 3361, 1161, 2910, 0, 0, 0, 0, 1161, 8988, 1161, 3142, 1161, 544, 0, 0, 0, 0, 1161, 1161, 1161, 8711, 0, 0, 0, 0,
9004, 9020, 1161, 9030, 0, 0, 1161, 6302, 1161, 6302, 0, 0, 1993, 1161, 9046, 0, 1161, 1161, 1161, 3142, 1161, 3142, 1161, 5226, 1161,
5227, 0, 0, 0, 0, 0, 0, 1161, 1161, 1161, 1161, 3103, 0, 0, 0, 9062, 9078, 9094, 9110, 1161, 1161, 1161, 5226, 1161, 1161, 9126, 16, 0, 0,
0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1161, 1161, 9142, 5227, 0, 0, 0, 9155, 1161, 6302, 2387, 1161, 9171, 8693, 0, 1161, 9187, 0, 0, 1161, 3190,
0, 1161, 3361, 3397, 1161, 1161, 3405, 6764, 0, 10, 9203, 3397, 9219, 9232, 9248, 9262, 1161, 3103, 16, 9278, 1161, 9287, 9303, 9319,
1161, 1161, 9335, 3397, 1161, 1161, 9351, 9367, 9383, 0, 0, 1161, 1999, 3401, 9399, 9414, 0, 0, 0, 9430, 2911, 3103, 1161, 1161, 9445,
9460, 16, 9476, 1830, 1837, 9491, 9505, 9521, 9535, 9543, 0, 0, 0, 0, 0, 0, 0, 0, 1161, 1161, 1161, 9559, 9573, 9589, 5227, 0, 1161, 1161,
1161, 9605, 9620, 16, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1161, 1161, 9445, 9636, 9652, 9660, 0, 0, 1161, 1161, 1161, 9676, 9692, 16, 0, 0,
1161, 1161, 3402, 9708, 16, 0, 0, 0, 1161, 9724, 6759, 16, 3361, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1161, 1161, 3401, 9737, 0, 0, 0, 0, 0,
0, 9753, 9769, 1161, 1161, 16, 2045, 9785, 9797, 1161, 9813, 9829, 16, 0, 0, 0, 0, 1823, 1161, 1161, 9845, 9861, 0, 9877, 1161, 1161,
9890, 9905, 9921, 1161, 1161, 3403, 9937, 0, 1161, 1161, 1161, 1161, 3103, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1837, 1161,
9445, 9953, 2044, 16, 0, 1159, 1161, 9674, 9969, 6802, 0, 0, 0, 0, 2008, 1161, 1161, 9985, 10000, 16, 10016, 1161, 10026, 10039, 16, 0, 0,
0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1161, 10055, 10071, 2216, 1161, 10083, 10098, 16, 0, 0, 0, 0, 0, 2044, 0, 0, 0, 0, 1161, 1161, 1161,
1161, 1161, 1161, 1161, 1161, 1161, 1161, 1161, 1161, 1161, 1161, 1161, 1161, 1161, 1161, 1161, 1161, 1161, 1161, 1161, 1161, 1161, 544,
0, 0, 0, 0, 0, 0, 0, 0, 1161, 1161, 1161, 1161, 1161, 1161, 1161, 1161, 1161, 1161, 1161, 1161, 5225, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1161, 1161, 1161, 1161, 1161, 1161, 2044, 1161, 1161, 1161, 4380, 10114, 10124, 0, 0, 0, 0, 0, 0,
0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1161, 1161, 1161, 1161, 3361, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1161, 1161, 1161, 3103, 1161, 2910, 16, 1161, 1161, 1161, 1161, 2910, 16, 1161, 2218, 10140, 1161, 1161,
1161, 9541, 5225, 16, 1158, 10156, 1161, 0, 0, 0, 0, 0, 0, 0, 10172, 10188, 1161, 1161, 0, 0, 0, 0, 0, 0, 0, 0, 1161, 1161, 1161, 1161,
10204, 10220, 10221, 10221, 10229, 3397, 0, 0, 0, 0, 10245, 10261, 1161, 1161, 1161, 1161, 1161, 1161, 1161, 1161, 1161, 1161, 1161, 1161,
1161, 1161, 1161, 1161, 1161, 1161, 1161, 1161, 1161, 1161, 1161, 1161, 1161, 1161, 1161, 1161, 1161, 1161, 1161, 3360, 1161, 1161, 1161,
1161, 1161, 1161, 1161, 1161, 1161, 1161, 1161, 1161, 1161, 3142, 0, 0, 3103, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 10277, 2497, 2497, 2497, 2497, 2497, 2497, 2497, 2497, 2497, 2497, 2497, 2497, 2497, 2497, 2497, 2497,
2497, 2497, 10293, 10307, 0, 10323, 10335, 1161, 1161, 1161, 1161, 1161, 1161, 1161, 1161, 1161, 1161, 1161, 1161, 1161, 1161, 1161, 3206,
0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1161, 1161, 1161, 1161, 1161, 1161, 1625, 6302, 3103, 10351, 8676, 0, 0, 0, 0, 0, 0, 0, 0,
0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 10221, 10221, 10223, 10221, 6802, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
10366, 10382, 10396, 10409, 0, 10421, 10435, 10451, 0, 0, 0, 0, 10465, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
0, 0, 0, 0, 0, 32, 10481, 38, 10487, 10503, 10519, 10483, 40, 10489, 10531, 10547, 10563, 10579, 32, 10481, 38, 10591, 10607, 34, 10587,
10623, 10639, 10505, 36, 10485, 42, 32, 10481, 38, 10487, 10503, 34, 10483, 40, 10489, 10505, 36, 10485, 42, 32, 10481, 38, 10655, 10671,
10687, 10703, 10719, 10677, 10693, 10709, 10667, 10683, 10699, 10715, 10673, 716, 10705, 716, 10679, 10695, 10735, 10751, 10757, 10753,
10221, 10221, 10221, 3163, 10221, 10221, 10224, 10773, 10774, 9697, 9675, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
508, 64, 10785, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 10801, 10809, 10823, 10839, 10855, 10871, 10887, 0, 10452, 0, 0, 0, 0, 0, 0, 0,
1161, 1161, 6302, 10903, 10919, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1161, 10935, 0, 1161, 1161, 10951, 16, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
0, 0, 0, 0, 0, 1161, 10967, 16, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 10983, 2910,
1161, 1161, 1161, 1161, 1161, 1161, 1161, 1161, 1161, 1161, 1161, 1161, 3190, 10999, 0, 0, 11015, 11031, 11047, 1161, 11059, 16, 0, 0, 0,
0, 0, 0, 0, 0, 0, 0, 11075, 11091, 11107, 11123, 11137, 11153, 11169, 11185, 11201, 11217, 11232, 11217, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
0, 0, 0, 0, 0, 0, 0, 0, 0, 11248, 4876, 11264, 32, 11280, 0, 11296, 0, 0, 11312, 0, 0, 0, 0, 0, 0, 11328, 11344, 11360, 11376, 11392,
11408, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 11424, 2497, 2497, 2497, 2497, 2497,
2497, 2497, 2497, 2497, 2497, 2497, 2497, 2497, 2497, 0, 0, 2497, 2497, 2497, 2497, 2497, 2497, 2497, 2497, 2497, 2497, 2497, 2497, 2497,
2497, 2497, 2497, 2497, 2497, 2497, 11440, 2497, 2497, 2497, 2497, 2497, 2497, 2497, 2497, 2497, 2497, 2497, 2497, 11456, 2497, 2497,
2497, 2497, 2497, 2497, 2497, 2497, 2497, 2497, 2497, 2497, 2497, 2497, 2497, 2497, 2497, 2497, 2497, 2497, 2497, 2497, 2497, 2497, 2497,
2497, 2497, 2497, 2497, 2497, 11468, 2497, 2497, 2497, 2497, 2497, 2497, 2497, 2497, 2497, 2497, 2497, 2497, 2497, 2497, 2497, 2497, 2497,
2497, 2497, 2497, 2497, 2497, 2497, 2497, 2497, 2497, 2497, 2497, 2497, 2497, 11469, 0, 11485, 11501, 11517, 11533, 11549, 11565, 11581,
11597, 11613, 11629, 11645, 11661, 11677, 11693, 11709, 11725, 11741, 11757, 11773, 11789, 11805, 11821, 11837, 11853, 11869, 11885,
11901, 11917, 11933, 11949, 11965, 11981, 11997, 12013, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
0, 0, 0, 2497, 2497, 2497, 2497, 2497, 2497, 2497, 2497, 2497, 2497, 2497, 2497, 2497, 2497, 2497, 2497, 2497, 2497, 2497, 2497, 11459,
2497, 2497, 2497, 2497, 2497, 2497, 2497, 2497, 2497, 2497, 2497, 2497, 2497, 2497, 2497, 2497, 2497, 2497, 2497, 2497, 2497, 2497, 2497,
2497, 2497, 2497, 2497, 0, 0, 0, 0, 0, 4380, 4380, 4380, 4380, 4380, 4380, 4380, 4380, 4380, 4380, 4380, 4380, 4380, 4380, 4380, 4380,
4380, 4380, 4380, 4380, 4380, 4380, 4380, 4380, 4380, 4380, 4380, 4380, 4380, 4380, 4380, 4380,
};

static const uint16_t unicode_entries[12029] = {
0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 32768, 32768, 32768, 32768, 32768, 32768, 32768, 32768, 32768, 32768, 0, 0, 0, 0, 0, 0,
49191, 49192, 49193, 49194, 49195, 49196, 49197, 49198, 49199, 49200, 49201, 49202, 49203, 49204, 49205, 49206, 49207, 49208, 49209,
49210, 49211, 49212, 49213, 49214, 49215, 49216, 0, 0, 0, 0, 32768, 0, 16384, 16384, 16384, 16384, 16384, 16384, 16384, 16384, 16384,
16384, 16384, 16384, 16384, 16384, 16384, 0, 0, 0, 0, 0, 49152, 0, 0, 0, 0, 0, 0, 0, 51325, 0, 49191, 0, 0, 57344, 0, 51317, 0, 0, 49170,
49171, 51313, 49380, 0, 0, 51335, 49169, 49205, 0, 54284, 54278, 54362, 0, 51567, 51569, 51571, 51573, 51581, 51585, 49228, 51621, 51649,
51651, 51653, 51663, 51749, 51751, 51753, 51763, 49229, 51889, 51905, 51907, 51909, 51911, 51919, 0, 49230, 52019, 52021, 52023, 52031,
52091, 49231, 16384, 51567, 51569, 51571, 51573, 51581, 51585, 16384, 51621, 51649, 51651, 51653, 51663, 51749, 51751, 51753, 51763,
16384, 51889, 51905, 51907, 51909, 51911, 51919, 0, 16384, 52019, 52021, 52023, 52031, 52091, 16384, 52101, 51575, 51575, 51577, 51577,
51597, 51597, 51613, 51613, 51615, 51615, 51617, 51617, 51619, 51619, 51637, 51637, 49232, 16384, 51657, 51657, 51659, 51659, 51661,
51661, 51677, 51677, 51667, 51667, 51699, 51699, 51703, 51703, 51705, 51705, 51709, 51709, 51721, 51721, 49233, 16384, 51755, 51755,
51757, 51757, 51759, 51759, 51775, 51775, 51761, 16384, 51739, 51739, 51779, 51779, 51807, 51807, 16384, 51823, 51823, 51829, 51829,
51825, 51825, 51821, 49235, 16384, 51887, 51887, 51897, 51897, 51893, 51893, 52133, 49236, 16384, 51913, 51913, 51915, 51915, 51923,
51923, 49237, 16384, 51959, 51959, 51971, 51971, 51963, 51963, 51987, 51987, 51989, 51989, 51999, 51999, 51993, 51993, 52013, 52013,
52007, 52007, 49238, 16384, 52025, 52025, 52027, 52027, 52029, 52029, 52035, 52035, 52037, 52037, 52051, 52051, 52073, 52073, 52093,
52093, 52101, 52109, 52109, 52113, 52113, 52115, 52115, 49209, 16384, 49280, 49240, 16384, 49241, 16384, 49281, 49242, 16384, 49283,
49284, 49243, 16384, 16384, 49262, 49286, 49287, 49244, 16384, 49291, 49294, 16384, 49300, 49299, 49246, 16384, 16384, 16384, 49306,
49309, 16384, 49312, 51931, 51931, 49249, 16384, 49250, 16384, 49321, 49251, 16384, 49324, 16384, 16384, 49253, 16384, 49327, 52045,
49329, 49330, 49254, 16384, 49255, 16384, 49337, 49256, 16384, 16384, 16384, 49257, 16384, 16384, 16384, 16384, 54467, 54467, 54467,
51813, 51813, 51813, 51873, 51873, 51873, 51587, 51587, 51767, 51925, 51925, 52039, 52039, 54662, 54662, 54659, 54659, 54665, 54665,
54656, 54656, 16384, 54422, 54422, 54419, 54419, 52127, 52127, 49263, 16384, 51707, 51707, 51803, 51803, 51935, 51935, 54617, 54617,
52131, 52131, 51781, 51633, 51633, 51633, 51697, 51697, 49245, 49258, 51885, 51885, 54425, 54425, 52125, 52125, 52129, 52129, 51589,
51589, 51591, 51591, 51669, 51669, 51671, 51671, 51769, 51769, 51771, 51771, 51927, 51927, 51929, 51929, 51965, 51965, 51967, 51967,
52041, 52041, 52043, 52043, 51997, 51997, 52011, 52011, 49264, 16384, 51727, 51727, 49248, 16384, 49265, 16384, 49266, 16384, 51579,
51579, 51675, 51675, 54596, 54596, 54581, 54581, 51917, 51917, 54593, 54593, 52097, 52097, 16384, 16384, 16384, 16384, 16384, 16384,
49960, 49268, 16384, 49247, 49961, 16384, 49271, 16384, 49239, 49328, 49331, 49272, 16384, 49273, 16384, 49274, 16384, 49275, 16384,
49276, 16384, 16384, 16384, 16384, 16384, 16384, 16384, 16384, 16384, 16384, 16384, 16384, 16384, 16384, 16384, 16384, 49198, 49297,
49200, 49208, 49316, 49318, 49322, 49213, 49215, 8192, 8192, 8192, 8192, 8192, 8192, 8192, 0, 0, 0, 0, 8192, 8192, 8192, 8192, 8192, 8192,
8192, 8192, 8192, 8192, 0, 0, 0, 0, 0, 0, 51321, 51323, 51327, 51337, 51315, 51329, 0, 0, 49294, 49202, 49209, 49214, 49338, 0, 0, 0, 0,
0, 0, 0, 8192, 0, 8192, 0, 41190, 41190, 41190, 41190, 41190, 41190, 41190, 41190, 41190, 41190, 41190, 41190, 41190, 41190, 41190, 41190,
41192, 41180, 41180, 41180, 41180, 41192, 41176, 41180, 41180, 41180, 41180, 41162, 41162, 41180, 41180, 41180, 41180, 41162, 41162,
41180, 41180, 41180, 41180, 41180, 41180, 41180, 40961, 40961, 40961, 40961, 40961, 41180, 41180, 41180, 41180, 41190, 41190, 41190,
49360, 49361, 41190, 49362, 52135, 41200, 41190, 41180, 41180, 41180, 41190, 41190, 41190, 41180, 41180, 57344, 41190, 41190, 41190,
41180, 41180, 41180, 41180, 41190, 41192, 41180, 41180, 41190, 41193, 41194, 41194, 41193, 41190, 41190, 41190, 41190, 41190, 41190,
41190, 41190, 41190, 41190, 41190, 41190, 41190, 49363, 16384, 49364, 16384, 49357, 0, 49365, 16384, 0, 0, 51343, 16384, 16384, 16384,
49179, 49406, 0, 0, 0, 0, 51313, 53876, 52139, 49226, 52155, 52163, 52175, 0, 52207, 0, 52219, 52235, 54773, 49369, 49370, 49371, 49372,
49373, 49374, 49375, 49376, 49377, 49378, 49379, 49380, 49381, 49382, 49383, 49384, 49385, 0, 49386, 49387, 49388, 49389, 49390, 49391,
49392, 52181, 52225, 52139, 52155, 52163, 52175, 54812, 16384, 16384, 16384, 16384, 16384, 16384, 16384, 16384, 16384, 16384, 16384,
16384, 16384, 16384, 16384, 49386, 16384, 16384, 16384, 16384, 16384, 16384, 16384, 52181, 52225, 52207, 52219, 52235, 49393, 49370,
49376, 49388, 52219, 52225, 49389, 49384, 16384, 49394, 16384, 49395, 16384, 49396, 16384, 49397, 16384, 49398, 16384, 49399, 8192, 49400,
8192, 49401, 8192, 49402, 8192, 49403, 8192, 49404, 8192, 49405, 8192, 49378, 49385, 49386, 16384, 49376, 49373, 0, 49407, 16384, 49386,
49408, 16384, 16384, 49366, 49367, 49368, 52251, 52255, 49440, 52249, 49441, 49442, 49443, 52289, 49444, 49445, 49446, 49447, 52271,
52263, 52277, 49448, 49409, 49410, 49411, 49412, 49413, 49414, 49415, 49416, 49417, 52267, 49418, 49419, 49420, 49421, 49422, 49423,
49424, 49425, 49426, 49427, 49428, 49429, 49430, 49431, 49432, 49433, 49434, 49435, 49436, 49437, 49438, 49439, 16384, 16384, 16384,
16384, 16384, 16384, 16384, 16384, 16384, 52267, 16384, 16384, 16384, 16384, 16384, 16384, 52251, 52255, 16384, 52249, 16384, 16384,
16384, 52289, 16384, 16384, 16384, 16384, 52271, 52263, 52277, 16384, 49449, 16384, 49450, 16384, 49451, 16384, 49452, 16384, 49453,
16384, 49454, 16384, 49455, 16384, 49456, 16384, 49457, 16384, 49458, 16384, 49459, 16384, 52291, 52291, 49460, 16384, 49461, 16384,
49462, 16384, 49463, 16384, 49464, 16384, 0, 41190, 41190, 41190, 41190, 41190, 0, 0, 49465, 16384, 49466, 16384, 49467, 16384, 49468,
16384, 49469, 16384, 49470, 16384, 49471, 16384, 49472, 16384, 49473, 16384, 49474, 16384, 49475, 16384, 49476, 16384, 49477, 16384,
49478, 16384, 49479, 16384, 49480, 16384, 49481, 16384, 49482, 16384, 49483, 16384, 49484, 16384, 49485, 16384, 49486, 16384, 49487,
16384, 49488, 16384, 49489, 16384, 49490, 16384, 49491, 16384, 49498, 52257, 52257, 49492, 16384, 49493, 16384, 49494, 16384, 49495,
16384, 49496, 16384, 49497, 16384, 16384, 52245, 52245, 52247, 52247, 49499, 16384, 52253, 52253, 49500, 16384, 52293, 52293, 52259,
52259, 52261, 52261, 49501, 16384, 52265, 52265, 52269, 52269, 52273, 52273, 49502, 16384, 52295, 52295, 52287, 52287, 52275, 52275,
52279, 52279, 52281, 52281, 52283, 52283, 49503, 16384, 52285, 52285, 49504, 16384, 49505, 16384, 49506, 16384, 49507, 16384, 49508,
16384, 49509, 16384, 49510, 16384, 49511, 16384, 49512, 16384, 49513, 16384, 49514, 16384, 49515, 16384, 49516, 16384, 49517, 16384,
49518, 16384, 49519, 16384, 49520, 16384, 49521, 16384, 49522, 16384, 49523, 16384, 49524, 16384, 49525, 16384, 49526, 16384, 49527,
16384, 49528, 16384, 49529, 16384, 49530, 16384, 0, 49531, 49532, 49533, 49534, 49535, 49536, 49537, 49538, 49539, 49540, 49541, 49542,
49543, 49544, 49545, 49546, 49547, 49548, 49549, 49550, 49551, 49552, 49553, 49554, 49555, 49556, 49557, 49558, 49559, 49560, 49561,
49562, 49563, 49564, 49565, 49566, 49567, 49568, 0, 0, 8192, 0, 0, 0, 0, 0, 0, 8192, 8192, 8192, 8192, 8192, 8192, 8192, 8192, 8192, 8192,
8192, 8192, 8192, 8192, 8192, 8192, 52297, 8192, 0, 0, 0, 0, 0, 0, 0, 41180, 41190, 41190, 41190, 41190, 41180, 41190, 41190, 41190,
41182, 41180, 41190, 41190, 41190, 41190, 41180, 41180, 41180, 41180, 41180, 41180, 41190, 41190, 41180, 41190, 41190, 41182, 41188,
41190, 40970, 40971, 40972, 40973, 40974, 40975, 40976, 40977, 40978, 40979, 40979, 40980, 40981, 40982, 0, 40983, 0, 40984, 40985, 0,
41190, 41180, 0, 40978, 0, 0, 0, 0, 0, 0, 0, 0, 16384, 16384, 16384, 16384, 16384, 16384, 16384, 16384, 16384, 16384, 16384, 0, 0, 0, 0,
16384, 16384, 16384, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 57344, 57344, 57344, 57344, 57344, 57344, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 41190,
41190, 41190, 41190, 41190, 41190, 41190, 41190, 40990, 40991, 40992, 0, 57344, 0, 0, 0, 16384, 16384, 52377, 52379, 52663, 52381, 52689,
16384, 16384, 16384, 16384, 16384, 16384, 16384, 16384, 16384, 8192, 16384, 16384, 16384, 16384, 16384, 16384, 16384, 16384, 16384, 16384,
40987, 40988, 40989, 40990, 40991, 40992, 40993, 40994, 41190, 41190, 41180, 41180, 41190, 41190, 41190, 41190, 41190, 41180, 41190,
41190, 41180, 32768, 32768, 32768, 32768, 32768, 32768, 32768, 32768, 32768, 32768, 0, 0, 0, 0, 16384, 16384, 40995, 16384, 16384, 16384,
16384, 52383, 52665, 52695, 52691, 16384, 16384, 16384, 16384, 16384, 16384, 16384, 52699, 16384, 52693, 16384, 16384, 16384, 16384,
16384, 16384, 16384, 16384, 16384, 16384, 16384, 16384, 16384, 52697, 0, 16384, 41190, 41190, 41190, 41190, 41190, 41190, 41190, 57344, 0,
41190, 41190, 41190, 41180, 41190, 16384, 16384, 41190, 41190, 0, 41180, 41190, 41190, 41180, 16384, 16384, 32768, 32768, 32768, 32768,
32768, 32768, 32768, 32768, 32768, 32768, 16384, 16384, 16384, 0, 0, 16384, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 57344, 8192,
40996, 8192, 8192, 8192, 8192, 8192, 8192, 8192, 8192, 8192, 8192, 8192, 8192, 8192, 8192, 41190, 41180, 41190, 41190, 41180, 41190,
41190, 41180, 41180, 41180, 41190, 41180, 41180, 41190, 41180, 41190, 41190, 41180, 41190, 41180, 41190, 41180, 41190, 41180, 41190,
41190, 0, 0, 8192, 8192, 8192, 8192, 8192, 8192, 40960, 40960, 40960, 40960, 40960, 40960, 40960, 40960, 40960, 40960, 8192, 0, 0, 0, 0,
0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 32768, 32768, 32768, 32768, 32768, 32768, 32768, 32768, 32768, 32768, 8192, 8192, 8192, 8192, 8192, 8192,
8192, 8192, 8192, 8192, 8192, 41190, 41190, 41190, 41190, 41190, 41180, 41190, 8192, 8192, 0, 0, 0, 0, 8192, 0, 0, 41180, 0, 0, 8192,
8192, 8192, 8192, 8192, 8192, 41190, 41190, 41190, 41190, 8192, 41190, 41190, 41190, 41190, 41190, 8192, 41190, 41190, 41190, 8192, 41190,
41190, 41190, 41190, 41190, 0, 0, 8192, 8192, 8192, 8192, 8192, 8192, 8192, 8192, 8192, 41180, 41180, 41180, 0, 0, 0, 0, 8192, 8192, 8192,
8192, 8192, 8192, 8192, 8192, 8192, 8192, 8192, 0, 0, 0, 0, 0, 16384, 16384, 16384, 16384, 16384, 16384, 16384, 16384, 0, 16384, 16384,
16384, 16384, 16384, 16384, 0, 57344, 57344, 0, 0, 0, 0, 0, 0, 41190, 41180, 41180, 41180, 41190, 41190, 41190, 41190, 16384, 16384,
16384, 16384, 16384, 16384, 16384, 16384, 16384, 16384, 41190, 41190, 41190, 41190, 41190, 41180, 41180, 41180, 41180, 41190, 41190,
41190, 41190, 41190, 41190, 41190, 41190, 41190, 41190, 41190, 41190, 57344, 41180, 41190, 41190, 41180, 41190, 41190, 41180, 41190,
41190, 41190, 41180, 41180, 41180, 40987, 40988, 40989, 41190, 41190, 41190, 41180, 41190, 41190, 41180, 41180, 41190, 41190, 41190,
41190, 41190, 40960, 40960, 40960, 40960, 8192, 8192, 8192, 8192, 8192, 8192, 8192, 8192, 8192, 8192, 8192, 8192, 52713, 8192, 8192, 8192,
8192, 8192, 8192, 52719, 8192, 8192, 52721, 8192, 8192, 8192, 8192, 8192, 40960, 40960, 40967, 8192, 40960, 40960, 40960, 40960, 40960,
40960, 40960, 40960, 40960, 40960, 40960, 40960, 40960, 40969, 40960, 40960, 8192, 41190, 41180, 41190, 41190, 40960, 40960, 40960, 52701,
52703, 52705, 52707, 52709, 52711, 52715, 52717, 8192, 8192, 40960, 40960, 0, 0, 32768, 32768, 32768, 32768, 32768, 32768, 32768, 32768,
32768, 32768, 8192, 40960, 40960, 40960, 0, 8192, 8192, 8192, 8192, 8192, 8192, 8192, 8192, 0, 0, 8192, 8192, 8192, 8192, 8192, 8192,
8192, 8192, 8192, 8192, 8192, 8192, 8192, 0, 8192, 8192, 8192, 8192, 8192, 8192, 0, 8192, 0, 0, 0, 8192, 8192, 8192, 8192, 0, 0, 40967,
8192, 40960, 40960, 40960, 40960, 40960, 0, 0, 40960, 40960, 0, 0, 52729, 52731, 40969, 8192, 0, 0, 0, 0, 0, 0, 0, 40960, 0, 0, 0, 0,
52723, 52725, 0, 52727, 8192, 8192, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 8192, 0, 41190, 0, 40960, 40960, 40960, 0, 8192, 8192, 8192, 8192, 8192,
8192, 0, 0, 0, 0, 8192, 0, 8192, 52741, 0, 8192, 52743, 0, 8192, 8192, 0, 0, 40967, 0, 40960, 40960, 40960, 0, 0, 0, 0, 40960, 40960, 0,
0, 40960, 40960, 40969, 0, 0, 40960, 0, 0, 0, 0, 0, 0, 0, 52733, 52735, 52737, 8192, 0, 52739, 0, 40960, 40960, 8192, 8192, 8192, 40960,
0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 40960, 40960, 40960, 0, 8192, 8192, 8192, 8192, 8192, 8192, 8192, 8192, 8192, 0, 8192, 8192, 8192, 8192,
8192, 8192, 8192, 8192, 8192, 8192, 8192, 8192, 8192, 0, 8192, 8192, 0, 8192, 8192, 8192, 8192, 8192, 0, 0, 40967, 8192, 40960, 40960,
40960, 40960, 40960, 40960, 0, 40960, 40960, 40960, 0, 40960, 40960, 40969, 0, 0, 8192, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 8192,
40960, 40960, 40960, 40960, 40960, 40960, 0, 40960, 40960, 40960, 0, 8192, 8192, 8192, 8192, 8192, 8192, 8192, 8192, 0, 0, 8192, 40960,
40960, 40960, 40960, 40960, 0, 0, 40960, 52751, 0, 0, 52749, 52753, 40969, 0, 0, 0, 0, 0, 40960, 40960, 40960, 0, 0, 0, 0, 52745, 52747,
0, 8192, 0, 0, 40960, 8192, 0, 8192, 8192, 8192, 8192, 8192, 8192, 0, 0, 0, 8192, 8192, 0, 8192, 8192, 52755, 8192, 0, 0, 0, 8192, 8192,
0, 8192, 0, 8192, 8192, 0, 0, 0, 8192, 8192, 0, 0, 0, 8192, 8192, 8192, 0, 0, 0, 8192, 8192, 8192, 8192, 8192, 8192, 8192, 8192, 8192,
8192, 0, 0, 0, 0, 40960, 40960, 40960, 0, 0, 0, 40960, 40960, 40960, 0, 52757, 52761, 52759, 40969, 0, 0, 8192, 0, 0, 0, 0, 0, 0, 40960,
0, 0, 0, 0, 0, 0, 0, 0, 40960, 40960, 40960, 40960, 40960, 8192, 8192, 8192, 8192, 8192, 8192, 8192, 8192, 0, 8192, 8192, 8192, 8192,
8192, 8192, 8192, 8192, 8192, 8192, 8192, 8192, 8192, 8192, 0, 0, 40967, 8192, 40960, 40960, 40960, 40960, 40960, 0, 40960, 40960, 52763,
0, 40960, 40960, 40960, 40969, 0, 0, 0, 0, 0, 41044, 41051, 0, 8192, 8192, 8192, 0, 0, 8192, 0, 0, 8192, 40960, 40960, 40960, 0, 8192,
8192, 8192, 8192, 8192, 8192, 8192, 8192, 0, 8192, 8192, 8192, 8192, 8192, 0, 0, 40967, 8192, 40960, 40960, 52765, 40960, 40960, 40960,
40960, 0, 40960, 52769, 52771, 0, 52767, 55235, 40960, 40969, 0, 0, 0, 0, 0, 40960, 40960, 0, 0, 0, 0, 0, 0, 8192, 8192, 0, 8192, 8192,
40960, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 40960, 40960, 40960, 40960, 8192, 8192, 8192, 8192, 8192, 8192, 8192, 8192, 8192, 0, 8192,
8192, 8192, 8192, 8192, 8192, 8192, 8192, 8192, 8192, 8192, 40969, 40969, 8192, 40960, 40960, 40960, 40960, 40960, 0, 40960, 40960, 40960,
0, 52773, 52777, 52775, 40969, 8192, 0, 0, 0, 0, 8192, 8192, 8192, 40960, 0, 0, 0, 0, 0, 0, 0, 8192, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 8192,
8192, 8192, 8192, 8192, 8192, 0, 40960, 40960, 40960, 0, 8192, 8192, 8192, 8192, 8192, 8192, 8192, 8192, 8192, 8192, 8192, 0, 0, 0, 8192,
8192, 8192, 8192, 8192, 8192, 0, 8192, 8192, 8192, 8192, 8192, 8192, 8192, 8192, 8192, 0, 8192, 0, 0, 8192, 8192, 8192, 8192, 8192, 8192,
8192, 0, 0, 0, 40969, 0, 0, 0, 0, 40960, 40960, 40960, 40960, 40960, 0, 40960, 0, 40960, 40960, 52779, 40960, 52781, 55238, 52783, 40960,
0, 0, 40960, 40960, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 24576, 24576, 24576, 24576, 24576, 24576, 24576, 24576, 24576, 24576, 24576,
24576, 24576, 24576, 24576, 24576, 52785, 24576, 24576, 24576, 24576, 24679, 24679, 24585, 0, 0, 0, 0, 0, 24576, 24576, 24576, 24576,
24576, 24576, 24576, 24576, 24683, 24683, 24683, 24683, 24576, 24576, 24576, 0, 24576, 24576, 0, 24576, 0, 24576, 24576, 24576, 24576,
24576, 0, 24576, 24576, 24576, 24576, 0, 24576, 0, 24576, 24576, 24576, 24576, 24576, 24576, 24576, 24576, 24576, 52791, 24576, 24576,
24576, 24576, 24694, 24694, 24585, 24576, 24576, 24576, 0, 0, 24576, 24576, 24576, 24576, 24576, 0, 24576, 0, 24698, 24698, 24698, 24698,
24576, 24576, 24576, 0, 32768, 32768, 32768, 32768, 32768, 32768, 32768, 32768, 32768, 32768, 0, 0, 52787, 52789, 24576, 24576, 8192, 0,
0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 49651, 0, 0, 0, 0, 0, 0, 0, 0, 41180, 41180, 0, 0, 0, 0, 0, 0, 41180, 0, 41180, 0, 41176, 0, 0, 0, 0, 40960,
40960, 8192, 8192, 8192, 52795, 8192, 8192, 8192, 8192, 0, 8192, 8192, 8192, 8192, 52797, 8192, 8192, 52799, 8192, 8192, 8192, 8192,
52801, 8192, 8192, 8192, 8192, 52803, 8192, 8192, 8192, 8192, 8192, 8192, 8192, 8192, 8192, 52793, 8192, 8192, 8192, 0, 0, 0, 41089,
41090, 52805, 41092, 52807, 52823, 55241, 52825, 55244, 41090, 41090, 41090, 41090, 40960, 40960, 41090, 52809, 41190, 41190, 40969, 0,
41190, 41190, 8192, 8192, 8192, 8192, 8192, 40960, 40960, 40960, 52813, 40960, 40960, 40960, 40960, 0, 40960, 40960, 40960, 40960, 52815,
40960, 40960, 52817, 40960, 40960, 40960, 40960, 52819, 40960, 40960, 40960, 40960, 52821, 40960, 40960, 40960, 40960, 40960, 40960,
40960, 40960, 40960, 52811, 40960, 40960, 40960, 0, 0, 0, 0, 0, 0, 41180, 0, 0, 0, 0, 0, 0, 0, 0, 0, 24576, 24576, 24576, 24576, 24576,
24576, 52827, 24576, 24576, 24576, 24576, 24576, 24576, 24576, 24576, 24576, 24583, 24576, 24585, 24585, 24576, 24576, 24576, 24576,
24576, 24576, 24576, 24576, 24576, 24576, 24576, 24576, 24576, 24796, 24576, 24576, 32768, 32768, 32768, 32768, 32768, 32768, 32768,
32768, 32768, 32768, 24576, 24576, 24576, 24576, 0, 0, 50021, 50022, 50023, 50024, 50025, 50026, 50027, 50028, 50029, 50030, 50031, 50032,
50033, 50034, 50035, 50036, 50037, 50038, 50039, 50040, 50041, 50042, 50043, 50044, 50045, 50046, 50047, 50048, 50049, 50050, 50051,
50052, 50053, 50054, 50055, 50056, 50057, 50058, 0, 50059, 0, 0, 0, 0, 0, 50060, 0, 0, 8192, 8192, 8192, 8192, 8192, 8192, 8192, 8192,
8192, 8192, 8192, 0, 49664, 8192, 8192, 8192, 8192, 8192, 8192, 8192, 8192, 8192, 8192, 8192, 8192, 8192, 8192, 8192, 57344, 8192, 8192,
8192, 8192, 8192, 8192, 8192, 8192, 8192, 8192, 8192, 8192, 8192, 8192, 8192, 0, 8192, 8192, 8192, 8192, 0, 0, 8192, 8192, 8192, 8192,
8192, 8192, 8192, 0, 8192, 0, 8192, 8192, 8192, 8192, 0, 0, 8192, 8192, 8192, 8192, 8192, 8192, 8192, 8192, 8192, 8192, 8192, 0, 0, 41190,
41190, 41190, 8192, 8192, 8192, 8192, 8192, 8192, 0, 0, 49871, 49872, 49873, 49874, 49875, 49876, 0, 0, 8192, 8192, 8192, 8192, 8192,
8192, 8192, 8192, 8192, 8192, 8192, 8192, 8192, 0, 0, 8192, 8192, 8192, 8192, 8192, 8192, 8192, 8192, 0, 0, 0, 0, 0, 0, 0, 8192, 8192,
40960, 40960, 40969, 40969, 0, 0, 0, 0, 0, 0, 0, 0, 0, 8192, 8192, 40960, 40960, 40969, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 8192, 8192,
40960, 40960, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 8192, 0, 40960, 40960, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 24576, 24576, 24576, 24576,
57344, 57344, 24576, 24576, 24576, 24576, 24576, 24576, 24576, 24576, 24576, 24576, 24585, 24576, 0, 0, 0, 24576, 0, 0, 0, 0, 24576,
24806, 0, 0, 8192, 8192, 8192, 8192, 8192, 8192, 8192, 8192, 8192, 0, 0, 0, 0, 0, 0, 0, 8192, 8192, 8192, 8192, 8192, 40960, 40960, 8192,
8192, 8192, 8192, 8192, 8192, 8192, 8192, 8192, 41188, 8192, 0, 0, 0, 0, 0, 8192, 8192, 8192, 8192, 8192, 8192, 0, 0, 0, 0, 0, 0, 0, 0, 0,
0, 40960, 40960, 40960, 40960, 40960, 40960, 40960, 40960, 40960, 40960, 40960, 40960, 0, 0, 0, 0, 40960, 40960, 40960, 40960, 40960,
40960, 40960, 40960, 40960, 41182, 41190, 41180, 0, 0, 0, 0, 8192, 8192, 8192, 8192, 8192, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 8192, 8192,
8192, 8192, 8192, 8192, 8192, 8192, 8192, 8192, 8192, 8192, 0, 0, 0, 0, 8192, 8192, 8192, 8192, 8192, 8192, 8192, 41190, 41180, 40960,
40960, 40960, 0, 0, 0, 0, 8192, 8192, 8192, 8192, 8192, 40960, 40960, 40960, 40960, 40960, 40960, 40960, 40960, 40960, 40960, 0, 40969,
40960, 40960, 40960, 40960, 40960, 40960, 40960, 40960, 40960, 40960, 40960, 40960, 40960, 40960, 40960, 41190, 41190, 41190, 41190,
41190, 41190, 41190, 41190, 0, 0, 41180, 41190, 41190, 41190, 41190, 41190, 41180, 41180, 41180, 41180, 41180, 41180, 41190, 41190, 41180,
0, 41180, 41190, 41190, 41180, 41180, 41190, 41190, 41190, 41190, 41190, 41180, 41190, 41190, 41190, 41190, 0, 40960, 40960, 40960, 40960,
40960, 8192, 52859, 8192, 52861, 8192, 52863, 8192, 52865, 8192, 52867, 8192, 8192, 52869, 8192, 8192, 8192, 8192, 8192, 8192, 8192, 8192,
8192, 8192, 8192, 8192, 8192, 40967, 40960, 40960, 40960, 40960, 40960, 40960, 52871, 40960, 52873, 40960, 40960, 52875, 52877, 40960,
52879, 40969, 8192, 8192, 8192, 8192, 8192, 8192, 8192, 8192, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 41190, 41180, 41190, 41190, 41190, 41190,
0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 40960, 40960, 40960, 8192, 8192, 8192, 8192, 8192, 8192, 8192, 8192, 8192, 8192, 8192, 8192, 8192,
40960, 40960, 40960, 40960, 40960, 40960, 40960, 40960, 40960, 40969, 40969, 40960, 40960, 8192, 8192, 8192, 8192, 8192, 8192, 40967,
40960, 40960, 40960, 40960, 40960, 40960, 40960, 40960, 40960, 40969, 40969, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 8192, 8192, 8192, 8192,
40960, 40960, 40960, 40960, 40960, 40960, 40960, 40960, 40960, 40960, 40960, 40960, 40967, 0, 0, 0, 0, 0, 0, 0, 0, 32768, 32768, 32768,
32768, 32768, 32768, 32768, 32768, 32768, 32768, 0, 0, 0, 8192, 8192, 8192, 49411, 49413, 49422, 49425, 49426, 49426, 49434, 49450, 51202,
0, 0, 0, 0, 0, 0, 0, 49652, 49653, 49654, 49655, 49656, 49657, 49658, 49659, 49660, 49661, 49662, 49663, 49664, 49665, 49666, 49667,
49668, 49669, 49670, 49671, 49672, 49673, 49674, 49675, 49676, 49677, 49678, 49679, 49680, 49681, 49682, 49683, 49684, 49685, 49686,
49687, 49688, 49689, 49690, 49691, 49692, 49693, 49694, 0, 0, 49695, 49696, 49697, 41190, 41190, 41190, 0, 40961, 41180, 41180, 41180,
41180, 41180, 41190, 41190, 41180, 41180, 41180, 41180, 41190, 40960, 40961, 40961, 40961, 40961, 40961, 40961, 40961, 8192, 8192, 8192,
8192, 41180, 8192, 8192, 8192, 8192, 41190, 8192, 8192, 40960, 41190, 41190, 8192, 0, 0, 0, 0, 0, 16384, 16384, 16384, 16384, 16384,
16384, 16384, 16384, 16384, 16384, 16384, 16384, 49191, 49228, 49192, 16384, 49194, 49195, 49262, 49197, 49198, 49199, 49200, 49201,
49202, 49203, 49204, 16384, 49205, 49265, 49206, 49208, 49210, 49211, 49213, 49191, 49277, 49278, 49877, 49192, 49194, 49195, 49286,
49287, 49288, 49197, 16384, 49201, 49203, 49236, 49205, 49281, 49878, 49879, 49206, 49210, 49211, 49881, 49306, 49212, 49882, 49370,
49371, 49372, 49389, 49390, 49199, 49208, 49211, 49212, 49370, 49371, 49385, 49389, 49390, 16384, 16384, 16384, 16384, 16384, 16384,
16384, 16384, 49421, 16384, 16384, 16384, 16384, 16384, 16384, 16384, 16384, 16384, 16384, 16384, 49279, 49193, 49282, 49229, 49288,
49196, 49290, 49292, 49296, 49299, 49300, 49301, 49884, 49343, 49304, 49886, 49345, 49308, 49307, 49309, 49310, 49311, 49312, 49315,
49323, 49324, 49252, 49328, 49329, 49880, 49330, 49331, 49216, 49335, 49336, 49337, 49376, 41190, 41190, 41180, 41190, 41190, 41190,
41190, 41190, 41190, 41190, 41180, 41190, 41190, 41194, 41174, 41180, 41162, 41190, 41190, 41190, 41190, 41190, 41190, 41190, 41190,
41190, 41190, 41190, 41190, 41190, 41190, 41190, 41192, 41188, 41188, 41180, 41178, 41190, 41193, 41180, 41190, 41180, 51595, 51595,
51601, 51601, 51603, 51603, 51605, 51605, 54458, 54458, 51635, 51635, 51639, 51639, 51645, 51645, 51641, 51641, 51643, 51643, 54485,
54485, 54488, 54488, 51679, 51679, 51681, 51681, 54494, 54494, 51691, 51691, 51701, 51701, 51723, 51723, 51729, 51729, 51725, 51725,
51731, 51731, 51733, 51733, 51777, 51777, 54521, 54521, 51801, 51801, 51805, 51805, 51809, 51809, 51827, 51827, 54542, 54542, 51833,
51833, 51831, 51831, 51861, 51861, 51863, 51863, 51865, 51865, 51891, 51891, 51895, 51895, 51901, 51901, 51899, 51899, 54578, 54578,
54584, 54584, 54587, 54587, 54590, 54590, 51953, 51953, 51955, 51955, 51961, 51961, 51969, 51969, 54632, 54632, 51973, 51973, 51991,
51991, 51995, 51995, 54635, 54635, 54638, 54638, 54641, 54641, 52003, 52003, 52009, 52009, 52017, 52017, 52015, 52015, 52049, 52049,
52055, 52055, 52053, 52053, 54650, 54650, 54653, 54653, 52059, 52059, 52061, 52061, 52069, 52069, 52071, 52071, 52077, 52077, 52075,
52075, 52081, 52081, 52085, 52085, 52087, 52087, 52099, 52099, 52111, 52111, 52117, 52117, 52119, 52119, 51735, 52005, 52079, 52105,
51565, 51991, 16384, 16384, 49227, 16384, 51593, 51593, 51583, 51583, 54398, 54398, 54395, 54395, 54404, 54404, 54401, 54401, 54428,
54428, 54410, 54410, 54407, 54407, 54416, 54416, 54413, 54413, 54431, 54431, 51673, 51673, 51665, 51665, 51655, 51655, 54476, 54476,
54473, 54473, 54482, 54482, 54479, 54479, 54491, 54491, 51765, 51765, 51773, 51773, 51933, 51933, 51921, 51921, 54569, 54569, 54566,
54566, 54575, 54575, 54572, 54572, 54614, 54614, 54602, 54602, 54599, 54599, 54608, 54608, 54605, 54605, 54611, 54611, 52047, 52047,
52033, 52033, 54671, 54671, 54668, 54668, 54677, 54677, 54674, 54674, 54680, 54680, 52089, 52089, 52107, 52107, 52103, 52103, 52095,
52095, 49889, 16384, 49890, 16384, 49891, 16384, 52145, 52147, 54698, 54710, 54701, 54713, 54704, 54716, 52145, 52147, 54698, 54710,
54701, 54713, 54704, 54716, 52157, 52159, 54725, 54731, 54728, 54734, 0, 0, 52157, 52159, 54725, 54731, 54728, 54734, 0, 0, 52165, 52167,
54743, 54755, 54746, 54758, 54749, 54761, 52165, 52167, 54743, 54755, 54746, 54758, 54749, 54761, 52183, 52185, 54779, 54788, 54782,
54791, 54785, 54794, 52183, 52185, 54779, 54788, 54782, 54791, 54785, 54794, 52209, 52211, 54797, 54803, 54800, 54806, 0, 0, 52209, 52211,
54797, 54803, 54800, 54806, 0, 0, 52227, 52229, 54818, 54827, 54821, 54830, 54824, 54833, 0, 52229, 0, 54827, 0, 54830, 0, 54833, 52237,
52239, 54842, 54854, 54845, 54857, 54848, 54860, 52237, 52239, 54842, 54854, 54845, 54857, 54848, 54860, 52137, 52139, 52153, 52155,
52161, 52163, 52173, 52175, 52205, 52207, 52217, 52219, 52233, 52235, 0, 0, 54707, 54719, 55505, 55517, 55509, 55521, 55513, 55525, 54707,
54719, 55505, 55517, 55509, 55521, 55513, 55525, 54752, 54764, 55529, 55541, 55533, 55545, 55537, 55549, 54752, 54764, 55529, 55541,
55533, 55545, 55537, 55549, 54851, 54863, 55553, 55565, 55557, 55569, 55561, 55573, 54851, 54863, 55553, 55565, 55557, 55569, 55561,
55573, 52143, 52141, 54692, 52151, 54695, 0, 52149, 54722, 52143, 52141, 52137, 52139, 52151, 51331, 49377, 51331, 51341, 53879, 54737,
52171, 54740, 0, 52169, 54767, 52153, 52155, 52161, 52163, 52171, 53882, 53885, 53888, 52179, 52177, 54770, 54773, 0, 0, 52187, 54776,
52179, 52177, 52173, 52175, 0, 53891, 53894, 53897, 52223, 52221, 54809, 54812, 52213, 52215, 52231, 54815, 52223, 52221, 52217, 52219,
52215, 53873, 53876, 49190, 0, 0, 54836, 52243, 54839, 0, 52241, 54866, 52205, 52207, 52233, 52235, 52243, 51313, 51333, 0, 49152, 49152,
49152, 49152, 49152, 49152, 49152, 49152, 49152, 49152, 49152, 0, 57344, 57344, 57344, 57344, 0, 49892, 0, 0, 0, 0, 0, 51339, 0, 0, 0, 0,
0, 0, 0, 0, 49166, 51369, 54173, 0, 0, 0, 57344, 57344, 57344, 57344, 57344, 49152, 0, 0, 0, 52881, 55247, 0, 52883, 55250, 0, 0, 0, 0,
51365, 0, 51319, 32768, 0, 0, 0, 0, 0, 0, 51561, 51559, 51367, 0, 0, 0, 0, 0, 0, 32768, 0, 0, 55613, 0, 0, 0, 0, 0, 0, 0, 49152, 57344,
57344, 57344, 57344, 57344, 57344, 57344, 57344, 57344, 57344, 57344, 57344, 57344, 57344, 57344, 57344, 49168, 49199, 0, 0, 49172, 49173,
49174, 49175, 49176, 49177, 49163, 49905, 49181, 49160, 49161, 49204, 49168, 49169, 49170, 49171, 49172, 49173, 49174, 49175, 49176,
49177, 49163, 49905, 49181, 49160, 49161, 0, 49191, 49195, 49205, 49214, 49286, 49198, 49201, 49202, 49203, 49204, 49206, 49209, 49210, 0,
0, 0, 0, 0, 0, 0, 0, 51957, 0, 0, 0, 0, 0, 0, 0, 41190, 41190, 40961, 40961, 41190, 41190, 41190, 41190, 40961, 40961, 40961, 41190,
41190, 0, 0, 0, 41190, 0, 0, 0, 40961, 40961, 41190, 41180, 41190, 40961, 40961, 41180, 41180, 41180, 41180, 41190, 0, 0, 0, 0, 0, 0, 0,
0, 0, 0, 0, 0, 0, 0, 0, 54389, 54392, 49193, 52121, 0, 54440, 54443, 49287, 0, 52123, 49197, 49198, 49198, 49198, 49198, 49233, 49199,
49199, 49202, 49202, 0, 49204, 51877, 0, 0, 49206, 49207, 49208, 49208, 49208, 0, 0, 51977, 54644, 52001, 0, 49216, 0, 49392, 0, 49216, 0,
49201, 51585, 49192, 49193, 0, 49195, 49196, 49896, 49203, 49205, 49569, 49570, 49571, 49572, 49199, 0, 54497, 49384, 49371, 49371, 49384,
49904, 0, 0, 0, 0, 49194, 49194, 49195, 49199, 49200, 0, 0, 0, 0, 16384, 0, 54293, 54299, 55477, 54281, 54350, 54287, 54353, 54365, 54371,
54290, 54374, 54296, 54368, 54377, 54380, 51401, 49199, 51737, 54518, 51745, 49212, 52057, 54683, 55501, 51747, 49214, 52083, 54689,
49202, 49193, 49194, 49203, 0, 0, 0, 49897, 16384, 0, 0, 0, 0, 54176, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 52885, 52887, 0, 0, 0, 0, 0, 0, 0, 0,
0, 0, 0, 0, 0, 0, 52889, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 52891, 52895, 52893, 0, 0, 0, 0, 52897, 0, 0, 0, 0, 52899, 0, 0, 52901, 0,
0, 0, 0, 52903, 0, 52905, 0, 0, 0, 0, 0, 52907, 55253, 0, 52909, 55256, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 52911, 0, 0, 52913,
0, 0, 52915, 0, 52917, 0, 0, 0, 0, 0, 0, 51555, 0, 52921, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 52919, 51551, 51557, 52923, 52925, 0, 0, 52927,
52929, 0, 0, 52931, 52933, 0, 0, 0, 0, 0, 0, 52935, 52937, 0, 0, 52943, 52945, 0, 0, 52947, 52949, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
52955, 52957, 52959, 52961, 52939, 52941, 52951, 52953, 0, 0, 0, 0, 0, 0, 52963, 52965, 52967, 52969, 0, 0, 0, 0, 0, 0, 0, 0, 0, 50064,
50065, 0, 0, 0, 0, 0, 49169, 49170, 49171, 49172, 49173, 49174, 49175, 49176, 49177, 51381, 51383, 51385, 51387, 51389, 51391, 51393,
51395, 51397, 51399, 51413, 53918, 53921, 53924, 53927, 53930, 53933, 53936, 53939, 53942, 55373, 55377, 55381, 55385, 55389, 55393,
55397, 55401, 55405, 55409, 55413, 51379, 51411, 51441, 51471, 51501, 51513, 51523, 51533, 51543, 54179, 54191, 54203, 54215, 54224,
54233, 54242, 54251, 54260, 54269, 54302, 53945, 53948, 53951, 53954, 53957, 53960, 53963, 53966, 53969, 53972, 53975, 53978, 53981,
53984, 53987, 53990, 53993, 53996, 53999, 54002, 54005, 54008, 54011, 54014, 54017, 54020, 49191, 49192, 49193, 49194, 49195, 49196,
49197, 49198, 49199, 49200, 49207, 49208, 49209, 49210, 49211, 49212, 49213, 49214, 49215, 49216, 49168, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
0, 55617, 0, 0, 0, 0, 54383, 51553, 54386, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 52971, 0, 0, 0, 49911, 49912, 49913, 49914, 49915, 49916,
49917, 49918, 49919, 49920, 49921, 49922, 49923, 49924, 49925, 49926, 49927, 49928, 49929, 49930, 49931, 49932, 49933, 49934, 49935,
49936, 49937, 49938, 49939, 49940, 49941, 49942, 49943, 49944, 49945, 49946, 49947, 49948, 49949, 49950, 49951, 49952, 49953, 49954,
49955, 49956, 49957, 49958, 49959, 16384, 49302, 49885, 49319, 16384, 16384, 49962, 16384, 49963, 16384, 49964, 16384, 49278, 49308,
49277, 49279, 16384, 49966, 16384, 16384, 49967, 16384, 16384, 16384, 16384, 16384, 16384, 49200, 49212, 49269, 49270, 49968, 8192, 49969,
8192, 49970, 8192, 49971, 8192, 49972, 8192, 49973, 8192, 49974, 8192, 49975, 8192, 49976, 8192, 49977, 8192, 49978, 8192, 49979, 8192,
49980, 8192, 49981, 8192, 49982, 8192, 49983, 8192, 49984, 8192, 49985, 8192, 49986, 8192, 49987, 8192, 49988, 8192, 49989, 8192, 49990,
8192, 49991, 8192, 49992, 8192, 49993, 8192, 49994, 8192, 49995, 8192, 49996, 8192, 49997, 8192, 49998, 8192, 49999, 8192, 50000, 8192,
50001, 8192, 50002, 8192, 50003, 8192, 50004, 8192, 50005, 8192, 50006, 8192, 50007, 8192, 50008, 8192, 50009, 8192, 50010, 8192, 50011,
8192, 50012, 8192, 50013, 8192, 50014, 8192, 50015, 8192, 50016, 8192, 50017, 8192, 8192, 0, 0, 0, 0, 0, 0, 50018, 8192, 50019, 8192,
41190, 41190, 50020, 8192, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 8192, 8192, 8192, 8192, 8192, 8192, 0, 8192, 0, 0, 0, 0, 0, 8192, 0, 0,
8192, 8192, 8192, 8192, 8192, 8192, 8192, 8192, 0, 0, 0, 0, 0, 0, 0, 50061, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 40969, 8192,
8192, 8192, 8192, 8192, 8192, 8192, 0, 8192, 8192, 8192, 8192, 8192, 8192, 8192, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 50656, 0, 0,
0, 51195, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 50207, 50216, 50219, 50223, 50225, 50228, 50230, 50232, 50235, 50256, 50262, 50266, 50270,
50274, 50278, 50286, 50287, 50288, 50301, 50311, 50315, 50317, 50318, 50321, 50328, 50329, 50335, 50336, 50338, 50342, 50381, 50386,
50402, 50407, 50409, 50410, 50414, 50421, 50432, 50435, 50443, 50446, 50447, 50448, 50454, 50455, 50466, 50469, 50471, 50473, 50477,
50479, 50481, 50492, 50493, 50495, 50496, 50498, 50500, 50504, 50511, 50541, 50546, 50547, 50579, 50580, 50585, 50586, 50588, 50590,
50592, 50595, 50605, 50609, 50614, 50642, 50645, 50649, 50652, 50655, 50657, 50658, 50659, 50660, 50661, 50707, 50725, 50728, 50729,
50730, 50731, 50733, 50734, 50739, 50746, 50748, 50764, 50765, 50767, 50768, 50770, 50771, 50780, 50781, 50788, 50789, 50790, 50791,
50796, 50805, 50806, 50807, 50816, 50832, 50833, 50841, 50845, 50847, 50855, 50864, 50881, 50883, 50888, 50891, 50893, 50895, 50896,
50897, 50903, 50904, 50911, 50913, 50915, 50916, 50919, 50921, 50922, 50923, 50925, 50926, 50966, 50971, 50984, 50985, 50987, 50998,
51000, 51002, 51004, 51019, 51020, 51022, 51023, 51024, 51035, 51036, 51038, 51043, 51044, 51051, 51053, 51054, 51063, 51071, 51076,
51077, 51079, 51090, 51091, 51095, 51104, 51107, 51111, 51117, 51119, 51120, 51121, 51122, 51125, 51126, 51128, 51135, 51136, 51137,
51143, 51144, 51146, 51151, 51152, 51153, 51155, 51156, 51157, 51158, 51159, 51163, 51169, 51170, 51173, 51174, 51175, 51176, 51178,
51179, 51180, 51183, 51185, 51187, 51188, 51190, 51191, 51192, 51194, 51196, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 49152, 0, 0, 0, 0, 24576, 8192,
0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 41178, 41188, 41192, 41182, 41184, 41184, 0, 8192, 8192, 8192, 8192, 8192, 50074, 0, 50321, 50322, 50323,
24576, 8192, 0, 0, 0, 24576, 24576, 24576, 24576, 24576, 24576, 24576, 24576, 24576, 24576, 24576, 52975, 24576, 52977, 24576, 52979,
24576, 52981, 24576, 52983, 24576, 52985, 24576, 52987, 24576, 52989, 24576, 52991, 24576, 52993, 24576, 52995, 24576, 52997, 24576,
24576, 52999, 24576, 53001, 24576, 53003, 24576, 24576, 24576, 24576, 24576, 24576, 53005, 53007, 24576, 53009, 53011, 24576, 53013,
53015, 24576, 53017, 53019, 24576, 53023, 53025, 24576, 24576, 24576, 24576, 52973, 24576, 24576, 0, 0, 40968, 40968, 51361, 51363, 24576,
53029, 53027, 0, 24576, 24576, 24576, 24576, 24576, 24576, 24576, 24576, 24576, 24576, 24576, 53033, 24576, 53035, 24576, 53039, 24576,
53041, 24576, 53043, 24576, 53049, 24576, 53051, 24576, 53053, 24576, 53055, 24576, 53057, 24576, 53059, 24576, 53061, 24576, 24576,
53063, 24576, 53065, 24576, 53067, 24576, 24576, 24576, 24576, 24576, 24576, 53073, 53075, 24576, 53077, 53079, 24576, 53081, 53083,
24576, 53085, 53087, 24576, 53089, 53091, 24576, 24576, 24576, 24576, 53031, 24576, 24576, 53101, 53103, 53105, 53107, 0, 24576, 24576,
53109, 53047, 0, 49698, 49699, 49771, 49700, 49772, 49773, 49701, 49702, 49703, 49774, 49775, 49776, 49777, 49778, 49779, 49719, 49704,
49705, 49706, 49724, 49707, 49708, 49709, 49710, 49711, 49712, 49713, 49714, 49715, 49716, 49742, 49743, 49744, 49745, 49746, 49747,
49748, 49749, 49750, 49751, 49752, 49753, 49754, 49755, 49756, 49757, 49758, 49759, 49760, 49761, 49762, 57344, 49717, 49718, 49780,
49781, 49782, 49783, 49784, 49785, 49786, 49720, 49787, 49788, 49721, 49722, 49723, 49725, 49726, 49727, 49728, 49729, 49730, 49731,
49732, 49733, 49734, 49735, 49736, 49737, 49738, 49789, 49790, 49739, 49740, 49741, 49763, 49764, 49765, 49766, 49767, 49768, 49769,
49770, 0, 0, 50207, 50230, 50210, 50382, 50211, 50217, 50212, 50772, 50225, 50214, 50208, 50415, 50387, 50235, 54023, 54026, 54029, 54032,
54035, 54038, 54041, 54044, 54047, 54050, 54053, 54056, 54059, 54062, 55417, 55421, 55425, 55429, 55433, 55437, 55441, 55445, 55449,
55457, 55461, 55465, 55469, 55473, 55453, 56019, 55881, 0, 54065, 54077, 54071, 54113, 54080, 54095, 54068, 54092, 54074, 54101, 54125,
54140, 54137, 54131, 54170, 54116, 54122, 54134, 54128, 54149, 54107, 54143, 54164, 54152, 54098, 54083, 54110, 54119, 54146, 54086,
54167, 54104, 54155, 54089, 54158, 54161, 50363, 50480, 50585, 50849, 0, 0, 0, 0, 0, 0, 0, 0, 54626, 51415, 51417, 51419, 51421, 51423,
51425, 51427, 51429, 51431, 51443, 51445, 51447, 51449, 51451, 51453, 49698, 49700, 49701, 49703, 49704, 49705, 49707, 49709, 49710,
49712, 49713, 49714, 49715, 49716, 52829, 52831, 52833, 52835, 52837, 52839, 52841, 52843, 52847, 52849, 52851, 52853, 52855, 52857,
55806, 55609, 52845, 0, 50207, 50230, 50210, 50382, 50231, 50267, 50209, 50266, 50226, 50321, 50609, 50707, 50661, 50614, 51079, 50386,
50595, 50626, 50610, 50818, 50350, 50736, 51025, 50823, 50304, 50835, 50774, 50421, 51059, 50255, 50330, 50669, 51129, 50240, 50276,
50646, 50211, 50217, 50212, 50470, 50347, 50319, 50437, 50434, 50794, 50239, 51030, 50326, 50412, 51455, 51457, 51459, 51461, 51473,
51475, 51477, 51479, 51481, 51483, 51485, 51487, 51489, 51491, 51503, 51405, 51435, 51465, 51495, 51507, 51517, 51527, 51537, 51547,
54185, 54197, 54209, 51713, 54470, 51647, 54539, 50082, 50084, 50086, 50088, 50090, 50091, 50092, 50093, 50094, 50095, 50096, 50097,
50098, 50099, 50100, 50101, 50102, 50104, 50105, 50106, 50107, 50108, 50109, 50110, 50111, 50112, 50113, 50114, 50115, 50116, 50117,
50118, 50119, 50120, 50121, 50123, 50125, 50127, 50128, 50129, 50130, 50131, 50132, 50133, 50134, 50135, 50136, 53111, 55811, 55621,
55816, 55289, 55821, 55292, 55295, 55893, 55625, 55298, 55301, 55304, 55637, 55641, 55629, 55633, 55645, 55649, 55653, 55899, 53037,
55905, 55911, 55826, 55657, 55917, 55923, 55661, 55307, 55310, 55665, 55669, 55831, 55836, 55313, 55316, 55673, 55319, 55322, 53069,
53071, 55325, 55328, 55929, 55677, 55841, 55935, 55681, 55334, 55331, 55947, 55685, 55941, 55337, 55851, 55340, 55693, 55343, 55697,
55846, 55689, 55856, 55701, 53093, 55861, 55346, 55349, 55705, 55352, 55355, 55358, 55866, 55709, 53095, 55953, 55361, 55871, 55713,
55717, 55364, 55367, 55721, 53097, 55725, 55876, 53099, 55959, 55370, 51375, 51407, 51437, 51467, 51497, 51509, 51519, 51529, 51539,
51549, 54188, 54200, 54212, 54221, 54230, 54239, 54248, 54257, 54266, 54275, 54308, 54314, 54320, 54326, 54332, 54515, 51623, 51563,
54437, 51903, 51939, 51631, 54461, 54464, 51743, 53115, 53119, 53113, 53117, 55729, 51937, 51869, 52189, 51839, 51783, 51785, 51841,
51693, 54446, 55489, 51941, 51871, 52191, 52193, 51847, 51787, 51719, 54524, 54545, 54509, 54647, 52195, 51849, 51629, 51791, 51689,
51875, 52197, 51851, 51611, 51793, 54551, 54449, 51835, 54527, 54554, 54452, 51837, 54530, 54563, 55493, 51937, 54533, 54560, 54512,
54629, 55801, 55887, 51947, 51879, 52199, 51855, 51949, 51881, 52201, 51857, 51797, 51857, 51951, 51883, 52203, 51859, 51799, 51859,
51811, 51867, 55481, 51599, 51607, 51609, 55485, 54455, 51625, 51695, 51711, 51715, 51741, 51789, 51793, 51795, 51815, 51817, 54536,
51819, 51841, 54548, 54557, 51943, 55497, 54620, 51945, 51979, 51985, 52063, 54686, 54434, 51403, 51433, 51463, 51493, 51505, 51515,
51525, 51535, 51545, 54182, 54194, 54206, 54218, 54227, 54236, 54245, 54254, 54263, 54272, 54305, 54311, 54317, 54323, 54329, 54335,
54338, 54341, 54344, 54347, 54356, 54359, 54506, 8192, 8192, 8192, 8192, 8192, 8192, 8192, 8192, 8192, 8192, 8192, 8192, 8192, 0, 0, 0,
32768, 32768, 32768, 32768, 32768, 32768, 32768, 32768, 32768, 32768, 8192, 8192, 0, 0, 0, 0, 51197, 16384, 51198, 16384, 51199, 16384,
51200, 16384, 51201, 16384, 51202, 16384, 51203, 16384, 51204, 16384, 51205, 16384, 51206, 16384, 51207, 16384, 51208, 16384, 51209,
16384, 51210, 16384, 51211, 16384, 51212, 16384, 51213, 16384, 51214, 16384, 51215, 16384, 51216, 16384, 51217, 16384, 51218, 16384,
51219, 16384, 16384, 41190, 0, 0, 0, 0, 41190, 41190, 41190, 41190, 41190, 41190, 41190, 41190, 41190, 41190, 0, 16384, 51220, 16384,
51221, 16384, 51222, 16384, 51223, 16384, 51224, 16384, 51225, 16384, 51226, 16384, 51227, 16384, 51228, 16384, 51229, 16384, 51230,
16384, 51231, 16384, 51232, 16384, 51233, 16384, 49434, 49436, 41190, 41190, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 51234, 16384,
51235, 16384, 51236, 16384, 51237, 16384, 51238, 16384, 51239, 16384, 51240, 16384, 16384, 51241, 16384, 51242, 16384, 51243, 16384,
51244, 16384, 51245, 16384, 51246, 16384, 51247, 16384, 51248, 16384, 51249, 16384, 51250, 16384, 51251, 16384, 51252, 16384, 51253,
16384, 51254, 16384, 51255, 16384, 51256, 16384, 51257, 16384, 51258, 16384, 51259, 16384, 51260, 16384, 51261, 16384, 51262, 16384,
51263, 16384, 51264, 16384, 51265, 16384, 51266, 16384, 51267, 16384, 51268, 16384, 51269, 16384, 51270, 16384, 51271, 16384, 16384,
16384, 16384, 16384, 16384, 16384, 16384, 51272, 16384, 51273, 16384, 49883, 51274, 16384, 51275, 16384, 51276, 16384, 51277, 16384,
51278, 16384, 8192, 0, 0, 51279, 16384, 49296, 16384, 16384, 51281, 16384, 51282, 16384, 16384, 16384, 51284, 16384, 51285, 16384, 51286,
16384, 51287, 16384, 51288, 16384, 51289, 16384, 51290, 16384, 51291, 16384, 51292, 16384, 51293, 16384, 49297, 49288, 49292, 49303,
49301, 16384, 49344, 49326, 49343, 51310, 51294, 16384, 51295, 16384, 51296, 16384, 51297, 16384, 51298, 16384, 51299, 16384, 51300,
16384, 51301, 16384, 51283, 49323, 49887, 51302, 16384, 51303, 16384, 0, 0, 0, 0, 0, 51304, 16384, 0, 16384, 0, 16384, 51305, 16384,
51306, 16384, 0, 0, 0, 0, 0, 0, 49193, 49196, 49207, 51307, 16384, 16384, 49233, 49237, 16384, 16384, 16384, 16384, 16384, 16384, 8192,
8192, 40960, 8192, 8192, 8192, 40969, 8192, 8192, 8192, 8192, 40960, 8192, 8192, 8192, 8192, 40960, 40960, 40960, 40960, 40960, 0, 0, 0,
0, 40969, 0, 0, 0, 40960, 40960, 8192, 8192, 8192, 8192, 8192, 8192, 8192, 8192, 8192, 8192, 8192, 8192, 8192, 8192, 40960, 40960, 40960,
40960, 40969, 40960, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 41190, 41190, 8192, 8192, 8192, 8192, 8192, 8192, 0, 0, 0, 8192, 0, 8192, 8192, 40960,
8192, 8192, 8192, 8192, 8192, 8192, 40960, 40960, 40960, 40960, 40960, 41180, 41180, 41180, 0, 0, 40960, 40960, 40960, 40969, 0, 0, 0, 0,
0, 0, 0, 0, 0, 0, 0, 0, 8192, 8192, 8192, 40967, 40960, 40960, 40960, 40960, 40960, 40960, 40960, 40960, 40960, 40960, 40960, 40960,
40969, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 8192, 32768, 32768, 32768, 32768, 32768, 32768, 32768, 32768, 32768, 32768, 24576, 24576,
24576, 24576, 24576, 0, 40960, 40960, 40960, 40960, 40960, 40960, 40960, 0, 0, 0, 0, 0, 0, 0, 0, 0, 8192, 8192, 8192, 40960, 8192, 8192,
8192, 8192, 8192, 8192, 8192, 8192, 40960, 40960, 0, 0, 24576, 24576, 24576, 24576, 24576, 24576, 24576, 0, 0, 0, 24576, 24576, 24576,
24576, 24576, 24576, 41190, 8192, 41190, 41190, 41180, 8192, 8192, 41190, 41190, 8192, 8192, 8192, 8192, 8192, 41190, 41190, 8192, 41190,
8192, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 8192, 8192, 8192, 0, 0, 8192, 8192, 8192, 40960, 40969, 0, 0, 0, 0, 0, 0, 0, 0, 0, 8192,
8192, 8192, 8192, 8192, 8192, 0, 0, 8192, 8192, 8192, 8192, 8192, 8192, 0, 16384, 16384, 16384, 16384, 16384, 16384, 16384, 16384, 16384,
16384, 16384, 0, 51236, 51308, 49302, 51309, 16384, 16384, 16384, 16384, 16384, 16384, 16384, 16384, 16384, 49332, 0, 0, 0, 0, 0, 0,
49791, 49792, 49793, 49794, 49795, 49796, 49797, 49798, 49799, 49800, 49801, 49802, 49803, 49804, 49805, 49806, 49807, 49808, 49809,
49810, 49811, 49812, 49813, 49814, 49815, 49816, 49817, 49818, 49819, 49820, 49821, 49822, 49823, 49824, 49825, 49826, 49827, 49828,
49829, 49830, 49831, 49832, 49833, 49834, 49835, 49836, 49837, 49838, 49839, 49840, 49841, 49842, 49843, 49844, 49845, 49846, 49847,
49848, 49849, 49850, 49851, 49852, 49853, 49854, 49855, 49856, 49857, 49858, 49859, 49860, 49861, 49862, 49863, 49864, 49865, 49866,
49867, 49868, 49869, 49870, 8192, 8192, 8192, 40960, 40960, 40960, 40960, 40960, 40960, 40960, 40960, 0, 40960, 40969, 0, 0, 51021, 50606,
51044, 51031, 50693, 50218, 50343, 51194, 51194, 50418, 51079, 50368, 50417, 50539, 50787, 50887, 50965, 50980, 50993, 51062, 50636,
50671, 50714, 50752, 50951, 51073, 51148, 50227, 50332, 50641, 50723, 50964, 51168, 50460, 50701, 50960, 50997, 50552, 50910, 50983,
50487, 50611, 50677, 50742, 51065, 50243, 50281, 50308, 50578, 50639, 50722, 50795, 50893, 50962, 50968, 51041, 51115, 51160, 51167,
50810, 50826, 50872, 50944, 51086, 51170, 51010, 50401, 50494, 50854, 50902, 50735, 50812, 51029, 51113, 50400, 50451, 50637, 50682,
50695, 50868, 50878, 51097, 50307, 50905, 50284, 50283, 50837, 50873, 50950, 51099, 51017, 50553, 50636, 51013, 50221, 50440, 50516,
50747, 50779, 50316, 50814, 50247, 50509, 50213, 50666, 50584, 50867, 50337, 50396, 50798, 50952, 51006, 50653, 51053, 50664, 50557,
50934, 50565, 50778, 50234, 50265, 50282, 50628, 50862, 50924, 51009, 51078, 50310, 50355, 50421, 50491, 50591, 50702, 50815, 51093,
51150, 51171, 51177, 50301, 50604, 50648, 51050, 50478, 50533, 50540, 50576, 50698, 50717, 50761, 50834, 50875, 50900, 51046, 50954,
51056, 51087, 50291, 50302, 50360, 50713, 50988, 51006, 50486, 50514, 50563, 50651, 50853, 50744, 50238, 50383, 50440, 50465, 50517,
50751, 50758, 50890, 50898, 51080, 51112, 51116, 51131, 50244, 50831, 51075, 51106, 50523, 50229, 50253, 50441, 50449, 50587, 50636,
50720, 50786, 50957, 51061, 51192, 50600, 51096, 50300, 50619, 50622, 50675, 50689, 50754, 50777, 50809, 50866, 51134, 50267, 50544,
51100, 50249, 50458, 50683, 51047, 50505, 50525, 50624, 50747, 51102, 50293, 50351, 50453, 50596, 50615, 50631, 50668, 50753, 50782,
50885, 50989, 50992, 51077, 51109, 50320, 50690, 50352, 50721, 50762, 50961, 51103, 51162, 51172, 50621, 50681, 50912, 50845, 50848,
50857, 50741, 50711, 51016, 50236, 50938, 50294, 50290, 50482, 50554, 50860, 50436, 50672, 50603, 51049, 50985, 51098, 51000, 50489,
50257, 50374, 24576, 24576, 50395, 24576, 50599, 24576, 24576, 50285, 50743, 50792, 50817, 50824, 50825, 50830, 51118, 50858, 50891,
24576, 50963, 24576, 51012, 24576, 24576, 51057, 51068, 24576, 24576, 24576, 51139, 51140, 51141, 51166, 51066, 51105, 50245, 50254,
50259, 50306, 50309, 50325, 50370, 50377, 50379, 50394, 50397, 50452, 50454, 50520, 50530, 50532, 50538, 50581, 50593, 50601, 50629,
50678, 50685, 50697, 50718, 50726, 50755, 50811, 50818, 50820, 50819, 50821, 50822, 50823, 50828, 50829, 50838, 50843, 50850, 50875,
50877, 50879, 50884, 50894, 50914, 50927, 50927, 50953, 50995, 51001, 51014, 51015, 51032, 51033, 51055, 51057, 51110, 51127, 51133,
50518, 53739, 50920, 0, 0, 50215, 50280, 50264, 50242, 50258, 50269, 50305, 50312, 50370, 50365, 50369, 50376, 50395, 50399, 50416, 50419,
50426, 50430, 50488, 50490, 50502, 50510, 50522, 50528, 50524, 50532, 50529, 50538, 50545, 50567, 50570, 50572, 50582, 50599, 50611,
50612, 50617, 50649, 50653, 50675, 50694, 50692, 50697, 50704, 50718, 50804, 50727, 50740, 50743, 50759, 50766, 50775, 50784, 50785,
50792, 50793, 50797, 50802, 50801, 50813, 50844, 50850, 50856, 50870, 50875, 50882, 50894, 50939, 50949, 50978, 50996, 50999, 51001,
51007, 51012, 51008, 51014, 51013, 51011, 51015, 51018, 51033, 51048, 51060, 51074, 51082, 51101, 51110, 51118, 51123, 51127, 51130,
51133, 51154, 51194, 53697, 53695, 53715, 50161, 50171, 50172, 53767, 53785, 53833, 51189, 51193, 0, 0, 0, 0, 0, 0, 51683, 51685, 51687,
54500, 54503, 51983, 51983, 0, 0, 0, 0, 0, 0, 0, 0, 0, 52305, 52299, 52301, 52307, 52303, 0, 0, 0, 0, 0, 52335, 40986, 52373, 49577,
49569, 49572, 49573, 49574, 49575, 49576, 49578, 49579, 49163, 52367, 52369, 54869, 54872, 52309, 52311, 52313, 52317, 52321, 52323,
52325, 52329, 52331, 0, 52333, 52337, 52339, 52341, 52345, 0, 52347, 0, 52349, 52351, 0, 52353, 52355, 0, 52359, 52361, 52363, 52365,
52371, 52327, 52319, 52343, 52357, 52315, 49613, 49613, 49616, 49616, 49616, 49616, 49617, 49617, 49617, 49617, 49619, 49619, 49619,
49619, 49615, 49615, 49618, 49618, 49618, 49618, 49614, 49614, 49614, 49614, 49631, 49631, 49631, 49631, 49632, 49632, 49621, 49621,
49621, 49621, 49620, 49620, 49620, 49620, 49622, 49622, 49622, 49622, 49623, 49623, 49626, 49626, 49625, 49625, 49627, 49627, 49624,
49624, 49629, 49629, 49628, 49628, 49633, 49633, 49635, 49635, 49635, 49635, 49637, 49637, 49637, 49637, 49636, 49636, 49636, 49636,
49638, 49638, 49639, 49639, 49639, 49639, 52699, 52699, 49641, 49641, 49641, 49641, 49640, 49640, 49640, 49640, 49650, 49650, 52697,
52697, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 49634, 49634, 49634, 49634, 49644, 49644, 49643, 49643, 49645, 49645, 52695, 49647,
49647, 49642, 49642, 49646, 49646, 49649, 49649, 49649, 49649, 49609, 49609, 55184, 55184, 55232, 55232, 55211, 55211, 55223, 55223,
55220, 55220, 55226, 55226, 55229, 55229, 55229, 55214, 55214, 55214, 49648, 49648, 49648, 49648, 55187, 55190, 55202, 55214, 55217,
52385, 52387, 52389, 52395, 52401, 52403, 52405, 52407, 52409, 52415, 52421, 52423, 52425, 52431, 52437, 52439, 52441, 52443, 52449,
52451, 52457, 52459, 52461, 52471, 52473, 52475, 52479, 52503, 52509, 52515, 52517, 52519, 52523, 52529, 52531, 52537, 52539, 52541,
52547, 52549, 52567, 52569, 52571, 52573, 52575, 52577, 52579, 52581, 52583, 52585, 52587, 52589, 52591, 52593, 52595, 52597, 52599,
52601, 52605, 52607, 52609, 52611, 52615, 52617, 52621, 52623, 52625, 52627, 52629, 52631, 52633, 52635, 52637, 52643, 52649, 52651,
52653, 52655, 52657, 52659, 52669, 52671, 52673, 52679, 52685, 52687, 52467, 52469, 52667, 53900, 53903, 53906, 53909, 53912, 53915,
55196, 55199, 55202, 55205, 55214, 55217, 52391, 52393, 52395, 52397, 52401, 52403, 52411, 52413, 52415, 52417, 52421, 52423, 52427,
52429, 52431, 52433, 52437, 52439, 52575, 52577, 52583, 52585, 52587, 52595, 52597, 52599, 52601, 52611, 52615, 52617, 52619, 52627,
52639, 52641, 52643, 52645, 52649, 52651, 52667, 52675, 52677, 52679, 52681, 52685, 52687, 55187, 55190, 55193, 55202, 55208, 52385,
52387, 52389, 52395, 52399, 52405, 52407, 52409, 52415, 52419, 52431, 52441, 52443, 52449, 52451, 52457, 52461, 52471, 52473, 52475,
52479, 52503, 52505, 52509, 52515, 52517, 52519, 52523, 52529, 52537, 52539, 52541, 52547, 52549, 52567, 52569, 52571, 52573, 52579,
52581, 52589, 52591, 52593, 52595, 52597, 52605, 52607, 52609, 52611, 52613, 52621, 52623, 52625, 52627, 52633, 52635, 52637, 52643,
52647, 52653, 52655, 52661, 52669, 52671, 52673, 52679, 52683, 55202, 55208, 52395, 52399, 52415, 52419, 52431, 52435, 52479, 52481,
52495, 52497, 52595, 52597, 52611, 52643, 52647, 52679, 52683, 55037, 55040, 55043, 52533, 52535, 52543, 52545, 52551, 52553, 52483,
52485, 52499, 52501, 52453, 52455, 52445, 52447, 52463, 52465, 52511, 52513, 52525, 52527, 52487, 52489, 52491, 52495, 52493, 52477,
52507, 52521, 52533, 52535, 52543, 52545, 52551, 52553, 52483, 52485, 52499, 52501, 52453, 52455, 52445, 52447, 52463, 52465, 52511,
52513, 52525, 52527, 52487, 52489, 52491, 52495, 52493, 52477, 52507, 52521, 52487, 52489, 52491, 52495, 52481, 52497, 52531, 52471,
52473, 52475, 52487, 52489, 52491, 52531, 52537, 52375, 52375, 0, 0, 54881, 54890, 54890, 54893, 54896, 54905, 54908, 54911, 54926, 54926,
54941, 54938, 54950, 54944, 54947, 54962, 54959, 54965, 54965, 54983, 54983, 54995, 54971, 54971, 54968, 54977, 54977, 54980, 54980,
54998, 55004, 55007, 55007, 55010, 55013, 55016, 55019, 55019, 55022, 55028, 55034, 55031, 55046, 55046, 55055, 55058, 55088, 55094,
55091, 55079, 55079, 55097, 55097, 55100, 55100, 55118, 55121, 55124, 55106, 55112, 55127, 55130, 0, 0, 55109, 55166, 55169, 55151, 55154,
55142, 55142, 55145, 55163, 55160, 55178, 55178, 54878, 54887, 54884, 54902, 54899, 54917, 54914, 54932, 54920, 54929, 54953, 54986,
54974, 55001, 55085, 55103, 55175, 55172, 55181, 55136, 55061, 55157, 55055, 55088, 55025, 55067, 55139, 55133, 55082, 55064, 55082,
55139, 54923, 54935, 55115, 55049, 54875, 55064, 55016, 54995, 54956, 55148, 0, 0, 0, 0, 0, 0, 0, 0, 54992, 55052, 55581, 55577, 55601,
55593, 55585, 55597, 55605, 54989, 56034, 56026, 55589, 0, 0, 0, 49164, 50062, 50063, 49178, 49179, 49153, 49183, 50077, 50078, 54173, 0,
0, 0, 0, 0, 0, 41190, 41190, 41190, 41190, 41190, 41190, 41190, 41180, 41180, 41180, 41180, 41180, 41180, 41180, 41190, 41190, 51369,
49894, 49893, 49189, 49189, 49160, 49161, 49217, 49219, 50075, 50076, 50072, 50073, 50066, 50067, 50064, 50065, 50068, 50069, 50070,
50071, 0, 0, 49185, 49187, 51319, 51319, 51319, 51319, 49189, 49189, 49189, 49164, 50062, 49166, 0, 49179, 49178, 49183, 49153, 49894,
49160, 49161, 49217, 49219, 50075, 50076, 49155, 49158, 49162, 49163, 49165, 49180, 49182, 49181, 0, 49186, 49156, 49157, 49184, 0, 0, 0,
0, 51345, 52555, 51347, 16384, 51349, 0, 51351, 52557, 51353, 52559, 51355, 52561, 51357, 52563, 51359, 52565, 49580, 52377, 52377, 52379,
52379, 52663, 52663, 52381, 52381, 52689, 52689, 52689, 52689, 49581, 49581, 49582, 49582, 49582, 49583, 49583, 49584, 49584, 49584,
49584, 49585, 49585, 49585, 49585, 49586, 49586, 49586, 49587, 49587, 49587, 49587, 49588, 49588, 49588, 49588, 49589, 49589, 49590,
49590, 49591, 49591, 49592, 49593, 49593, 49593, 49593, 49594, 49594, 49594, 49594, 49595, 49595, 49595, 49595, 49596, 49596, 49596,
49597, 49597, 49597, 49597, 49598, 49598, 49598, 49598, 49599, 49599, 49599, 49599, 49600, 49600, 49600, 49601, 49601, 49601, 49601,
49602, 49602, 49602, 49602, 49603, 49603, 49603, 49603, 49604, 49604, 49604, 49605, 49605, 49605, 49605, 49606, 49606, 49606, 49606,
49607, 49607, 49607, 49607, 49608, 49608, 49609, 49610, 49610, 49610, 49610, 55070, 55070, 55073, 55073, 55076, 55076, 52603, 52603, 0, 0,
57344, 0, 49153, 49154, 49155, 49156, 49157, 49158, 49159, 49160, 49161, 49162, 49163, 49164, 49165, 49166, 49167, 49168, 49169, 49170,
49171, 49172, 49173, 49174, 49175, 49176, 49177, 49178, 49179, 49180, 49181, 49182, 49183, 49184, 49191, 49192, 49193, 49194, 49195,
49196, 49197, 49198, 49199, 49200, 49201, 49202, 49203, 49204, 49205, 49206, 49207, 49208, 49209, 49210, 49211, 49212, 49213, 49214,
49215, 49216, 49185, 49186, 49187, 49188, 49189, 49190, 49191, 49192, 49193, 49194, 49195, 49196, 49197, 49198, 49199, 49200, 49201,
49202, 49203, 49204, 49205, 49206, 49207, 49208, 49209, 49210, 49211, 49212, 49213, 49214, 49215, 49216, 49217, 49218, 49219, 49220,
49909, 49910, 50063, 50068, 50069, 50062, 50138, 50136, 50081, 50083, 50085, 50087, 50089, 50122, 50124, 50126, 50103, 50139, 50082,
50084, 50086, 50088, 50090, 50091, 50092, 50093, 50094, 50095, 50096, 50097, 50098, 50099, 50100, 50118, 50119, 50120, 50121, 50123,
50125, 50127, 50128, 50129, 50130, 50131, 50132, 50133, 50137, 50079, 50080, 57344, 49698, 49699, 49771, 49700, 49772, 49773, 49701,
49702, 49703, 49774, 49775, 49776, 49777, 49778, 49779, 49719, 49704, 49705, 49706, 49724, 49707, 49708, 49709, 49710, 49711, 49712,
49713, 49714, 49715, 49716, 0, 0, 49742, 49743, 49744, 49745, 49746, 49747, 0, 0, 49748, 49749, 49750, 49751, 49752, 49753, 0, 0, 49754,
49755, 49756, 49757, 49758, 49759, 0, 0, 49760, 49761, 49762, 0, 0, 0, 49221, 49222, 49225, 51317, 49224, 49223, 49895, 0, 49906, 49898,
49899, 49900, 49901, 49907, 49908, 0, 57344, 57344, 57344, 57344, 57344, 57344, 57344, 57344, 57344, 57344, 57344, 57344, 0, 0, 0, 0, 0,
0, 0, 0, 0, 0, 0, 0, 0, 41180, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 8192, 0, 8192, 8192, 8192, 8192, 8192, 8192, 8192, 8192, 0, 0,
0, 0, 0, 0, 8192, 8192, 8192, 8192, 8192, 8192, 41190, 41190, 41190, 41190, 41190, 0, 0, 0, 0, 0, 53121, 53123, 53125, 53127, 53129,
53131, 53133, 53135, 53137, 53139, 53141, 53143, 53145, 53147, 53149, 53151, 53153, 53155, 53157, 53159, 53161, 53163, 53165, 53167,
53169, 53171, 53173, 53175, 53177, 53179, 53181, 53183, 53185, 53187, 53189, 53191, 53193, 53195, 53197, 53199, 8192, 8192, 8192, 8192,
8192, 8192, 8192, 8192, 53201, 53203, 53205, 53207, 53209, 53211, 53213, 53215, 53217, 53219, 53221, 53223, 53225, 53227, 53229, 53231,
53233, 53235, 53237, 53239, 53241, 53243, 53245, 53247, 53249, 53251, 53253, 53255, 53257, 53259, 53261, 53263, 53265, 53267, 53269,
53271, 0, 0, 0, 0, 8192, 8192, 8192, 8192, 8192, 8192, 8192, 8192, 53273, 53275, 53277, 53279, 53281, 53283, 53285, 53287, 53289, 53291,
53293, 0, 53295, 53297, 53299, 53301, 53303, 53305, 53307, 53309, 53311, 53313, 53315, 53317, 53319, 53321, 53323, 0, 53325, 53327, 53329,
53331, 53333, 53335, 53337, 0, 53339, 53341, 0, 8192, 8192, 8192, 8192, 8192, 8192, 8192, 8192, 8192, 0, 8192, 8192, 8192, 8192, 8192,
8192, 8192, 0, 8192, 8192, 0, 0, 0, 16384, 49358, 49359, 49228, 49340, 49280, 0, 49348, 51311, 49350, 49349, 49283, 49284, 49888, 49285,
49289, 49354, 49295, 49293, 49291, 49341, 49233, 49342, 49298, 49325, 49355, 49356, 49303, 53573, 51280, 49305, 53575, 49333, 53577,
49230, 49313, 49314, 49207, 49317, 53579, 49319, 49320, 49321, 49353, 49351, 51312, 49352, 49327, 49965, 0, 49334, 49346, 49347, 49339,
49259, 49260, 49261, 53581, 53583, 0, 0, 0, 0, 0, 8192, 8192, 8192, 8192, 8192, 8192, 0, 0, 8192, 0, 8192, 8192, 8192, 8192, 8192, 8192,
0, 8192, 8192, 0, 0, 0, 8192, 0, 0, 8192, 8192, 8192, 0, 8192, 8192, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 8192, 40960, 40960, 40960, 0, 40960,
40960, 0, 0, 0, 0, 0, 40960, 41180, 40960, 41190, 8192, 8192, 8192, 8192, 0, 8192, 8192, 8192, 0, 8192, 8192, 8192, 8192, 8192, 8192,
8192, 0, 0, 41190, 40961, 41180, 0, 0, 0, 0, 40969, 8192, 8192, 8192, 8192, 8192, 41190, 41180, 0, 0, 0, 0, 0, 0, 0, 0, 0, 53343, 53345,
53347, 53349, 53351, 53353, 53355, 53357, 53359, 53361, 53363, 53365, 53367, 53369, 53371, 53373, 53375, 53377, 53379, 53381, 53383,
53385, 53387, 53389, 53391, 53393, 53395, 53397, 53399, 53401, 53403, 53405, 53407, 53409, 53411, 53413, 53415, 53417, 53419, 53421,
53423, 53425, 53427, 53429, 53431, 53433, 53435, 53437, 53439, 53441, 53443, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 8192, 8192, 8192,
8192, 41190, 41190, 41190, 41190, 0, 0, 0, 0, 0, 0, 0, 0, 8192, 8192, 8192, 8192, 8192, 8192, 8192, 8192, 8192, 8192, 0, 41190, 41190, 0,
0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 41180, 41180, 41180, 8192, 8192, 8192, 8192, 8192, 8192, 41180, 41180, 41190, 41190, 41190, 41180,
41190, 41180, 41180, 41180, 8192, 8192, 41190, 41180, 41190, 41180, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 40969, 8192, 8192, 40960, 40960, 8192,
0, 0, 0, 0, 0, 0, 0, 0, 0, 40969, 8192, 8192, 8192, 8192, 8192, 8192, 8192, 8192, 8192, 8192, 55733, 8192, 55737, 8192, 8192, 8192, 8192,
8192, 8192, 8192, 8192, 8192, 8192, 8192, 55741, 8192, 8192, 8192, 8192, 40960, 40960, 40960, 40960, 40960, 40960, 40960, 40960, 40960,
40969, 40967, 0, 0, 57344, 0, 0, 40960, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 57344, 0, 0, 41190, 41190, 41190, 8192, 8192, 8192, 8192, 8192,
8192, 8192, 8192, 8192, 8192, 8192, 8192, 8192, 40960, 40960, 40960, 40960, 40960, 40960, 40960, 55745, 55749, 40960, 40960, 40960, 40969,
40969, 0, 32768, 32768, 32768, 32768, 32768, 32768, 32768, 32768, 32768, 32768, 0, 0, 0, 0, 8192, 40960, 40960, 8192, 0, 0, 0, 0, 0, 0, 0,
0, 8192, 8192, 8192, 40967, 0, 0, 8192, 0, 0, 0, 0, 0, 0, 0, 0, 0, 8192, 8192, 8192, 40960, 40960, 40960, 40960, 40960, 40960, 40960,
40960, 40960, 40960, 40960, 40960, 40960, 40969, 8192, 8192, 8192, 8192, 0, 0, 0, 0, 40960, 40967, 40960, 40960, 0, 40960, 40960, 32768,
32768, 32768, 32768, 32768, 32768, 32768, 32768, 32768, 32768, 8192, 0, 8192, 0, 0, 0, 40960, 40960, 40960, 40960, 40960, 40969, 40967,
40960, 0, 0, 0, 0, 0, 0, 40960, 8192, 40960, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 8192, 8192, 8192, 8192, 8192, 8192, 8192, 0, 8192,
0, 8192, 8192, 8192, 8192, 0, 8192, 8192, 8192, 8192, 8192, 8192, 8192, 8192, 8192, 8192, 8192, 8192, 8192, 8192, 8192, 40960, 40960,
40960, 40960, 40960, 40960, 40960, 40960, 40960, 40967, 40969, 0, 0, 0, 0, 0, 40960, 40960, 40960, 40960, 0, 8192, 8192, 8192, 8192, 8192,
8192, 8192, 8192, 0, 0, 8192, 0, 8192, 8192, 0, 8192, 8192, 8192, 8192, 8192, 0, 40967, 40967, 8192, 40960, 40960, 40960, 40960, 40960, 0,
0, 40960, 40960, 0, 0, 55753, 55757, 40969, 0, 0, 8192, 0, 0, 0, 0, 0, 0, 40960, 0, 0, 0, 0, 0, 8192, 8192, 8192, 40960, 40960, 0, 0,
41190, 41190, 41190, 41190, 41190, 41190, 41190, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 8192, 8192, 8192, 8192, 8192, 40960, 40960, 40960,
40960, 40960, 40960, 40960, 40960, 40960, 40960, 40960, 40969, 40960, 40960, 40960, 40967, 8192, 8192, 8192, 8192, 0, 0, 0, 0, 0, 32768,
32768, 32768, 32768, 32768, 32768, 32768, 32768, 32768, 32768, 0, 0, 0, 0, 41190, 8192, 40960, 40960, 40960, 40960, 40960, 40960, 40960,
40960, 40960, 40960, 40960, 55765, 55761, 40960, 55769, 40960, 40960, 40969, 40967, 8192, 8192, 0, 8192, 0, 0, 0, 0, 0, 0, 0, 0, 40960,
40960, 40960, 40960, 40960, 40960, 0, 0, 40960, 40960, 55773, 55777, 40960, 40960, 40960, 40969, 40967, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
0, 0, 0, 0, 8192, 8192, 8192, 8192, 40960, 40960, 0, 0, 40960, 40960, 40960, 40960, 40960, 40960, 40960, 40960, 40960, 40960, 40960,
40960, 40960, 40960, 40960, 40969, 40960, 0, 0, 0, 8192, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 40960, 40960, 40960, 40960, 40960, 40960, 40969,
40967, 8192, 0, 0, 0, 0, 0, 0, 0, 8192, 8192, 8192, 8192, 8192, 8192, 8192, 8192, 8192, 8192, 8192, 0, 0, 40960, 40960, 40960, 40960,
40960, 40960, 40960, 40960, 40960, 40969, 40967, 0, 0, 0, 0, 0, 53445, 53447, 53449, 53451, 53453, 53455, 53457, 53459, 53461, 53463,
53465, 53467, 53469, 53471, 53473, 53475, 53477, 53479, 53481, 53483, 53485, 53487, 53489, 53491, 53493, 53495, 53497, 53499, 53501,
53503, 53505, 53507, 8192, 8192, 8192, 8192, 8192, 8192, 8192, 0, 0, 8192, 0, 0, 8192, 8192, 8192, 8192, 0, 8192, 8192, 0, 8192, 8192,
8192, 8192, 8192, 8192, 8192, 8192, 40960, 40960, 40960, 40960, 40960, 40960, 0, 40960, 55781, 0, 0, 40960, 40960, 40969, 40969, 8192,
40960, 8192, 40960, 40967, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 8192, 40960, 40960, 40960, 40960, 40960, 40960, 40960, 0, 0, 40960, 40960,
40960, 40960, 40960, 40960, 40969, 8192, 0, 8192, 40960, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 8192, 40960, 40960, 40960, 40960, 40960, 40960,
40960, 40960, 40960, 40960, 8192, 8192, 8192, 8192, 8192, 40960, 40969, 40960, 40960, 40960, 40960, 40960, 8192, 40960, 40960, 40960,
40960, 0, 0, 0, 0, 0, 0, 0, 40969, 0, 0, 0, 0, 0, 0, 0, 0, 8192, 40960, 40960, 40960, 40960, 40960, 40960, 40960, 40960, 40960, 40960,
40960, 8192, 8192, 8192, 8192, 40960, 40960, 40960, 40960, 40960, 40960, 40960, 40960, 40960, 40969, 0, 0, 0, 8192, 0, 0, 40960, 40960,
40960, 40960, 40960, 40960, 40960, 0, 40960, 40960, 40960, 40960, 40960, 40960, 40960, 40969, 40960, 40960, 40960, 40960, 40960, 40960,
40960, 40960, 0, 40960, 40960, 40960, 40960, 40960, 40960, 40960, 8192, 40960, 40960, 40960, 40960, 40960, 40960, 0, 0, 0, 40960, 0,
40960, 40960, 0, 40960, 40960, 40967, 40960, 40969, 40969, 8192, 40960, 0, 0, 0, 0, 0, 0, 0, 0, 8192, 8192, 8192, 8192, 8192, 8192, 0,
8192, 8192, 0, 8192, 8192, 8192, 8192, 8192, 8192, 8192, 8192, 8192, 8192, 40960, 40960, 40960, 40960, 40960, 0, 40960, 40960, 40960,
40960, 40969, 8192, 0, 0, 0, 0, 0, 0, 0, 8192, 8192, 8192, 40960, 40960, 40960, 40960, 0, 0, 0, 0, 0, 0, 0, 0, 0, 40960, 40960, 8192,
40960, 8192, 8192, 8192, 8192, 8192, 8192, 8192, 8192, 8192, 8192, 8192, 8192, 40960, 40960, 40960, 40960, 40960, 40960, 40960, 0, 0, 0,
40960, 40960, 40969, 40969, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 40960, 8192, 8192, 8192, 8192, 8192, 8192, 40960, 40960, 40960, 40960,
40960, 40960, 40960, 40960, 40960, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 40961, 40961, 40961, 40961, 40961, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 8192,
8192, 8192, 8192, 8192, 8192, 8192, 8192, 0, 0, 0, 0, 0, 8192, 8192, 8192, 53509, 53511, 53513, 53515, 53517, 53519, 53521, 53523, 53525,
53527, 53529, 53531, 53533, 53535, 53537, 53539, 53541, 53543, 53545, 53547, 53549, 53551, 53553, 53555, 53557, 53559, 53561, 53563,
53565, 53567, 53569, 53571, 8192, 8192, 8192, 8192, 8192, 8192, 8192, 8192, 8192, 8192, 8192, 0, 0, 0, 0, 40960, 8192, 40960, 40960,
40960, 40960, 40960, 40960, 40960, 40960, 40960, 40960, 40960, 40960, 40960, 40960, 40960, 40960, 0, 0, 0, 0, 0, 0, 0, 40960, 8192, 8192,
0, 24576, 40960, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 24582, 24582, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 24576, 24576, 24576, 24576, 0,
24576, 24576, 24576, 24576, 24576, 24576, 24576, 0, 24576, 24576, 0, 24576, 24576, 24576, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 24576, 0,
0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 24576, 24576, 24576, 0, 0, 24576, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 24576, 24576, 24576, 24576, 0, 0, 0,
0, 0, 0, 0, 0, 8192, 8192, 8192, 8192, 8192, 8192, 8192, 8192, 8192, 8192, 0, 0, 0, 40960, 40961, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
0, 55785, 55789, 55965, 55971, 55977, 55983, 55989, 41176, 41176, 40961, 40961, 40961, 0, 0, 0, 41186, 41176, 41176, 41176, 57344, 57344,
57344, 57344, 57344, 57344, 57344, 57344, 41180, 41180, 41180, 41180, 41180, 0, 0, 41190, 41190, 41190, 41190, 41190, 41180, 41180, 0, 0,
0, 0, 0, 0, 0, 0, 0, 0, 41190, 41190, 41190, 41190, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 55793, 55797, 55995, 56007, 56001, 56013, 0, 0, 0, 0,
0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 41190, 41190, 41190, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 49207, 49208, 49209, 49210, 49211, 49212, 49213,
49214, 49215, 49216, 49191, 49192, 49193, 49194, 49195, 49196, 49197, 49198, 49199, 49200, 49201, 49202, 49203, 49204, 49205, 49206,
49207, 49208, 49209, 49210, 49211, 49212, 49213, 49214, 49215, 49216, 49191, 49192, 49193, 49194, 49195, 49196, 49197, 0, 49199, 49200,
49201, 49202, 49203, 49204, 49205, 49206, 49207, 49208, 49209, 49210, 49211, 49212, 49213, 49214, 49215, 49216, 49191, 0, 49193, 49194, 0,
0, 49197, 0, 0, 49200, 49201, 0, 0, 49204, 49205, 49206, 49207, 0, 49209, 49210, 49211, 49212, 49213, 49214, 49215, 49216, 49191, 49192,
49193, 49194, 0, 49196, 0, 49198, 49199, 49200, 49201, 49202, 49203, 49204, 0, 49206, 49207, 49208, 49209, 49210, 49211, 49212, 49213,
49214, 49215, 49216, 49191, 49192, 0, 49194, 49195, 49196, 49197, 0, 0, 49200, 49201, 49202, 49203, 49204, 49205, 49206, 49207, 0, 49209,
49210, 49211, 49212, 49213, 49214, 49215, 0, 49191, 49192, 49199, 49200, 49201, 49202, 49203, 0, 49205, 0, 0, 0, 49209, 49210, 49211,
49212, 49213, 49214, 49215, 0, 49191, 49192, 49193, 49194, 49195, 49196, 49197, 49198, 49199, 49200, 49201, 49202, 49203, 49204, 49213,
49214, 49215, 49216, 49234, 49267, 0, 0, 49369, 49370, 49371, 49372, 49373, 49374, 49375, 49376, 49377, 49378, 49379, 49380, 49381, 49382,
49383, 49384, 49385, 49376, 49386, 49387, 49388, 49389, 49390, 49391, 49392, 49903, 49369, 49370, 49371, 49372, 49373, 49374, 49375,
49376, 49377, 49378, 49379, 49380, 49381, 49382, 49383, 49384, 49385, 49386, 49386, 49387, 49388, 49389, 49390, 49391, 49392, 49902,
49373, 49376, 49378, 49389, 49385, 49384, 49369, 49370, 49371, 49372, 49373, 49374, 49375, 49376, 49377, 49378, 49379, 49380, 49381,
49382, 49390, 49391, 49392, 49902, 49373, 49376, 49378, 49389, 49385, 49384, 49396, 49396, 0, 0, 49168, 49169, 49170, 49171, 49172, 49173,
49174, 49175, 49176, 49177, 49168, 49169, 49170, 49171, 49172, 49173, 49174, 49175, 49176, 49177, 49168, 49169, 49170, 49171, 0, 0, 0, 0,
0, 40960, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 16384, 16384, 16384, 16384, 16384, 16384, 0, 0, 0, 0, 0, 41190, 41190, 41190, 41190, 41190,
41190, 41190, 0, 41190, 41190, 41190, 41190, 41190, 41190, 41190, 41190, 41190, 0, 0, 41190, 41190, 41190, 41190, 41190, 0, 41190, 41190,
0, 41190, 41190, 41190, 41190, 41190, 0, 0, 0, 0, 0, 49409, 49410, 49411, 49412, 49413, 49414, 49415, 49416, 49417, 49418, 49419, 49420,
49422, 49423, 49424, 49425, 49426, 49427, 49428, 49429, 49430, 49431, 49432, 49435, 49437, 49438, 51224, 49500, 49443, 49444, 49502,
49483, 49498, 49409, 49410, 49411, 49412, 49413, 49414, 49415, 49416, 49417, 49418, 49419, 49422, 49423, 49425, 49427, 49428, 49429,
49430, 49431, 49432, 49434, 49435, 49468, 49443, 49442, 49448, 49481, 51205, 49484, 0, 0, 41190, 41190, 41190, 41190, 41190, 41190, 41190,
8192, 8192, 8192, 8192, 8192, 8192, 8192, 0, 0, 32768, 32768, 32768, 32768, 32768, 32768, 32768, 32768, 32768, 32768, 0, 0, 0, 0, 8192, 0,
8192, 8192, 8192, 8192, 8192, 8192, 8192, 8192, 8192, 8192, 8192, 8192, 8192, 8192, 41190, 0, 8192, 8192, 8192, 8192, 8192, 8192, 8192,
8192, 8192, 8192, 8192, 8192, 41190, 41190, 41190, 41190, 8192, 8192, 8192, 8192, 8192, 8192, 8192, 8192, 8192, 8192, 8192, 8192, 41192,
41192, 41180, 41190, 8192, 8192, 8192, 8192, 8192, 8192, 8192, 0, 8192, 8192, 8192, 8192, 0, 8192, 8192, 0, 41180, 41180, 41180, 41180,
41180, 41180, 41180, 0, 0, 0, 0, 0, 0, 0, 0, 0, 53585, 53587, 53589, 53591, 53593, 53595, 53597, 53599, 53601, 53603, 53605, 53607, 53609,
53611, 53613, 53615, 53617, 53619, 53621, 53623, 53625, 53627, 53629, 53631, 53633, 53635, 53637, 53639, 53641, 53643, 53645, 53647,
53649, 53651, 8192, 8192, 8192, 8192, 8192, 8192, 8192, 8192, 8192, 8192, 8192, 8192, 8192, 8192, 41190, 41190, 41190, 41190, 41190,
41190, 40967, 8192, 0, 0, 0, 0, 49581, 49582, 49586, 49589, 0, 49608, 49592, 49587, 49597, 49610, 49603, 49604, 49605, 49606, 49593,
49599, 49601, 49595, 49602, 49591, 49594, 49584, 49585, 49588, 49590, 49596, 49598, 49600, 49611, 49638, 49630, 49612, 0, 49582, 49586, 0,
49607, 0, 0, 49587, 0, 49610, 49603, 49604, 49605, 49606, 49593, 49599, 49601, 49595, 49602, 0, 49594, 49584, 49585, 49588, 0, 49596, 0,
49600, 0, 0, 0, 0, 49586, 0, 0, 0, 0, 49587, 0, 49610, 0, 49604, 0, 49606, 49593, 49599, 0, 49595, 49602, 0, 49594, 0, 0, 49588, 0, 49596,
0, 49600, 0, 49638, 0, 49612, 0, 49582, 49586, 0, 49607, 0, 0, 49587, 49597, 49610, 49603, 0, 49605, 49606, 49593, 49599, 49601, 49595,
49602, 0, 49594, 49584, 49585, 49588, 0, 49596, 49598, 49600, 49611, 0, 49630, 0, 49581, 49582, 49586, 49589, 49607, 49608, 49592, 49587,
49597, 49610, 0, 49604, 49605, 49606, 49593, 49599, 49601, 49595, 49602, 49591, 49594, 49584, 49585, 49588, 49590, 49596, 49598, 49600, 0,
0, 0, 0, 49582, 49586, 49589, 0, 49608, 49592, 49587, 49597, 49610, 0, 49604, 49605, 49606, 49593, 49599, 51373, 51371, 51377, 51409,
51439, 51469, 51499, 51511, 51521, 51531, 51541, 0, 0, 0, 0, 0, 53993, 53996, 53999, 54002, 54005, 54008, 54011, 54014, 54017, 54020,
55259, 49193, 49208, 51609, 52067, 0, 49207, 49208, 49209, 49210, 49211, 49212, 49213, 49214, 49215, 49216, 51717, 51857, 51975, 51981,
54623, 52065, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 51843, 51845, 51853, 0, 0, 0, 51627, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 53021,
53045, 50096, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 50547, 50433, 50340, 53065, 50230, 50411, 51003, 50415, 50233, 50597, 50715, 50587,
50297, 50506, 50271, 50589, 50292, 50869, 50768, 51026, 50404, 50354, 50696, 50550, 50561, 50207, 50210, 51058, 50470, 50217, 50347,
50558, 51036, 50548, 50827, 50842, 50349, 50688, 50610, 50609, 50773, 50298, 50373, 51072, 0, 0, 0, 0, 55280, 55262, 55265, 55271, 55283,
55274, 55286, 55268, 55277, 0, 0, 0, 0, 0, 0, 0, 50507, 50345, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 49168, 49169, 49170, 49171,
49172, 49173, 49174, 49175, 49176, 49177, 0, 0, 0, 0, 0, 0, 24576, 24576, 24576, 24576, 24576, 24576, 24576, 24576, 24576, 24576, 0, 0, 0,
0, 0, 0, 24576, 24576, 24576, 24576, 24576, 24576, 24576, 24576, 24576, 24576, 24576, 24576, 24576, 24576, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
0, 0, 0, 0, 0, 50222, 50220, 50224, 53653, 50241, 50245, 50246, 50248, 50250, 50251, 50254, 50252, 50140, 53661, 50259, 50260, 50261,
50268, 53655, 50141, 50263, 50271, 53659, 50275, 50277, 50237, 50279, 50280, 53849, 50287, 50289, 50143, 50295, 50296, 50298, 50299,
50144, 50305, 50306, 50309, 50312, 50313, 50314, 50316, 50324, 50325, 50327, 50331, 50333, 50334, 50334, 50334, 53667, 50708, 50339,
50341, 53669, 50344, 50346, 50348, 50358, 50353, 50356, 50357, 50359, 50361, 50362, 50364, 50366, 50367, 50367, 50369, 50371, 50372,
50375, 50384, 50377, 50385, 50378, 50380, 50290, 50403, 50389, 50390, 50391, 50388, 50393, 50392, 50398, 53671, 50405, 50406, 50408,
50411, 50413, 50420, 53673, 53675, 50423, 50424, 50425, 50422, 50427, 50145, 50146, 50429, 50431, 50431, 53677, 50438, 50439, 50440,
50442, 53679, 50444, 50445, 50499, 50447, 50147, 50450, 50454, 50457, 50456, 53683, 50459, 53685, 50462, 50461, 50463, 50467, 50468,
50148, 50472, 50474, 50475, 50476, 50149, 53687, 50150, 50483, 50484, 50485, 50487, 53869, 50493, 53691, 53691, 50917, 50497, 50497,
50151, 53705, 53789, 50501, 50503, 50152, 50508, 50512, 50513, 50515, 50519, 50154, 50153, 50520, 53693, 50521, 50526, 50527, 50528,
50527, 50531, 50532, 50536, 50534, 50535, 50537, 50538, 50539, 50542, 50543, 50549, 50551, 50555, 50560, 53699, 50559, 50556, 50562,
50564, 50569, 53701, 50571, 50568, 50566, 50155, 50573, 50575, 50577, 50574, 50156, 50581, 50583, 53703, 50594, 50607, 50598, 50159,
50601, 50158, 50157, 50272, 50273, 50608, 50602, 50906, 50184, 50611, 50612, 50613, 50618, 50616, 53713, 50160, 50623, 50620, 50627,
50629, 53717, 50630, 50625, 50632, 50161, 50633, 50634, 50635, 50638, 53719, 50640, 50162, 50643, 53721, 50644, 50163, 50647, 50650,
50653, 50654, 53723, 53681, 53725, 50662, 53727, 50665, 50667, 50663, 50670, 50674, 50678, 50675, 50676, 50679, 50680, 53729, 50673,
50686, 50687, 50164, 50692, 50691, 53731, 50684, 50699, 53733, 53735, 50700, 50705, 50704, 50703, 50165, 50706, 50710, 50709, 50712,
53657, 50716, 53737, 50719, 53741, 50724, 50727, 50732, 53743, 50737, 50738, 53745, 53747, 50745, 50749, 50166, 50750, 50167, 50167,
50756, 50757, 50759, 50760, 50763, 50168, 50769, 53749, 50776, 53751, 50779, 53689, 50783, 53753, 53755, 53757, 50169, 50170, 50797,
53761, 53759, 53763, 53765, 50799, 50800, 50800, 50802, 50172, 50803, 50173, 50174, 53769, 50808, 50810, 50813, 50175, 53771, 50822,
53773, 53775, 50830, 50836, 50176, 50838, 50839, 50840, 53777, 53779, 53779, 50846, 50177, 53781, 50851, 50852, 50178, 53783, 50859,
50179, 50863, 50861, 50865, 53787, 50871, 50180, 50874, 50876, 50880, 50181, 53791, 53793, 50182, 53795, 50886, 53797, 50889, 50892,
50894, 53799, 53801, 50899, 53803, 50901, 53707, 50183, 50907, 50908, 50185, 50909, 50428, 53805, 53807, 53709, 53711, 50917, 50918,
51052, 50186, 50929, 50928, 50930, 50303, 50931, 50932, 50933, 50935, 53809, 50934, 50936, 50941, 50942, 50937, 50943, 50948, 50953,
50940, 50945, 50946, 50947, 53811, 53815, 53813, 50187, 50955, 50956, 50958, 53823, 50959, 53817, 50188, 50189, 53819, 53821, 50190,
50967, 50968, 50969, 50970, 50973, 50972, 50975, 50974, 50978, 50976, 50977, 50979, 50191, 50981, 50982, 50192, 50986, 50987, 53825,
50990, 50991, 50193, 50994, 50142, 53827, 53829, 50194, 50195, 51005, 51011, 51018, 51022, 53831, 51027, 51028, 51034, 51037, 53835,
53663, 51040, 51039, 51042, 53665, 51045, 51048, 53837, 53839, 51064, 51067, 51069, 53841, 51070, 51081, 51084, 51085, 51083, 51088,
51089, 53843, 51092, 50196, 51094, 53845, 50197, 51108, 50464, 51114, 53847, 53851, 50198, 50199, 51124, 53853, 50200, 53855, 51130,
51130, 51132, 53857, 51138, 50201, 51142, 51145, 51147, 51149, 50202, 53859, 51154, 51161, 51164, 50203, 50204, 51165, 53861, 50205,
53863, 53865, 53867, 51174, 50206, 51179, 51181, 51182, 51184, 51186, 51188, 53871, 0, 0,
};

static const uint16_t unicode_groups[18] = {
0, 1, 2161, 2, 4721, 3, 6221, 4, 6649, 5, 6729, 6, 6867, 7, 6874, 8, 6882, 18,
};

static const uint16_t unicode_folds[6900] = {
32, 33, 34, 35, 36, 37, 38, 39, 40, 41, 42, 43, 44, 45, 46, 47, 48, 49, 50, 51, 52, 53, 54, 55, 56, 57, 58, 59, 60, 61, 62, 63, 64, 91,
92, 93, 94, 95, 96, 97, 98, 99, 100, 101, 102, 103, 104, 105, 106, 107, 108, 109, 110, 111, 112, 113, 114, 115, 116, 117, 118, 119, 120,
121, 122, 123, 124, 125, 126, 162, 163, 165, 166, 172, 183, 223, 230, 240, 248, 254, 273, 295, 305, 322, 331, 339, 359, 384, 387, 389,
392, 396, 402, 405, 409, 410, 414, 419, 421, 424, 427, 429, 436, 438, 441, 445, 447, 448, 449, 450, 477, 485, 541, 547, 549, 567, 572,
575, 576, 578, 583, 585, 587, 589, 591, 592, 593, 594, 595, 596, 597, 598, 599, 600, 601, 603, 604, 606, 607, 608, 609, 610, 611, 612,
613, 614, 615, 616, 617, 618, 619, 620, 621, 622, 623, 624, 625, 626, 627, 628, 629, 630, 631, 632, 633, 634, 635, 637, 638, 640, 641,
642, 643, 644, 647, 648, 649, 650, 651, 652, 653, 654, 655, 656, 657, 658, 661, 664, 665, 667, 668, 669, 670, 671, 673, 674, 675, 676,
677, 678, 679, 680, 681, 682, 683, 697, 720, 721, 768, 769, 787, 881, 883, 887, 891, 892, 893, 945, 946, 947, 948, 949, 950, 951, 952,
953, 954, 955, 956, 957, 958, 959, 960, 961, 963, 964, 965, 966, 967, 968, 969, 983, 985, 987, 989, 991, 993, 995, 997, 999, 1001, 1003,
1005, 1007, 1011, 1016, 1019, 1072, 1073, 1074, 1075, 1076, 1077, 1078, 1079, 1080, 1082, 1083, 1084, 1085, 1086, 1087, 1088, 1089, 1090,
1091, 1092, 1093, 1094, 1095, 1096, 1097, 1098, 1099, 1100, 1101, 1102, 1103, 1106, 1108, 1109, 1110, 1112, 1113, 1114, 1115, 1119, 1121,
1123, 1125, 1127, 1129, 1131, 1133, 1135, 1137, 1139, 1141, 1145, 1147, 1149, 1151, 1153, 1163, 1165, 1167, 1169, 1171, 1173, 1175, 1177,
1179, 1181, 1183, 1185, 1187, 1189, 1191, 1193, 1195, 1197, 1199, 1201, 1203, 1205, 1207, 1209, 1211, 1213, 1215, 1220, 1222, 1224, 1226,
1228, 1230, 1231, 1237, 1241, 1249, 1257, 1271, 1275, 1277, 1279, 1281, 1283, 1285, 1287, 1289, 1291, 1293, 1295, 1297, 1299, 1301, 1303,
1305, 1307, 1309, 1311, 1313, 1315, 1317, 1319, 1321, 1323, 1325, 1327, 1377, 1378, 1379, 1380, 1381, 1382, 1383, 1384, 1385, 1386, 1387,
1388, 1389, 1390, 1391, 1392, 1393, 1394, 1395, 1396, 1397, 1398, 1399, 1400, 1401, 1402, 1403, 1404, 1405, 1406, 1407, 1408, 1409, 1410,
1411, 1412, 1413, 1414, 1488, 1489, 1490, 1491, 1492, 1499, 1500, 1501, 1506, 1512, 1514, 1569, 1575, 1576, 1577, 1578, 1579, 1580, 1581,
1582, 1583, 1584, 1585, 1586, 1587, 1588, 1589, 1590, 1591, 1592, 1593, 1594, 1601, 1602, 1603, 1604, 1605, 1606, 1607, 1608, 1609, 1610,
1646, 1647, 1649, 1657, 1658, 1659, 1662, 1663, 1664, 1667, 1668, 1670, 1671, 1672, 1676, 1677, 1678, 1681, 1688, 1697, 1700, 1702, 1705,
1709, 1711, 1713, 1715, 1722, 1723, 1726, 1729, 1733, 1734, 1735, 1736, 1737, 1739, 1740, 1744, 1746, 3851, 4304, 4305, 4306, 4307, 4308,
4309, 4310, 4311, 4312, 4313, 4314, 4315, 4316, 4317, 4318, 4319, 4320, 4321, 4322, 4323, 4324, 4325, 4326, 4327, 4328, 4329, 4330, 4331,
4332, 4333, 4334, 4335, 4336, 4337, 4338, 4339, 4340, 4341, 4342, 4343, 4344, 4345, 4346, 4349, 4350, 4351, 4352, 4353, 4354, 4355, 4356,
4357, 4358, 4359, 4360, 4361, 4362, 4363, 4364, 4365, 4366, 4367, 4368, 4369, 4370, 4372, 4373, 4378, 4380, 4381, 4382, 4384, 4385, 4386,
4387, 4391, 4393, 4395, 4396, 4397, 4398, 4399, 4402, 4406, 4416, 4423, 4428, 4439, 4440, 4441, 4449, 4450, 4451, 4452, 4453, 4454, 4455,
4456, 4457, 4458, 4459, 4460, 4461, 4462, 4463, 4464, 4465, 4466, 4467, 4468, 4469, 4484, 4485, 4488, 4497, 4498, 4500, 4510, 4513, 4522,
4524, 4525, 4528, 4529, 4530, 4531, 4532, 4533, 4551, 4552, 4556, 4558, 4563, 4567, 4569, 4573, 4575, 4593, 4594, 5024, 5025, 5026, 5027,
5028, 5029, 5030, 5031, 5032, 5033, 5034, 5035, 5036, 5037, 5038, 5039, 5040, 5041, 5042, 5043, 5044, 5045, 5046, 5047, 5048, 5049, 5050,
5051, 5052, 5053, 5054, 5055, 5056, 5057, 5058, 5059, 5060, 5061, 5062, 5063, 5064, 5065, 5066, 5067, 5068, 5069, 5070, 5071, 5072, 5073,
5074, 5075, 5076, 5077, 5078, 5079, 5080, 5081, 5082, 5083, 5084, 5085, 5086, 5087, 5088, 5089, 5090, 5091, 5092, 5093, 5094, 5095, 5096,
5097, 5098, 5099, 5100, 5101, 5102, 5103, 5104, 5105, 5106, 5107, 5108, 5109, 7426, 7446, 7447, 7452, 7453, 7461, 7545, 7547, 7549, 7557,
7566, 7569, 7931, 7933, 7935, 8208, 8211, 8212, 8361, 8526, 8580, 8592, 8593, 8594, 8595, 8706, 8711, 8721, 8722, 9474, 9632, 9675, 10629,
10630, 11312, 11313, 11314, 11315, 11316, 11317, 11318, 11319, 11320, 11321, 11322, 11323, 11324, 11325, 11326, 11327, 11328, 11329,
11330, 11331, 11332, 11333, 11334, 11335, 11336, 11337, 11338, 11339, 11340, 11341, 11342, 11343, 11344, 11345, 11346, 11347, 11348,
11349, 11350, 11351, 11352, 11353, 11354, 11355, 11356, 11357, 11358, 11359, 11361, 11365, 11366, 11368, 11370, 11372, 11377, 11379,
11382, 11393, 11395, 11397, 11399, 11401, 11403, 11405, 11407, 11409, 11411, 11413, 11415, 11417, 11419, 11421, 11423, 11425, 11427,
11429, 11431, 11433, 11435, 11437, 11439, 11441, 11443, 11445, 11447, 11449, 11451, 11453, 11455, 11457, 11459, 11461, 11463, 11465,
11467, 11469, 11471, 11473, 11475, 11477, 11479, 11481, 11483, 11485, 11487, 11489, 11491, 11500, 11502, 11507, 11520, 11521, 11522,
11523, 11524, 11525, 11526, 11527, 11528, 11529, 11530, 11531, 11532, 11533, 11534, 11535, 11536, 11537, 11538, 11539, 11540, 11541,
11542, 11543, 11544, 11545, 11546, 11547, 11548, 11549, 11550, 11551, 11552, 11553, 11554, 11555, 11556, 11557, 11559, 11565, 11617,
12289, 12290, 12296, 12297, 12298, 12299, 12300, 12301, 12302, 12303, 12304, 12305, 12306, 12308, 12309, 12310, 12311, 12441, 12442,
12449, 12450, 12451, 12452, 12453, 12454, 12455, 12456, 12457, 12458, 12459, 12461, 12463, 12465, 12467, 12469, 12471, 12473, 12475,
12477, 12479, 12481, 12483, 12484, 12486, 12488, 12490, 12491, 12492, 12493, 12494, 12495, 12498, 12501, 12504, 12507, 12510, 12511,
12512, 12513, 12514, 12515, 12516, 12517, 12518, 12519, 12520, 12521, 12522, 12523, 12524, 12525, 12527, 12528, 12529, 12530, 12531,
12539, 12540, 13470, 13497, 13499, 13535, 13589, 14062, 14076, 14209, 14383, 14434, 14460, 14535, 14563, 14620, 14650, 14894, 14956,
15076, 15112, 15129, 15177, 15261, 15384, 15438, 15667, 15766, 16044, 16056, 16155, 16380, 16392, 16408, 16441, 16454, 16534, 16611,
16687, 16898, 16935, 17056, 17153, 17204, 17241, 17365, 17369, 17419, 17515, 17707, 17757, 17761, 17771, 17879, 17913, 17973, 18110,
18119, 18837, 18918, 19054, 19062, 19122, 19251, 19406, 19662, 19693, 19704, 19798, 19968, 19969, 19971, 19977, 19978, 19979, 19981,
19993, 20006, 20008, 20013, 20018, 20022, 20024, 20025, 20029, 20031, 20033, 20057, 20061, 20098, 20101, 20102, 20108, 20116, 20128,
20132, 20142, 20154, 20160, 20172, 20196, 20225, 20241, 20320, 20352, 20358, 20363, 20398, 20411, 20415, 20482, 20523, 20602, 20633,
20687, 20698, 20711, 20778, 20799, 20800, 20805, 20813, 20820, 20836, 20837, 20839, 20840, 20841, 20843, 20845, 20855, 20864, 20866,
20877, 20882, 20885, 20886, 20887, 20889, 20900, 20907, 20908, 20917, 20919, 20937, 20940, 20956, 20958, 20960, 20981, 20992, 20995,
20999, 21015, 21021, 21033, 21050, 21051, 21062, 21069, 21106, 21111, 21129, 21147, 21155, 21171, 21172, 21191, 21193, 21202, 21214,
21220, 21237, 21241, 21242, 21253, 21254, 21269, 21271, 21274, 21304, 21307, 21311, 21313, 21316, 21317, 21321, 21329, 21332, 21338,
21340, 21353, 21360, 21363, 21365, 21373, 21375, 21378, 21430, 21443, 21448, 21450, 21452, 21471, 21475, 21477, 21483, 21487, 21489,
21491, 21510, 21512, 21517, 21519, 21533, 21560, 21561, 21570, 21576, 21608, 21662, 21666, 21693, 21750, 21776, 21839, 21843, 21845,
21859, 21892, 21895, 21913, 21917, 21931, 21939, 21942, 21952, 21954, 21986, 22022, 22097, 22120, 22132, 22231, 22235, 22265, 22294,
22295, 22303, 22320, 22411, 22478, 22516, 22541, 22577, 22578, 22592, 22618, 22622, 22696, 22700, 22707, 22744, 22751, 22763, 22766,
22768, 22770, 22775, 22786, 22790, 22794, 22805, 22810, 22812, 22818, 22823, 22825, 22852, 22856, 22865, 22868, 22882, 22899, 23000,
23020, 23067, 23079, 23138, 23142, 23221, 23304, 23336, 23358, 23376, 23383, 23398, 23424, 23429, 23447, 23491, 23512, 23527, 23534,
23539, 23544, 23551, 23558, 23567, 23586, 23608, 23615, 23648, 23650, 23652, 23653, 23662, 23665, 23693, 23744, 23833, 23875, 23888,
23915, 23918, 23932, 23986, 23994, 24027, 24033, 24034, 24037, 24038, 24049, 24061, 24062, 24104, 24125, 24169, 24178, 24180, 24186,
24188, 24191, 24230, 24240, 24243, 24246, 24265, 24266, 24274, 24275, 24281, 24300, 24308, 24318, 24324, 24331, 24339, 24354, 24400,
24403, 24417, 24418, 24425, 24427, 24435, 24459, 24460, 24471, 24474, 24489, 24493, 24515, 24525, 24535, 24565, 24569, 24594, 24604,
24693, 24705, 24724, 24775, 24792, 24801, 24840, 24900, 24904, 24908, 24910, 24928, 24936, 24954, 24974, 24976, 24996, 25007, 25010,
25054, 25074, 25078, 25088, 25096, 25104, 25115, 25134, 25140, 25142, 25163, 25171, 25181, 25237, 25265, 25289, 25295, 25299, 25300,
25340, 25342, 25351, 25405, 25424, 25429, 25448, 25467, 25475, 25504, 25513, 25540, 25541, 25572, 25628, 25634, 25682, 25705, 25719,
25726, 25754, 25757, 25796, 25903, 25908, 25935, 25942, 25964, 25976, 25991, 26007, 26009, 26020, 26032, 26041, 26053, 26080, 26082,
26083, 26085, 26131, 26144, 26185, 26228, 26248, 26257, 26268, 26292, 26310, 26352, 26356, 26360, 26368, 26376, 26377, 26391, 26395,
26401, 26408, 26446, 26451, 26454, 26462, 26491, 26501, 26519, 26611, 26618, 26647, 26655, 26666, 26706, 26753, 26757, 26766, 26792,
26900, 26946, 27043, 27114, 27138, 27155, 27304, 27347, 27355, 27396, 27424, 27425, 27476, 27490, 27491, 27506, 27511, 27513, 27551,
27566, 27571, 27578, 27579, 27595, 27597, 27604, 27611, 27663, 27668, 27700, 27726, 27751, 27784, 27839, 27852, 27853, 27877, 27880,
27926, 27931, 27934, 27956, 27966, 27969, 28009, 28010, 28023, 28024, 28037, 28107, 28122, 28138, 28153, 28186, 28207, 28270, 28288,
28316, 28346, 28359, 28363, 28369, 28379, 28431, 28436, 28450, 28451, 28526, 28614, 28651, 28670, 28699, 28702, 28729, 28746, 28779,
28784, 28791, 28797, 28825, 28845, 28872, 28889, 28961, 28997, 29001, 29038, 29084, 29134, 29136, 29200, 29211, 29224, 29226, 29227,
29237, 29238, 29243, 29247, 29255, 29264, 29273, 29275, 29282, 29305, 29312, 29333, 29356, 29359, 29376, 29436, 29482, 29557, 29562,
29572, 29575, 29577, 29579, 29605, 29618, 29662, 29702, 29705, 29730, 29767, 29788, 29801, 29809, 29829, 29833, 29848, 29898, 29916,
29926, 29958, 29976, 29983, 29988, 29992, 30000, 30002, 30003, 30007, 30011, 30014, 30041, 30053, 30064, 30091, 30098, 30178, 30224,
30237, 30239, 30274, 30313, 30326, 30333, 30382, 30399, 30410, 30427, 30435, 30439, 30446, 30452, 30465, 30494, 30495, 30528, 30538,
30603, 30631, 30683, 30690, 30707, 30798, 30827, 30860, 30865, 30922, 30924, 30971, 31018, 31034, 31036, 31038, 31048, 31049, 31056,
31062, 31069, 31070, 31077, 31103, 31105, 31117, 31118, 31119, 31150, 31160, 31166, 31178, 31192, 31211, 31260, 31296, 31306, 31311,
31348, 31354, 31361, 31409, 31435, 31470, 31481, 31520, 31631, 31680, 31686, 31689, 31806, 31840, 31859, 31867, 31890, 31934, 31954,
31958, 31971, 31975, 31976, 31992, 32000, 32016, 32034, 32047, 32066, 32091, 32099, 32160, 32190, 32199, 32244, 32258, 32265, 32311,
32321, 32325, 32566, 32574, 32593, 32626, 32633, 32634, 32645, 32650, 32661, 32666, 32701, 32762, 32769, 32773, 32780, 32786, 32819,
32838, 32864, 32879, 32880, 32894, 32895, 32905, 32907, 32941, 32946, 33027, 33086, 33240, 33251, 33256, 33258, 33261, 33267, 33276,
33281, 33284, 33292, 33304, 33307, 33311, 33390, 33391, 33394, 33400, 33401, 33419, 33425, 33437, 33457, 33459, 33469, 33509, 33510,
33565, 33571, 33590, 33618, 33619, 33635, 33709, 33725, 33737, 33738, 33740, 33756, 33767, 33775, 33777, 33853, 33865, 33879, 34030,
34033, 34035, 34044, 34070, 34148, 34253, 34298, 34310, 34322, 34349, 34367, 34381, 34384, 34396, 34407, 34409, 34411, 34440, 34473,
34530, 34574, 34600, 34667, 34681, 34694, 34746, 34785, 34817, 34847, 34880, 34892, 34912, 34915, 35010, 35023, 35031, 35038, 35041,
35064, 35066, 35088, 35137, 35172, 35198, 35206, 35211, 35222, 35282, 35299, 35328, 35488, 35498, 35519, 35531, 35538, 35542, 35565,
35576, 35582, 35585, 35641, 35672, 35712, 35722, 35895, 35910, 35912, 35925, 35960, 35997, 36001, 36009, 36011, 36033, 36034, 36039,
36040, 36051, 36104, 36123, 36196, 36208, 36215, 36275, 36284, 36299, 36335, 36336, 36523, 36554, 36564, 36646, 36650, 36664, 36667,
36706, 36763, 36766, 36784, 36789, 36790, 36899, 36920, 36938, 36969, 36978, 36988, 37007, 37009, 37012, 37070, 37086, 37105, 37117,
37137, 37147, 37193, 37197, 37226, 37273, 37300, 37318, 37324, 37327, 37329, 37428, 37432, 37494, 37500, 37591, 37592, 37636, 37706,
37881, 37909, 38263, 38272, 38283, 38317, 38327, 38428, 38446, 38475, 38477, 38517, 38520, 38524, 38534, 38563, 38582, 38583, 38584,
38585, 38595, 38626, 38627, 38632, 38646, 38647, 38691, 38706, 38728, 38737, 38742, 38750, 38754, 38761, 38859, 38875, 38880, 38893,
38899, 38911, 38913, 38917, 38923, 38936, 38953, 38971, 39006, 39080, 39131, 39135, 39138, 39151, 39164, 39208, 39209, 39318, 39321,
39335, 39340, 39362, 39409, 39422, 39530, 39592, 39640, 39647, 39698, 39717, 39727, 39730, 39740, 39770, 39791, 40000, 40023, 40165,
40189, 40295, 40372, 40442, 40478, 40565, 40575, 40599, 40607, 40613, 40635, 40643, 40653, 40654, 40657, 40697, 40701, 40702, 40709,
40718, 40719, 40723, 40726, 40736, 40763, 40771, 40778, 40786, 40845, 40846, 40860, 40863, 40864, 42561, 42563, 42565, 42567, 42569,
42571, 42573, 42575, 42577, 42579, 42581, 42583, 42585, 42587, 42589, 42591, 42593, 42595, 42597, 42599, 42601, 42603, 42605, 42625,
42627, 42629, 42631, 42633, 42635, 42637, 42639, 42641, 42643, 42645, 42647, 42649, 42651, 42787, 42789, 42791, 42793, 42795, 42797,
42799, 42803, 42805, 42807, 42809, 42811, 42813, 42815, 42817, 42819, 42821, 42823, 42825, 42827, 42829, 42831, 42833, 42835, 42837,
42839, 42841, 42843, 42845, 42847, 42849, 42851, 42853, 42855, 42857, 42859, 42861, 42863, 42874, 42876, 42879, 42881, 42883, 42885,
42887, 42892, 42894, 42897, 42899, 42900, 42903, 42905, 42907, 42909, 42911, 42913, 42915, 42917, 42919, 42921, 42933, 42935, 42937,
42939, 42941, 42943, 42945, 42947, 42952, 42954, 42961, 42967, 42969, 42998, 43831, 43858, 43859, 43878, 43879, 32, 769, 32, 771, 32, 772,
32, 773, 32, 774, 32, 775, 32, 776, 32, 778, 32, 779, 32, 787, 32, 788, 32, 807, 32, 808, 32, 819, 32, 834, 32, 837, 32, 1611, 32, 1612,
32, 1613, 32, 1614, 32, 1615, 32, 1616, 32, 1617, 32, 1618, 32, 12441, 32, 12442, 33, 33, 33, 63, 46, 46, 48, 44, 48, 46, 48, 28857, 49,
44, 49, 46, 49, 48, 49, 49, 49, 50, 49, 51, 49, 52, 49, 53, 49, 54, 49, 55, 49, 56, 49, 57, 49, 8260, 49, 26085, 49, 26376, 49, 28857, 50,
44, 50, 46, 50, 48, 50, 49, 50, 50, 50, 51, 50, 52, 50, 53, 50, 54, 50, 55, 50, 56, 50, 57, 50, 26085, 50, 26376, 50, 28857, 51, 44, 51,
46, 51, 48, 51, 49, 51, 50, 51, 51, 51, 52, 51, 53, 51, 54, 51, 55, 51, 56, 51, 57, 51, 26085, 51, 26376, 51, 28857, 52, 44, 52, 46, 52,
48, 52, 49, 52, 50, 52, 51, 52, 52, 52, 53, 52, 54, 52, 55, 52, 56, 52, 57, 52, 26085, 52, 26376, 52, 28857, 53, 44, 53, 46, 53, 48, 53,
26085, 53, 26376, 53, 28857, 54, 44, 54, 46, 54, 26085, 54, 26376, 54, 28857, 55, 44, 55, 46, 55, 26085, 55, 26376, 55, 28857, 56, 44, 56,
46, 56, 26085, 56, 26376, 56, 28857, 57, 44, 57, 46, 57, 26085, 57, 26376, 57, 28857, 60, 824, 61, 61, 61, 824, 62, 824, 63, 33, 63, 63,
97, 117, 97, 702, 97, 768, 97, 769, 97, 770, 97, 771, 97, 772, 97, 774, 97, 775, 97, 776, 97, 777, 97, 778, 97, 780, 97, 783, 97, 785, 97,
803, 97, 805, 97, 808, 98, 113, 98, 775, 98, 803, 98, 817, 99, 99, 99, 100, 99, 109, 99, 769, 99, 770, 99, 775, 99, 780, 99, 807, 100, 97,
100, 98, 100, 106, 100, 108, 100, 109, 100, 122, 100, 775, 100, 780, 100, 803, 100, 807, 100, 813, 100, 817, 101, 118, 101, 768, 101, 769,
101, 770, 101, 771, 101, 772, 101, 774, 101, 775, 101, 776, 101, 777, 101, 780, 101, 783, 101, 785, 101, 803, 101, 807, 101, 808, 101,
813, 101, 816, 102, 102, 102, 105, 102, 108, 102, 109, 102, 775, 103, 98, 103, 121, 103, 769, 103, 770, 103, 772, 103, 774, 103, 775, 103,
780, 103, 807, 104, 97, 104, 103, 104, 112, 104, 118, 104, 122, 104, 770, 104, 775, 104, 776, 104, 780, 104, 803, 104, 807, 104, 814, 104,
817, 105, 105, 105, 106, 105, 110, 105, 117, 105, 118, 105, 120, 105, 768, 105, 769, 105, 770, 105, 771, 105, 772, 105, 774, 105, 775,
105, 776, 105, 777, 105, 780, 105, 783, 105, 785, 105, 803, 105, 808, 105, 816, 106, 770, 106, 780, 107, 97, 107, 98, 107, 103, 107, 107,
107, 108, 107, 109, 107, 116, 107, 118, 107, 119, 107, 769, 107, 780, 107, 803, 107, 807, 107, 817, 107, 969, 108, 106, 108, 109, 108,
110, 108, 120, 108, 183, 108, 769, 108, 780, 108, 803, 108, 807, 108, 813, 108, 817, 109, 50, 109, 51, 109, 97, 109, 98, 109, 99, 109,
100, 109, 103, 109, 108, 109, 109, 109, 114, 109, 115, 109, 118, 109, 119, 109, 769, 109, 775, 109, 803, 109, 969, 110, 97, 110, 102, 110,
106, 110, 109, 110, 111, 110, 115, 110, 118, 110, 119, 110, 768, 110, 769, 110, 771, 110, 775, 110, 780, 110, 803, 110, 807, 110, 813,
110, 817, 111, 118, 111, 768, 111, 769, 111, 770, 111, 771, 111, 772, 111, 774, 111, 775, 111, 776, 111, 777, 111, 779, 111, 780, 111,
783, 111, 785, 111, 795, 111, 803, 111, 808, 112, 97, 112, 99, 112, 102, 112, 104, 112, 114, 112, 115, 112, 118, 112, 119, 112, 769, 112,
775, 114, 115, 114, 769, 114, 775, 114, 780, 114, 783, 114, 785, 114, 803, 114, 807, 114, 817, 115, 100, 115, 109, 115, 114, 115, 115,
115, 116, 115, 118, 115, 769, 115, 770, 115, 775, 115, 780, 115, 803, 115, 806, 115, 807, 116, 109, 116, 775, 116, 776, 116, 780, 116,
803, 116, 806, 116, 807, 116, 813, 116, 817, 117, 768, 117, 769, 117, 770, 117, 771, 117, 772, 117, 774, 117, 776, 117, 777, 117, 778,
117, 779, 117, 780, 117, 783, 117, 785, 117, 795, 117, 803, 117, 804, 117, 808, 117, 813, 117, 816, 118, 105, 118, 771, 118, 803, 119, 98,
119, 99, 119, 122, 119, 768, 119, 769, 119, 770, 119, 775, 119, 776, 119, 778, 119, 803, 120, 105, 120, 775, 120, 776, 121, 768, 121, 769,
121, 770, 121, 771, 121, 772, 121, 775, 121, 776, 121, 777, 121, 778, 121, 803, 122, 769, 122, 770, 122, 775, 122, 780, 122, 803, 122,
817, 176, 99, 176, 102, 230, 769, 230, 772, 248, 769, 658, 780, 700, 110, 776, 769, 945, 768, 945, 769, 945, 772, 945, 774, 945, 787, 945,
788, 945, 834, 945, 837, 949, 768, 949, 769, 949, 787, 949, 788, 951, 768, 951, 769, 951, 787, 951, 788, 951, 834, 951, 837, 953, 768,
953, 769, 953, 772, 953, 774, 953, 776, 953, 787, 953, 788, 953, 834, 956, 97, 956, 102, 956, 103, 956, 108, 956, 109, 956, 115, 956, 118,
956, 119, 959, 768, 959, 769, 959, 787, 959, 788, 961, 787, 961, 788, 965, 768, 965, 769, 965, 772, 965, 774, 965, 776, 965, 787, 965,
788, 965, 834, 969, 768, 969, 769, 969, 787, 969, 788, 969, 834, 969, 837, 1072, 774, 1072, 776, 1075, 769, 1077, 768, 1077, 774, 1077,
776, 1078, 774, 1078, 776, 1079, 776, 1080, 768, 1080, 772, 1080, 774, 1080, 776, 1082, 769, 1086, 776, 1091, 772, 1091, 774, 1091, 776,
1091, 779, 1095, 776, 1099, 776, 1101, 776, 1110, 776, 1141, 783, 1241, 776, 1257, 776, 1381, 1410, 1396, 1381, 1396, 1387, 1396, 1389,
1396, 1398, 1406, 1398, 1488, 1463, 1488, 1464, 1488, 1468, 1488, 1500, 1489, 1468, 1489, 1471, 1490, 1468, 1491, 1468, 1492, 1468, 1493,
1465, 1493, 1468, 1494, 1468, 1496, 1468, 1497, 1460, 1497, 1468, 1498, 1468, 1499, 1468, 1499, 1471, 1500, 1468, 1502, 1468, 1504, 1468,
1505, 1468, 1507, 1468, 1508, 1468, 1508, 1471, 1510, 1468, 1511, 1468, 1512, 1468, 1513, 1468, 1513, 1473, 1513, 1474, 1514, 1468, 1522,
1463, 1575, 1611, 1575, 1619, 1575, 1620, 1575, 1621, 1575, 1652, 1576, 1580, 1576, 1581, 1576, 1582, 1576, 1585, 1576, 1586, 1576, 1605,
1576, 1606, 1576, 1607, 1576, 1609, 1576, 1610, 1578, 1580, 1578, 1581, 1578, 1582, 1578, 1585, 1578, 1586, 1578, 1605, 1578, 1606, 1578,
1607, 1578, 1609, 1578, 1610, 1579, 1580, 1579, 1585, 1579, 1586, 1579, 1605, 1579, 1606, 1579, 1607, 1579, 1609, 1579, 1610, 1580, 1581,
1580, 1605, 1580, 1609, 1580, 1610, 1581, 1580, 1581, 1605, 1581, 1609, 1581, 1610, 1582, 1580, 1582, 1581, 1582, 1605, 1582, 1609, 1582,
1610, 1584, 1648, 1585, 1648, 1587, 1580, 1587, 1581, 1587, 1582, 1587, 1585, 1587, 1605, 1587, 1607, 1587, 1609, 1587, 1610, 1588, 1580,
1588, 1581, 1588, 1582, 1588, 1585, 1588, 1605, 1588, 1607, 1588, 1609, 1588, 1610, 1589, 1581, 1589, 1582, 1589, 1585, 1589, 1605, 1589,
1609, 1589, 1610, 1590, 1580, 1590, 1581, 1590, 1582, 1590, 1585, 1590, 1605, 1590, 1609, 1590, 1610, 1591, 1581, 1591, 1605, 1591, 1609,
1591, 1610, 1592, 1605, 1593, 1580, 1593, 1605, 1593, 1609, 1593, 1610, 1594, 1580, 1594, 1605, 1594, 1609, 1594, 1610, 1600, 1611, 1600,
1614, 1600, 1615, 1600, 1616, 1600, 1617, 1600, 1618, 1601, 1580, 1601, 1581, 1601, 1582, 1601, 1605, 1601, 1609, 1601, 1610, 1602, 1581,
1602, 1605, 1602, 1609, 1602, 1610, 1603, 1575, 1603, 1580, 1603, 1581, 1603, 1582, 1603, 1604, 1603, 1605, 1603, 1609, 1603, 1610, 1604,
1575, 1604, 1580, 1604, 1581, 1604, 1582, 1604, 1605, 1604, 1607, 1604, 1609, 1604, 1610, 1605, 1575, 1605, 1580, 1605, 1581, 1605, 1582,
1605, 1605, 1605, 1609, 1605, 1610, 1606, 1580, 1606, 1581, 1606, 1582, 1606, 1585, 1606, 1586, 1606, 1605, 1606, 1606, 1606, 1607, 1606,
1609, 1606, 1610, 1607, 1580, 1607, 1605, 1607, 1609, 1607, 1610, 1607, 1648, 1608, 1620, 1608, 1652, 1609, 1648, 1610, 1580, 1610, 1581,
1610, 1582, 1610, 1585, 1610, 1586, 1610, 1605, 1610, 1606, 1610, 1607, 1610, 1609, 1610, 1610, 1610, 1620, 1610, 1652, 1729, 1620, 1735,
1652, 1746, 1620, 1749, 1620, 2325, 2364, 2326, 2364, 2327, 2364, 2332, 2364, 2337, 2364, 2338, 2364, 2344, 2364, 2347, 2364, 2351, 2364,
2352, 2364, 2355, 2364, 2465, 2492, 2466, 2492, 2479, 2492, 2503, 2494, 2503, 2519, 2582, 2620, 2583, 2620, 2588, 2620, 2603, 2620, 2610,
2620, 2616, 2620, 2849, 2876, 2850, 2876, 2887, 2878, 2887, 2902, 2887, 2903, 2962, 3031, 3014, 3006, 3014, 3031, 3015, 3006, 3142, 3158,
3263, 3285, 3270, 3266, 3270, 3285, 3270, 3286, 3398, 3390, 3398, 3415, 3399, 3390, 3545, 3530, 3545, 3535, 3545, 3551, 3661, 3634, 3755,
3737, 3755, 3745, 3789, 3762, 3904, 4021, 3906, 4023, 3916, 4023, 3921, 4023, 3926, 4023, 3931, 4023, 3953, 3954, 3953, 3956, 3953, 3968,
3984, 4021, 3986, 4023, 3996, 4023, 4001, 4023, 4006, 4023, 4011, 4023, 4018, 3968, 4019, 3968, 4133, 4142, 4352, 4449, 4354, 4449, 4355,
4449, 4357, 4449, 4358, 4449, 4359, 4449, 4361, 4449, 4363, 4449, 4363, 4462, 4364, 4449, 4366, 4449, 4367, 4449, 4368, 4449, 4369, 4449,
4370, 4449, 6917, 6965, 6919, 6965, 6921, 6965, 6923, 6965, 6925, 6965, 6929, 6965, 6970, 6965, 6972, 6965, 6974, 6965, 6975, 6965, 6978,
6965, 8242, 8242, 8245, 8245, 8592, 824, 8594, 824, 8596, 824, 8656, 824, 8658, 824, 8660, 824, 8707, 824, 8712, 824, 8715, 824, 8739,
824, 8741, 824, 8747, 8747, 8750, 8750, 8764, 824, 8771, 824, 8773, 824, 8776, 824, 8781, 824, 8801, 824, 8804, 824, 8805, 824, 8818, 824,
8819, 824, 8822, 824, 8823, 824, 8826, 824, 8827, 824, 8828, 824, 8829, 824, 8834, 824, 8835, 824, 8838, 824, 8839, 824, 8849, 824, 8850,
824, 8866, 824, 8872, 824, 8873, 824, 8875, 824, 8882, 824, 8883, 824, 8884, 824, 8885, 824, 10973, 824, 12358, 12441, 12363, 12441,
12365, 12441, 12367, 12441, 12369, 12441, 12371, 12441, 12373, 12441, 12375, 12441, 12377, 12441, 12379, 12441, 12381, 12441, 12383,
12441, 12385, 12441, 12388, 12441, 12390, 12441, 12392, 12441, 12399, 12441, 12399, 12442, 12402, 12441, 12402, 12442, 12405, 12441,
12405, 12442, 12408, 12441, 12408, 12442, 12411, 12363, 12411, 12441, 12411, 12442, 12424, 12426, 12445, 12441, 12454, 12441, 12459,
12441, 12461, 12441, 12461, 12525, 12463, 12441, 12465, 12441, 12467, 12441, 12467, 12467, 12467, 12488, 12469, 12441, 12471, 12441,
12473, 12441, 12475, 12441, 12477, 12441, 12479, 12441, 12481, 12441, 12484, 12441, 12486, 12441, 12488, 12441, 12488, 12531, 12490,
12494, 12495, 12441, 12495, 12442, 12498, 12441, 12498, 12442, 12501, 12441, 12501, 12442, 12504, 12441, 12504, 12442, 12507, 12441,
12507, 12442, 12507, 12531, 12511, 12522, 12522, 12521, 12524, 12512, 12527, 12441, 12528, 12441, 12529, 12441, 12530, 12441, 12541,
12441, 20196, 21644, 22823, 27491, 24179, 25104, 26126, 27835, 26157, 21644, 55297, 56360, 55297, 56361, 55297, 56362, 55297, 56363,
55297, 56364, 55297, 56365, 55297, 56366, 55297, 56367, 55297, 56368, 55297, 56369, 55297, 56370, 55297, 56371, 55297, 56372, 55297,
56373, 55297, 56374, 55297, 56375, 55297, 56376, 55297, 56377, 55297, 56378, 55297, 56379, 55297, 56380, 55297, 56381, 55297, 56382,
55297, 56383, 55297, 56384, 55297, 56385, 55297, 56386, 55297, 56387, 55297, 56388, 55297, 56389, 55297, 56390, 55297, 56391, 55297,
56392, 55297, 56393, 55297, 56394, 55297, 56395, 55297, 56396, 55297, 56397, 55297, 56398, 55297, 56399, 55297, 56536, 55297, 56537,
55297, 56538, 55297, 56539, 55297, 56540, 55297, 56541, 55297, 56542, 55297, 56543, 55297, 56544, 55297, 56545, 55297, 56546, 55297,
56547, 55297, 56548, 55297, 56549, 55297, 56550, 55297, 56551, 55297, 56552, 55297, 56553, 55297, 56554, 55297, 56555, 55297, 56556,
55297, 56557, 55297, 56558, 55297, 56559, 55297, 56560, 55297, 56561, 55297, 56562, 55297, 56563, 55297, 56564, 55297, 56565, 55297,
56566, 55297, 56567, 55297, 56568, 55297, 56569, 55297, 56570, 55297, 56571, 55297, 56727, 55297, 56728, 55297, 56729, 55297, 56730,
55297, 56731, 55297, 56732, 55297, 56733, 55297, 56734, 55297, 56735, 55297, 56736, 55297, 56737, 55297, 56739, 55297, 56740, 55297,
56741, 55297, 56742, 55297, 56743, 55297, 56744, 55297, 56745, 55297, 56746, 55297, 56747, 55297, 56748, 55297, 56749, 55297, 56750,
55297, 56751, 55297, 56752, 55297, 56753, 55297, 56755, 55297, 56756, 55297, 56757, 55297, 56758, 55297, 56759, 55297, 56760, 55297,
56761, 55297, 56763, 55297, 56764, 55299, 56512, 55299, 56513, 55299, 56514, 55299, 56515, 55299, 56516, 55299, 56517, 55299, 56518,
55299, 56519, 55299, 56520, 55299, 56521, 55299, 56522, 55299, 56523, 55299, 56524, 55299, 56525, 55299, 56526, 55299, 56527, 55299,
56528, 55299, 56529, 55299, 56530, 55299, 56531, 55299, 56532, 55299, 56533, 55299, 56534, 55299, 56535, 55299, 56536, 55299, 56537,
55299, 56538, 55299, 56539, 55299, 56540, 55299, 56541, 55299, 56542, 55299, 56543, 55299, 56544, 55299, 56545, 55299, 56546, 55299,
56547, 55299, 56548, 55299, 56549, 55299, 56550, 55299, 56551, 55299, 56552, 55299, 56553, 55299, 56554, 55299, 56555, 55299, 56556,
55299, 56557, 55299, 56558, 55299, 56559, 55299, 56560, 55299, 56561, 55299, 56562, 55302, 56512, 55302, 56513, 55302, 56514, 55302,
56515, 55302, 56516, 55302, 56517, 55302, 56518, 55302, 56519, 55302, 56520, 55302, 56521, 55302, 56522, 55302, 56523, 55302, 56524,
55302, 56525, 55302, 56526, 55302, 56527, 55302, 56528, 55302, 56529, 55302, 56530, 55302, 56531, 55302, 56532, 55302, 56533, 55302,
56534, 55302, 56535, 55302, 56536, 55302, 56537, 55302, 56538, 55302, 56539, 55302, 56540, 55302, 56541, 55302, 56542, 55302, 56543,
55323, 56928, 55323, 56929, 55323, 56930, 55323, 56931, 55323, 56932, 55323, 56933, 55323, 56934, 55323, 56935, 55323, 56936, 55323,
56937, 55323, 56938, 55323, 56939, 55323, 56940, 55323, 56941, 55323, 56942, 55323, 56943, 55323, 56944, 55323, 56945, 55323, 56946,
55323, 56947, 55323, 56948, 55323, 56949, 55323, 56950, 55323, 56951, 55323, 56952, 55323, 56953, 55323, 56954, 55323, 56955, 55323,
56956, 55323, 56957, 55323, 56958, 55323, 56959, 55351, 57092, 55351, 57093, 55351, 57094, 55351, 57096, 55351, 57098, 55351, 57118,
55354, 56610, 55354, 56611, 55354, 56612, 55354, 56613, 55354, 56614, 55354, 56615, 55354, 56616, 55354, 56617, 55354, 56618, 55354,
56619, 55354, 56620, 55354, 56621, 55354, 56622, 55354, 56623, 55354, 56624, 55354, 56625, 55354, 56626, 55354, 56627, 55354, 56628,
55354, 56629, 55354, 56630, 55354, 56631, 55354, 56632, 55354, 56633, 55354, 56634, 55354, 56635, 55354, 56636, 55354, 56637, 55354,
56638, 55354, 56639, 55354, 56640, 55354, 56641, 55354, 56642, 55354, 56643, 55360, 56610, 55361, 56604, 55361, 56613, 55361, 56651,
55361, 56890, 55362, 56324, 55362, 56542, 55362, 56876, 55362, 57187, 55365, 56548, 55365, 57000, 55365, 57066, 55366, 56776, 55366,
57112, 55367, 56587, 55367, 56804, 55367, 56806, 55368, 56707, 55368, 56735, 55368, 57137, 55369, 57044, 55370, 56388, 55370, 56394,
55370, 57100, 55370, 57329, 55372, 56330, 55372, 57016, 55372, 57183, 55372, 57235, 55372, 57244, 55372, 57283, 55372, 57301, 55373,
56429, 55373, 56995, 55374, 56487, 55374, 56973, 55374, 57082, 55375, 56508, 55375, 56606, 55375, 57041, 55375, 57182, 55375, 57230,
55376, 56931, 55376, 57070, 55376, 57259, 55377, 56840, 55377, 57141, 55378, 56340, 55379, 56374, 55379, 56466, 55379, 57249, 55379,
57272, 55380, 56388, 55380, 56562, 55380, 56563, 55380, 56601, 55380, 56627, 55380, 56905, 55381, 56349, 55381, 56870, 55381, 56986,
55381, 57029, 55382, 56700, 55382, 56999, 55382, 57259, 55383, 56448, 55383, 56528, 55383, 57222, 55384, 56794, 55384, 56872, 55384,
56903, 55384, 57049, 55384, 57150, 55385, 56538, 55385, 56611, 55385, 56744, 55385, 57255, 55385, 57269, 55386, 57148, 55387, 56374,
55387, 56533, 55387, 56683, 55387, 57132, 55387, 57265, 55388, 56530, 55388, 57290, 55389, 56935, 55390, 56494, 55390, 56678, 55391,
56488, 55391, 57043, 55391, 57135, 55393, 56786, 55393, 56813, 55393, 57134, 55394, 57338, 55395, 56695, 55396, 56645, 55396, 56799,
55396, 56858, 55397, 56330, 55397, 56470, 55397, 56758, 55398, 57136, 55400, 56526, 55400, 56581, 55400, 56846, 55400, 56977, 55400,
57234, 55401, 56832, 32, 776, 768, 32, 776, 769, 32, 776, 834, 32, 787, 768, 32, 787, 769, 32, 787, 834, 32, 788, 768, 32, 788, 769, 32,
788, 834, 32, 1612, 1617, 32, 1613, 1617, 32, 1614, 1617, 32, 1615, 1617, 32, 1616, 1617, 32, 1617, 1648, 40, 49, 41, 40, 50, 41, 40, 51,
41, 40, 52, 41, 40, 53, 41, 40, 54, 41, 40, 55, 41, 40, 56, 41, 40, 57, 41, 40, 97, 41, 40, 98, 41, 40, 99, 41, 40, 100, 41, 40, 101, 41,
40, 102, 41, 40, 103, 41, 40, 104, 41, 40, 105, 41, 40, 106, 41, 40, 107, 41, 40, 108, 41, 40, 109, 41, 40, 110, 41, 40, 111, 41, 40, 112,
41, 40, 113, 41, 40, 114, 41, 40, 115, 41, 40, 116, 41, 40, 117, 41, 40, 118, 41, 40, 119, 41, 40, 120, 41, 40, 121, 41, 40, 122, 41, 40,
4352, 41, 40, 4354, 41, 40, 4355, 41, 40, 4357, 41, 40, 4358, 41, 40, 4359, 41, 40, 4361, 41, 40, 4363, 41, 40, 4364, 41, 40, 4366, 41,
40, 4367, 41, 40, 4368, 41, 40, 4369, 41, 40, 4370, 41, 40, 19968, 41, 40, 19971, 41, 40, 19977, 41, 40, 20061, 41, 40, 20108, 41, 40,
20116, 41, 40, 20195, 41, 40, 20225, 41, 40, 20241, 41, 40, 20843, 41, 40, 20845, 41, 40, 21172, 41, 40, 21313, 41, 40, 21332, 41, 40,
21517, 41, 40, 21628, 41, 40, 22235, 41, 40, 22303, 41, 40, 23398, 41, 40, 26085, 41, 40, 26376, 41, 40, 26377, 41, 40, 26408, 41, 40,
26666, 41, 40, 27700, 41, 40, 28779, 41, 40, 29305, 41, 40, 30435, 41, 40, 31038, 41, 40, 31069, 41, 40, 31085, 41, 40, 33258, 41, 40,
33267, 41, 40, 36001, 41, 40, 36039, 41, 40, 37329, 41, 46, 46, 46, 48, 8260, 51, 49, 48, 46, 49, 48, 26085, 49, 48, 26376, 49, 48, 28857,
49, 49, 46, 49, 49, 26085, 49, 49, 26376, 49, 49, 28857, 49, 50, 46, 49, 50, 26085, 49, 50, 26376, 49, 50, 28857, 49, 51, 46, 49, 51,
26085, 49, 51, 28857, 49, 52, 46, 49, 52, 26085, 49, 52, 28857, 49, 53, 46, 49, 53, 26085, 49, 53, 28857, 49, 54, 46, 49, 54, 26085, 49,
54, 28857, 49, 55, 46, 49, 55, 26085, 49, 55, 28857, 49, 56, 46, 49, 56, 26085, 49, 56, 28857, 49, 57, 46, 49, 57, 26085, 49, 57, 28857,
49, 8260, 50, 49, 8260, 51, 49, 8260, 52, 49, 8260, 53, 49, 8260, 54, 49, 8260, 55, 49, 8260, 56, 49, 8260, 57, 50, 48, 46, 50, 48, 26085,
50, 48, 28857, 50, 49, 26085, 50, 49, 28857, 50, 50, 26085, 50, 50, 28857, 50, 51, 26085, 50, 51, 28857, 50, 52, 26085, 50, 52, 28857, 50,
53, 26085, 50, 54, 26085, 50, 55, 26085, 50, 56, 26085, 50, 57, 26085, 50, 8260, 51, 50, 8260, 53, 51, 48, 26085, 51, 49, 26085, 51, 8260,
52, 51, 8260, 53, 51, 8260, 56, 52, 8260, 53, 53, 8260, 54, 53, 8260, 56, 55, 8260, 56, 58, 58, 61, 61, 61, 61, 97, 47, 99, 97, 47, 115,
97, 770, 768, 97, 770, 769, 97, 770, 771, 97, 770, 777, 97, 774, 768, 97, 774, 769, 97, 774, 771, 97, 774, 777, 97, 775, 772, 97, 776,
772, 97, 778, 769, 97, 803, 770, 97, 803, 774, 97, 8725, 109, 98, 97, 114, 99, 47, 111, 99, 47, 117, 99, 97, 108, 99, 109, 50, 99, 109,
51, 99, 111, 46, 99, 807, 769, 100, 109, 50, 100, 109, 51, 100, 122, 780, 101, 114, 103, 101, 770, 768, 101, 770, 769, 101, 770, 771, 101,
770, 777, 101, 772, 768, 101, 772, 769, 101, 803, 770, 101, 807, 774, 102, 97, 120, 102, 102, 105, 102, 102, 108, 103, 97, 108, 103, 104,
122, 103, 112, 97, 104, 112, 97, 105, 105, 105, 105, 776, 769, 107, 104, 122, 107, 109, 50, 107, 109, 51, 107, 112, 97, 108, 111, 103,
108, 116, 100, 108, 803, 772, 109, 104, 122, 109, 105, 108, 109, 109, 50, 109, 109, 51, 109, 111, 108, 109, 112, 97, 109, 8725, 115, 111,
770, 768, 111, 770, 769, 111, 770, 771, 111, 770, 777, 111, 771, 769, 111, 771, 772, 111, 771, 776, 111, 772, 768, 111, 772, 769, 111,
775, 772, 111, 776, 772, 111, 795, 768, 111, 795, 769, 111, 795, 771, 111, 795, 777, 111, 795, 803, 111, 803, 770, 111, 808, 772, 112,
112, 109, 112, 112, 118, 112, 116, 101, 114, 97, 100, 114, 803, 772, 115, 769, 775, 115, 780, 775, 115, 803, 775, 116, 101, 108, 116, 104,
122, 117, 771, 769, 117, 772, 776, 117, 776, 768, 117, 776, 769, 117, 776, 772, 117, 776, 780, 117, 795, 768, 117, 795, 769, 117, 795,
771, 117, 795, 777, 117, 795, 803, 118, 105, 105, 118, 8725, 109, 120, 105, 105, 945, 768, 837, 945, 769, 837, 945, 787, 768, 945, 787,
769, 945, 787, 834, 945, 787, 837, 945, 788, 768, 945, 788, 769, 945, 788, 834, 945, 788, 837, 945, 834, 837, 949, 787, 768, 949, 787,
769, 949, 788, 768, 949, 788, 769, 951, 768, 837, 951, 769, 837, 951, 787, 768, 951, 787, 769, 951, 787, 834, 951, 787, 837, 951, 788,
768, 951, 788, 769, 951, 788, 834, 951, 788, 837, 951, 834, 837, 953, 776, 768, 953, 776, 769, 953, 776, 834, 953, 787, 768, 953, 787,
769, 953, 787, 834, 953, 788, 768, 953, 788, 769, 953, 788, 834, 959, 787, 768, 959, 787, 769, 959, 788, 768, 959, 788, 769, 965, 776,
768, 965, 776, 769, 965, 776, 834, 965, 787, 768, 965, 787, 769, 965, 787, 834, 965, 788, 768, 965, 788, 769, 965, 788, 834, 969, 768,
837, 969, 769, 837, 969, 787, 768, 969, 787, 769, 969, 787, 834, 969, 787, 837, 969, 788, 768, 969, 788, 769, 969, 788, 834, 969, 788,
837, 969, 834, 837, 1513, 1468, 1473, 1513, 1468, 1474, 1576, 1581, 1610, 1576, 1582, 1610, 1578, 1580, 1605, 1578, 1580, 1609, 1578,
1580, 1610, 1578, 1581, 1580, 1578, 1581, 1605, 1578, 1582, 1605, 1578, 1582, 1609, 1578, 1582, 1610, 1578, 1605, 1580, 1578, 1605, 1581,
1578, 1605, 1582, 1578, 1605, 1609, 1578, 1605, 1610, 1580, 1581, 1609, 1580, 1581, 1610, 1580, 1605, 1581, 1580, 1605, 1609, 1580, 1605,
1610, 1581, 1580, 1610, 1581, 1605, 1609, 1581, 1605, 1610, 1587, 1580, 1581, 1587, 1580, 1609, 1587, 1581, 1580, 1587, 1582, 1609, 1587,
1582, 1610, 1587, 1605, 1580, 1587, 1605, 1581, 1587, 1605, 1605, 1588, 1580, 1610, 1588, 1581, 1605, 1588, 1581, 1610, 1588, 1605, 1582,
1588, 1605, 1605, 1589, 1581, 1581, 1589, 1581, 1610, 1589, 1604, 1609, 1589, 1604, 1746, 1589, 1605, 1605, 1590, 1581, 1609, 1590, 1581,
1610, 1590, 1582, 1605, 1591, 1605, 1581, 1591, 1605, 1605, 1591, 1605, 1610, 1593, 1580, 1605, 1593, 1605, 1605, 1593, 1605, 1609, 1593,
1605, 1610, 1594, 1605, 1605, 1594, 1605, 1609, 1594, 1605, 1610, 1600, 1614, 1617, 1600, 1615, 1617, 1600, 1616, 1617, 1601, 1582, 1605,
1601, 1605, 1610, 1602, 1604, 1746, 1602, 1605, 1581, 1602, 1605, 1605, 1602, 1605, 1610, 1603, 1605, 1605, 1603, 1605, 1610, 1604, 1575,
1619, 1604, 1575, 1620, 1604, 1575, 1621, 1604, 1580, 1580, 1604, 1580, 1605, 1604, 1580, 1610, 1604, 1581, 1605, 1604, 1581, 1609, 1604,
1581, 1610, 1604, 1582, 1605, 1604, 1605, 1581, 1604, 1605, 1610, 1605, 1580, 1581, 1605, 1580, 1582, 1605, 1580, 1605, 1605, 1580, 1610,
1605, 1581, 1580, 1605, 1581, 1605, 1605, 1581, 1610, 1605, 1582, 1580, 1605, 1582, 1605, 1605, 1582, 1610, 1605, 1605, 1610, 1606, 1580,
1581, 1606, 1580, 1605, 1606, 1580, 1609, 1606, 1580, 1610, 1606, 1581, 1605, 1606, 1581, 1609, 1606, 1581, 1610, 1606, 1605, 1609, 1606,
1605, 1610, 1607, 1605, 1580, 1607, 1605, 1605, 1610, 1580, 1610, 1610, 1581, 1610, 1610, 1605, 1605, 1610, 1605, 1610, 1610, 1620, 1575,
1610, 1620, 1580, 1610, 1620, 1581, 1610, 1620, 1582, 1610, 1620, 1585, 1610, 1620, 1586, 1610, 1620, 1605, 1610, 1620, 1606, 1610, 1620,
1607, 1610, 1620, 1608, 1610, 1620, 1609, 1610, 1620, 1610, 1610, 1620, 1734, 1610, 1620, 1735, 1610, 1620, 1736, 1610, 1620, 1744, 1610,
1620, 1749, 3270, 3266, 3285, 3545, 3535, 3530, 4018, 3953, 3968, 4019, 3953, 3968, 8242, 8242, 8242, 8245, 8245, 8245, 8747, 8747, 8747,
8750, 8750, 8750, 12308, 115, 12309, 12308, 19977, 12309, 12308, 20108, 12309, 12308, 21213, 12309, 12308, 23433, 12309, 12308, 25171,
12309, 12308, 25943, 12309, 12308, 26412, 12309, 12308, 28857, 12309, 12308, 30423, 12309, 12450, 12540, 12523, 12452, 12531, 12481,
12454, 12457, 12531, 12458, 12531, 12473, 12458, 12540, 12512, 12459, 12452, 12522, 12465, 12540, 12473, 12467, 12523, 12490, 12475,
12531, 12481, 12475, 12531, 12488, 12486, 12441, 12471, 12488, 12441, 12523, 12494, 12483, 12488, 12495, 12452, 12484, 12498, 12441,
12523, 12498, 12442, 12467, 12501, 12521, 12531, 12504, 12442, 12477, 12504, 12523, 12484, 12507, 12540, 12523, 12507, 12540, 12531,
12510, 12452, 12523, 12510, 12483, 12495, 12510, 12523, 12463, 12513, 12459, 12441, 12516, 12540, 12523, 12518, 12450, 12531, 12527,
12483, 12488, 40, 49, 48, 41, 40, 49, 49, 41, 40, 49, 50, 41, 40, 49, 51, 41, 40, 49, 52, 41, 40, 49, 53, 41, 40, 49, 54, 41, 40, 49, 55,
41, 40, 49, 56, 41, 40, 49, 57, 41, 40, 50, 48, 41, 40, 4352, 4449, 41, 40, 4354, 4449, 41, 40, 4355, 4449, 41, 40, 4357, 4449, 41, 40,
4358, 4449, 41, 40, 4359, 4449, 41, 40, 4361, 4449, 41, 40, 4363, 4449, 41, 40, 4364, 4449, 41, 40, 4364, 4462, 41, 40, 4366, 4449, 41,
40, 4367, 4449, 41, 40, 4368, 4449, 41, 40, 4369, 4449, 41, 40, 4370, 4449, 41, 49, 8260, 49, 48, 97, 46, 109, 46, 99, 8725, 107, 103,
107, 99, 97, 108, 109, 8725, 115, 50, 112, 46, 109, 46, 118, 105, 105, 105, 945, 787, 768, 837, 945, 787, 769, 837, 945, 787, 834, 837,
945, 788, 768, 837, 945, 788, 769, 837, 945, 788, 834, 837, 951, 787, 768, 837, 951, 787, 769, 837, 951, 787, 834, 837, 951, 788, 768,
837, 951, 788, 769, 837, 951, 788, 834, 837, 969, 787, 768, 837, 969, 787, 769, 837, 969, 787, 834, 837, 969, 788, 768, 837, 969, 788,
769, 837, 969, 788, 834, 837, 1575, 1603, 1576, 1585, 1575, 1604, 1604, 1607, 1585, 1587, 1608, 1604, 1585, 1740, 1575, 1604, 1589, 1604,
1593, 1605, 1593, 1604, 1610, 1607, 1605, 1581, 1605, 1583, 1608, 1587, 1604, 1605, 4364, 4462, 4363, 4468, 8242, 8242, 8242, 8242, 8747,
8747, 8747, 8747, 12450, 12523, 12501, 12449, 12456, 12540, 12459, 12540, 12459, 12441, 12525, 12531, 12459, 12441, 12531, 12510, 12459,
12521, 12483, 12488, 12459, 12525, 12522, 12540, 12461, 12441, 12459, 12441, 12461, 12441, 12491, 12540, 12461, 12517, 12522, 12540,
12463, 12441, 12521, 12512, 12463, 12525, 12540, 12493, 12467, 12540, 12507, 12442, 12469, 12452, 12463, 12523, 12479, 12441, 12540,
12473, 12495, 12442, 12540, 12484, 12498, 12442, 12463, 12523, 12501, 12451, 12540, 12488, 12504, 12441, 12540, 12479, 12504, 12442,
12491, 12498, 12504, 12442, 12531, 12473, 12507, 12441, 12523, 12488, 12510, 12452, 12463, 12525, 12511, 12463, 12525, 12531, 12513,
12540, 12488, 12523, 12516, 12540, 12488, 12441, 12522, 12483, 12488, 12523, 12523, 12498, 12442, 12540, 26666, 24335, 20250, 31038,
55300, 56473, 55300, 56506, 55300, 56475, 55300, 56506, 55300, 56485, 55300, 56506, 55300, 56625, 55300, 56615, 55300, 56626, 55300,
56615, 55300, 57159, 55300, 57150, 55300, 57159, 55300, 57175, 55301, 56505, 55301, 56496, 55301, 56505, 55301, 56506, 55301, 56505,
55301, 56509, 55301, 56760, 55301, 56751, 55301, 56761, 55301, 56751, 55302, 56629, 55302, 56624, 55348, 56663, 55348, 56677, 55348,
56664, 55348, 56677, 55348, 56761, 55348, 56677, 55348, 56762, 55348, 56677, 114, 97, 100, 8725, 115, 4366, 4449, 4535, 4352, 4457, 12450,
12495, 12442, 12540, 12488, 12450, 12531, 12504, 12442, 12450, 12452, 12491, 12531, 12463, 12441, 12461, 12525, 12527, 12483, 12488,
12469, 12531, 12481, 12540, 12512, 12471, 12522, 12531, 12463, 12441, 12495, 12441, 12540, 12524, 12523, 12504, 12442, 12540, 12471,
12441, 12504, 12463, 12479, 12540, 12523, 12507, 12442, 12452, 12531, 12488, 12507, 12442, 12531, 12488, 12441, 12510, 12531, 12471,
12519, 12531, 12513, 12459, 12441, 12488, 12531, 12523, 12540, 12501, 12441, 12523, 40, 4363, 4457, 4370, 4462, 41, 114, 97, 100, 8725,
115, 50, 12456, 12473, 12463, 12540, 12488, 12441, 12461, 12441, 12523, 12479, 12441, 12540, 12461, 12525, 12463, 12441, 12521, 12512,
12461, 12525, 12513, 12540, 12488, 12523, 12463, 12441, 12521, 12512, 12488, 12531, 12463, 12523, 12475, 12441, 12452, 12525, 12495,
12442, 12540, 12475, 12531, 12488, 12498, 12442, 12450, 12473, 12488, 12523, 12501, 12441, 12483, 12471, 12455, 12523, 12501, 12449,
12521, 12483, 12488, 12441, 12511, 12522, 12495, 12441, 12540, 12523, 12524, 12531, 12488, 12465, 12441, 12531, 55348, 56664, 55348,
56677, 55348, 56686, 55348, 56664, 55348, 56677, 55348, 56687, 55348, 56664, 55348, 56677, 55348, 56688, 55348, 56664, 55348, 56677,
55348, 56689, 55348, 56664, 55348, 56677, 55348, 56690, 55348, 56761, 55348, 56677, 55348, 56686, 55348, 56761, 55348, 56677, 55348,
56687, 55348, 56762, 55348, 56677, 55348, 56686, 55348, 56762, 55348, 56677, 55348, 56687, 40, 4363, 4457, 4364, 4453, 4523, 41, 1580,
1604, 32, 1580, 1604, 1575, 1604, 1607, 1589, 1604, 1609, 32, 1575, 1604, 1604, 1607, 32, 1593, 1604, 1610, 1607, 32, 1608, 1587, 1604,
1605,
};

static const uint8_t unicode_voicing[384] = {
0, 0, 0, 0, 0, 0, 148, 0, 0, 0, 0, 76, 0, 78, 0, 80, 0, 82, 0, 84, 0, 86, 0, 88, 0, 90, 0, 92, 0, 94, 0, 96, 0, 98, 0, 0, 101, 0, 103, 0,
105, 0, 0, 0, 0, 0, 0, 112, 0, 0, 115, 0, 0, 118, 0, 0, 121, 0, 0, 124, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 158, 0, 0, 0, 0, 0, 0, 0, 0, 244, 0, 0, 0, 0, 172, 0, 174, 0, 176, 0, 178, 0, 180, 0, 182, 0, 184, 0,
186, 0, 188, 0, 190, 0, 192, 0, 194, 0, 0, 197, 0, 199, 0, 201, 0, 0, 0, 0, 0, 0, 208, 0, 0, 211, 0, 0, 214, 0, 0, 217, 0, 0, 220, 0, 0,
0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 247, 248, 249, 250, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 254, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 113, 0, 0, 116, 0, 0,
119, 0, 0, 122, 0, 0, 125, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
209, 0, 0, 212, 0, 0, 215, 0, 0, 218, 0, 0, 221, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
0, 0, 0, 0, 0, 0,
};

#endif

enum { SEPARATOR, LETTER, BARE, PAIR, OTHER, MARK, MAPPED, IGNORED };

/* A point: code point, kind << 21, canonical combining class << 24. Every separator is the same
 * point, SPACE. */
#define POINT(code, kind, class) \
    ((uint32_t)(code) | (uint32_t)(kind) << 21 | (uint32_t)(class) << 24)
#define CODE(point) ((point) & 0x1FFFFFu)
#define KIND(point) ((point) >> 21 & 7u)
#define CLASS(point) ((point) >> 24)
#define NONE 0u
#define SPACE POINT(1, SEPARATOR, 0)
#define WORD_KINDS (1u << LETTER | 1u << BARE | 1u << OTHER | 1u << MARK)

#define IOTA_SUBSCRIPT 0x345u
#define KANA 0x3040u
#define KANAS 192u
#define VOICED 0x3099u
#define VOICING_CLASS 8u
#define SYLLABLES 0xAC00u
#define LEADS 0x1100u
#define VOWELS 0x1161u
#define TRAILS 0x11A7u /* the trail before the first stands for none */

#define EVERY_BYTE(byte) (0x0101010101010101ull * (byte))
#define TOPS EVERY_BYTE(0x80u)

/* The fold of an ASCII word character, 0 for any other. */
static const uint8_t ascii[128] = {
    ['0'] = '0', '1', '2', '3', '4', '5', '6', '7', '8', '9', ['A'] = 'a', 'b',         'c',
    'd',         'e', 'f', 'g', 'h', 'i', 'j', 'k', 'l', 'm', 'n',         'o',         'p',
    'q',         'r', 's', 't', 'u', 'v', 'w', 'x', 'y', 'z', ['_'] = '_', ['a'] = 'a', 'b',
    'c',         'd', 'e', 'f', 'g', 'h', 'i', 'j', 'k', 'l', 'm',         'n',         'o',
    'p',         'q', 'r', 's', 't', 'u', 'v', 'w', 'x', 'y', 'z',
};

static uint32_t entry(uint32_t code) {
    return unicode_entries[unicode_middle[unicode_top[code >> 9] + (code >> 4 & 31)] + (code & 15)];
}

static void begin_fold(term_stream *t, uint32_t place) {
    uint32_t group = 1;
    while (group < UNICODE_GROUPS && place >= unicode_groups[2 * group]) group++;
    t->fold = unicode_folds + place;
    t->fold_end = t->fold + unicode_groups[2 * group - 1];
}

/* The next point of the folded text, in the order of the text. */
static uint32_t folded(term_stream *t) {
    uint32_t code, found;
    if (t->ahead) {
        found = t->ahead;
        t->ahead = NONE;
        t->folded_from = t->ahead_from;
        t->folded_to = t->ahead_to;
        return found;
    }
    for (;;) {
        if (t->fold != t->fold_end) {
            code = *t->fold++;
            if ((code & 0xFC00) == 0xD800)
                code = 0x10000 + ((code & 0x3FF) << 10) + (*t->fold++ & 0x3FFu);
        } else if (t->text != t->end) {
            t->folded_from = t->text;
            code = utf8_decode(&t->text, t->end);
        } else {
            t->folded_from = t->folded_to = t->text;
            return SPACE; /* a text ends as before a separator */
        }
        found = entry(code);
        t->folded_to = t->text;
        switch (found >> 13) {
        case MAPPED: begin_fold(t, found & 0x1FFF); continue;
        case IGNORED: continue;
        case SEPARATOR: return SPACE;
        default: return POINT(code, found >> 13, found & 0xFF);
        }
    }
}

/* Keep a folded point for the next call. */
static void hold_back(term_stream *t, uint32_t point) {
    t->ahead = point;
    t->ahead_from = t->folded_from;
    t->ahead_to = t->folded_to;
}

/* Put point and the marks after it into run[1] on, sorted; the rest of more than TERM_RUN is a run
 * of its own. */
static void gather(term_stream *t, uint32_t point) {
    const uint8_t *from = t->folded_from, *to = t->folded_to;
    uint32_t n = 0;
    while (CLASS(point)) {
        uint32_t i = ++n;
        for (; i > 1 && CLASS(t->run[i - 1]) > CLASS(point); i--) t->run[i] = t->run[i - 1];
        t->run[i] = point;
        to = t->folded_to;
        if (n == TERM_RUN) break;
        point = folded(t);
        if (!CLASS(point)) hold_back(t, point);
    }
    for (uint32_t i = 1; i <= n; i++) {
        t->run_from[i] = from;
        t->run_to[i] = to;
    }
    /* Case folding makes this mark a letter. It comes after all other marks, so now it can no
     * longer part them. */
    for (uint32_t i = n; i > 0 && CODE(t->run[i]) == IOTA_SUBSCRIPT; i--)
        t->run[i] = POINT(0x3B9, BARE, 0);
    t->run_at = 1;
    t->run_end = 1 + n;
}

/* A kana that can be voiced, with the marks after it. */
static void voice(term_stream *t, uint32_t kana) {
    const uint8_t *from = t->folded_from, *to = t->folded_to;
    uint32_t next = folded(t), at = 1;
    if (!CLASS(next)) hold_back(t, next);
    gather(t, next);
    while (at < t->run_end && CLASS(t->run[at]) < VOICING_CLASS) at++;
    if (at < t->run_end && CLASS(t->run[at]) == VOICING_CLASS) {
        uint32_t low = unicode_voicing[KANAS * (CODE(t->run[at]) - VOICED) + CODE(kana) - KANA];
        if (low) {
            kana = POINT(0x3000 | low, PAIR, 0);
            to = t->run_to[at];
            t->run_end--;
            for (; at < t->run_end; at++) t->run[at] = t->run[at + 1];
        }
    }
    t->run[0] = kana;
    t->run_from[0] = from;
    t->run_to[0] = to;
    t->run_at = 0;
}

/* A syllable or the first jamo of one, with the jamo that complete it. */
static uint32_t hangul(term_stream *t, uint32_t point) {
    const uint8_t *from = t->folded_from, *to = t->folded_to;
    uint32_t code = CODE(point), next = folded(t);
    if (code - LEADS < 19 && CODE(next) - VOWELS < 21) {
        code = SYLLABLES + 28 * (21 * (code - LEADS) + CODE(next) - VOWELS);
        to = t->folded_to;
        next = folded(t);
    }
    if (code >= SYLLABLES && CODE(next) - TRAILS - 1 < 27) {
        code += CODE(next) - TRAILS;
        to = t->folded_to;
    } else {
        hold_back(t, next);
    }
    t->from = from;
    t->to = to;
    return POINT(code, LETTER, 0);
}

/* The next point in canonical order, composed; it was read from what lies between from and to. */
static uint32_t ordered(term_stream *t) {
    if (t->run_at == t->run_end) {
        uint32_t point = folded(t), code = CODE(point);
        if (CLASS(point)) {
            gather(t, point);
        } else if (code - KANA < KANAS &&
                   (unicode_voicing[code - KANA] || unicode_voicing[KANAS + code - KANA])) {
            voice(t, point);
        } else if (code - LEADS < 19 ||
                   (code - SYLLABLES < 11172 && (code - SYLLABLES) % 28 == 0)) {
            return hangul(t, point);
        } else {
            t->from = t->folded_from;
            t->to = t->folded_to;
            return point;
        }
    }
    t->from = t->run_from[t->run_at];
    t->to = t->run_to[t->run_at];
    return t->run[t->run_at++];
}

/* Give the last point of ordered back to it. */
static void give_back(term_stream *t, uint32_t point) {
    t->run[--t->run_at] = point;
    t->run_from[t->run_at] = t->from;
    t->run_to[t->run_at] = t->to;
}

/* Has every stage passed on all that lies before text? */
static int drained(const term_stream *t) {
    return t->run_at == t->run_end && t->fold == t->fold_end && !t->ahead;
}

/* What word knows of the word under way. */
typedef struct word_state {
    uint32_t limit;   /* of its bytes: falls to its length once a code point did not fit */
    int letter, bare; /* does it hold a letter; does a mark that comes now follow a bare one? */
} word_state;

/* Append the ASCII word characters that lie at text, eight at a time while there are eight and room
 * for them. */
static void ascii_run(term_stream *t, word_state *w) {
    const uint8_t *text = t->text, *end = t->end;
    uint32_t length = t->length;
    uint64_t run = 8;
    while (run == 8 && end - text >= 8 && length + 8 <= w->limit) {
        uint64_t eight = load64(text), low = eight & ~TOPS, lower = low | EVERY_BYTE(0x20u);
        uint64_t letters = (lower + EVERY_BYTE(0x80u - 'a')) &
                           ~(lower + EVERY_BYTE(0x80u - 'z' - 1)) & ~eight & TOPS;
        uint64_t digits = (low + EVERY_BYTE(0x80u - '0')) & ~(low + EVERY_BYTE(0x80u - '9' - 1));
        uint64_t lines = ~((low ^ EVERY_BYTE('_')) + EVERY_BYTE(0x7Fu));
        uint64_t stops = ~(letters | ((digits | lines) & ~eight)) & TOPS;
        uint64_t before = (stops & (0 - stops)) - 1; /* the bits below the first stop, or all */
        run = ((before >> 7 & EVERY_BYTE(1u)) * EVERY_BYTE(1u)) >> 56;
        store64(t->bytes + length, eight | letters >> 2);
        length += (uint32_t)run;
        text += run;
        letters &= before;
        w->letter |= letters != 0;
        if (run) w->bare = (int)(letters >> (8 * run - 1) & 1);
    }
    for (uint8_t to; text != end && *text < 0x80 && (to = ascii[*text]) != 0; text++) {
        w->bare = to >= 'a';
        if (length < w->limit) {
            t->bytes[length++] = to;
            w->letter |= w->bare;
        }
    }
    if (text != t->text) t->term_end = text;
    t->text = text;
    t->length = length;
}

/* Read a word that begins at from into bytes, length; is it a term? */
static int word(term_stream *t, const uint8_t *from) {
    word_state w = {TERM_BYTES, 0, 0};
    t->length = 0;
    t->of_pairs = 0;
    t->term = t->term_end = from;
    for (;;) {
        if (drained(t)) {
            ascii_run(t, &w);
            if (t->text == t->end || *t->text < 0x80) break;
        }
        uint32_t point = ordered(t), kind = KIND(point);
        if (!(WORD_KINDS >> kind & 1)) {
            give_back(t, point);
            break;
        }
        t->term_end = t->to;
        if (kind == MARK && w.bare) continue;
        w.bare = kind == BARE;
        uint8_t *to = t->bytes + t->length;
        uint32_t length = t->length + utf8_encode(to, CODE(point));
        if (length > w.limit) {
            w.limit = t->length;
        } else {
            t->length = length;
            w.letter |= kind == BARE || kind == LETTER;
        }
    }
    return w.letter || t->stream == STREAM_EVERY_WORD;
}

/* The next term of the pair run under way, or 0 at its end. */
static int pair(term_stream *t) {
    uint32_t first = t->pair, second = ordered(t);
    int in_run = KIND(second) == PAIR, term = in_run || !t->paired;
    if (term) t->length = utf8_encode(t->bytes, CODE(first));
    t->of_pairs = 1;
    t->term = t->pair_from;
    t->term_end = in_run ? t->to : t->pair_to;
    if (in_run) {
        t->length += utf8_encode(t->bytes + t->length, CODE(second));
        t->pair_from = t->from;
        t->pair_to = t->to;
    } else {
        give_back(t, second);
    }
    t->pair = in_run ? second : NONE;
    t->paired = 1;
    return term;
}

void term_stream_begin(term_stream *terms, const uint8_t *text, uint64_t length, uint32_t stream) {
    terms->stream = stream;
    terms->text = text;
    terms->end = length ? text + length : text;
    terms->length = 0;
    terms->meter = NULL;
    terms->fold = terms->fold_end = unicode_folds;
    terms->ahead = NONE;
    terms->from = terms->to = terms->folded_from = terms->folded_to = text;
    terms->run_at = terms->run_end = 1; /* give_back needs a place before */
    terms->pair = NONE;
    terms->paired = 0;
    terms->of_pairs = 0;
}

int term_stream_next(term_stream *terms) {
    term_stream *t = terms;
    if (t->meter && interrupted(t->meter, 1)) return 0;
    if (t->stream == STREAM_INTEROP) return interop_next(t);
    for (;;) {
        if (t->pair) {
            if (pair(t)) return 1;
            continue;
        }
        if (drained(t)) {
            while (t->text != t->end && *t->text < 0x80 && !ascii[*t->text]) t->text++;
            if (t->text == t->end) return 0;
            if (*t->text < 0x80) {
                if (word(t, t->text)) return 1;
                continue;
            }
        }
        uint32_t point = ordered(t);
        if (KIND(point) == PAIR) {
            t->pair = point;
            t->pair_from = t->from;
            t->pair_to = t->to;
            t->paired = 0;
        } else if (KIND(point) != SEPARATOR) {
            give_back(t, point);
            if (word(t, t->from)) return 1;
        }
    }
}

/* Append a code point, behind a space where there is a gap; 0 where it does not fit. */
static int append_folded(uint8_t *out, uint32_t *size, uint32_t room, uint32_t code, int gap) {
    uint8_t bytes[5] = {' '};
    uint32_t more = 1 + utf8_encode(bytes + 1, code), from = !gap;
    if (more - from > room - *size) return 0;
    memcpy(out + *size, bytes + from, more - from);
    *size += more - from;
    return 1;
}

static uint32_t unfolded(const uint8_t *text, const uint8_t *end, uint8_t *out, uint32_t room) {
    uint32_t size = 0;
    int gap = 0;
    while (text != end) {
        uint32_t code = utf8_decode(&text, end);
        int space = code == ' ' || (code >= '\t' && code <= '\r');
        if (!space && !append_folded(out, &size, room, code, gap)) break;
        gap = space && size > 0;
    }
    return size;
}

uint32_t terms_folded(const uint8_t *text, uint64_t length, uint8_t *out, uint32_t room) {
    term_stream t;
    uint32_t size = 0;
    int bare = 0, gap = 0;
    term_stream_begin(&t, text, length, STREAM_FOLDED);
    while (!drained(&t) || t.text != t.end) {
        uint32_t point = ordered(&t), kind = KIND(point);
        if (kind == SEPARATOR) gap = size > 0;
        if (kind != MARK) bare = kind == BARE;
        if (kind == SEPARATOR || (kind == MARK && bare)) continue;
        if (!append_folded(out, &size, room, CODE(point), gap)) break;
        gap = 0;
    }
    return size ? size : unfolded(text, text + length, out, room);
}

/* ======== winnowing.c ======== */

/* ======== winnowing.h ======== */
/* Shingles (docs/format.md 6.3): every few consecutive terms of a text as a hash, with the
 * place where they stand. Winnowing keeps few of them, and of a copied passage the same ones in
 * both texts (Schleimer, Wilkerson, Aiken: Winnowing, SIGMOD 2003). */
#ifndef POCKET_WINNOWING_H
#define POCKET_WINNOWING_H


#define MOST_WINDOW 256u

/* The least hash of the last shingles, as many as a window has. */
typedef struct window {
    uint64_t hashes[MOST_WINDOW], numbers[MOST_WINDOW]; /* a ring: hashes rise from first on */
    uint32_t size, first, count;
    uint64_t number, kept; /* kept: 1 + number of the shingle that was kept last */
} window;

static void window_begin(window *w, uint32_t size);
/* Put a shingle's hash behind the others. Is there a shingle to keep that was not kept before?
 * *hash becomes its hash. */
static int window_push(window *w, uint64_t *hash);
/* At the end of a text that has fewer shingles than a window. */
static int window_end(window *w, uint64_t *hash);

#endif

void window_begin(window *w, uint32_t size) {
    w->size = size;
    w->first = w->count = 0;
    w->number = w->kept = 0;
}

/* Of equal hashes the later one goes: they are one key. */
static int keep_least(window *w, uint64_t *hash) {
    uint64_t number = w->numbers[w->first];
    if (w->kept == number + 1) return 0;
    w->kept = number + 1;
    *hash = w->hashes[w->first];
    return 1;
}

int window_push(window *w, uint64_t *hash) {
    uint64_t number = w->number++;
    if (w->count && w->numbers[w->first] + w->size <= number) {
        w->first = (w->first + 1) % MOST_WINDOW;
        w->count--;
    }
    while (w->count && w->hashes[(w->first + w->count - 1) % MOST_WINDOW] > *hash) w->count--;
    uint32_t last = (w->first + w->count++) % MOST_WINDOW;
    w->hashes[last] = *hash;
    w->numbers[last] = number;
    return number + 1 >= w->size && keep_least(w, hash);
}

int window_end(window *w, uint64_t *hash) {
    return w->number && w->number < w->size && keep_least(w, hash);
}

/* ======== word_stream.c ======== */
/* A text's terms are read ahead as a chain, which a compound may be made of. Of each term come
 * first the emoji before it, then the term, then its parts. */


#define FEW 16u /* bytes of most terms, which are copied faster where their number is known */

static int is_capital_letter(uint8_t byte) { return byte >= 'A' && byte <= 'Z'; }
static int is_small_letter(uint8_t byte) { return byte >= 'a' && byte <= 'z'; }
static int is_numeral(uint8_t byte) { return byte >= '0' && byte <= '9'; }

static int is_single(const uint8_t *bytes, uint32_t length) {
    const uint8_t *p = bytes;
    utf8_decode(&p, bytes + length);
    return p == bytes + length;
}

/* ---- chains ---- */

static int is_number(const chained_term *t, uint32_t least, uint32_t most) {
    for (uint32_t i = 0; i < t->length; i++)
        if (!is_numeral(t->bytes[i])) return 0;
    return t->length >= least && t->length <= most;
}

/* The sign that joins two words, where it is all that stands between them: one of -'./&+, or
 * U+2010, U+2011, U+2019, U+00B7; a comma or a blank between the digits of a number. */
static int is_joint(const chained_term *before, const chained_term *after) {
    const uint8_t *p = before->to;
    uint64_t size = (uint64_t)(after->from - p);
    if (size > 3) return 0;
    int thousands = is_number(before, 1, 3) && is_number(after, 3, 3);
    if (size == 1) {
        if (*p == ' ') return thousands;
        if (*p == ',') return is_number(before, 1, TERM_BYTES) && is_number(after, 1, TERM_BYTES);
        return *p == '-' || *p == '\'' || *p == '.' || *p == '/' || *p == '&' || *p == '+';
    }
    if (size == 2) return p[0] == 0xC2 && (p[1] == 0xB7 || (p[1] == 0xA0 && thousands));
    if (size != 3 || p[0] != 0xE2 || p[1] != 0x80) return 0;
    return p[2] == 0x90 || p[2] == 0x91 || p[2] == 0x99 ||
           ((p[2] == 0x89 || p[2] == 0xAF) && thousands);
}

/* Is it the s of Iceland's, which is no word that people look for? */
static int is_possessive(const chained_term *before, const chained_term *t) {
    const uint8_t *p = before->to;
    if (t->length != 1 || t->bytes[0] != 's') return 0;
    return (t->from - p == 1 && *p == '\'') ||
           (t->from - p == 3 && p[0] == 0xE2 && p[1] == 0x80 && p[2] == 0x99);
}

/* Take the signs of C++ and C# into a word of one letter. */
static void take_signs(word_stream *w, chained_term *t) {
    uint64_t left = (uint64_t)(w->text_end - t->to);
    uint32_t signs = left >= 1 && t->to[0] == '#' ? 1 : 0;
    if (left >= 2 && t->to[0] == '+' && t->to[1] == '+') signs = 2;
    if (t->length != 1 || !is_small_letter(t->bytes[0]) || !signs) return;
    memcpy(t->bytes + 1, t->to, signs);
    t->length += signs;
    t->to += signs;
    t->alone = 1;
}

/* Read the next term to the end of the chain; *joined: is it joined to the one before? */
static int read_term(word_stream *w, int *joined) {
    chained_term *t = &w->chain[w->chained];
    if (!term_stream_next(&w->terms)) return 0;
    memcpy(t->bytes, w->terms.bytes, w->terms.length <= FEW ? FEW : TERM_BYTES);
    t->length = w->terms.length;
    t->from = w->terms.term;
    t->to = w->terms.term_end;
    t->alone = w->terms.of_pairs;
    t->last = t->alone && !is_single(t->bytes, t->length) ? w->terms.pair_from : NULL;
    take_signs(w, t);
    t->possessive = w->chained && is_possessive(t - 1, t);
    t->alone |= t->possessive;
    *joined = w->chained && !t->alone && !t[-1].alone && is_joint(t - 1, t);
    return 1;
}

/* All terms of the chain in one, where they fit. */
static void join_chain(word_stream *w) {
    w->compound_length = 0;
    for (uint32_t i = 0; i < w->chained; i++) {
        const chained_term *t = &w->chain[i];
        if (w->compound_length + t->length > TERM_BYTES) {
            w->has_compound = 0;
            return;
        }
        memcpy(w->compound + w->compound_length, t->bytes, t->length);
        w->compound_length += t->length;
    }
}

/* Read the terms of a chain, and the one after it. What is too long for a compound comes in several
 * chains. */
static void read_chain(word_stream *w) {
    int joined = 0, goes_on = w->goes_on;
    if (w->ahead) w->chain[0] = w->chain[w->chained];
    w->chained = (uint32_t)w->ahead;
    w->at = 0;
    w->ahead = w->goes_on = 0;
    while (!w->ahead && !w->ended) {
        if (!read_term(w, &joined)) {
            w->ended = 1;
        } else if (w->chained && (!joined || w->chained == MOST_JOINED)) {
            w->ahead = 1;
            w->goes_on = joined;
        } else {
            w->chained++;
        }
    }
    w->has_compound = w->chained > 1 && !w->goes_on && !goes_on;
    if (w->has_compound) join_chain(w);
    w->due = w->has_compound;
}

/* ---- what is given ---- */

static int give(word_stream *w, uint32_t kind, const uint8_t *bytes, uint32_t length,
                const uint8_t *from, const uint8_t *to) {
    w->kind = kind;
    w->bytes = bytes;
    w->length = length;
    w->from = from;
    w->to = to;
    w->single = w->compounded = 0;
    return 1;
}

/* A pictograph, a flag's letter; not what changes another one's colour. */
static int is_emoji(uint32_t code) {
    if (code >= 0x1F3FB && code <= 0x1F3FF) return 0;
    return (code >= 0x2600 && code <= 0x27BF) || (code >= 0x2B00 && code <= 0x2BFF) ||
           (code >= 0x1F000 && code <= 0x1FAFF);
}

/* The next emoji before `to`. */
static int next_emoji(word_stream *w, const uint8_t *to) {
    while (w->gap < to) {
        const uint8_t *from = w->gap;
        if (*from < 0x80) {
            w->gap++;
            continue;
        }
        uint32_t code = utf8_decode(&w->gap, to);
        if (!is_emoji(code)) continue;
        return give(w, WORD_WHOLE, w->emoji, utf8_encode(w->emoji, code), from, w->gap);
    }
    return 0;
}

/* Where the part of a name ends that begins at `from`: at a line, and before a capital letter that
 * begins a word: behind a small letter, or before one. */
static const uint8_t *part_behind(const uint8_t *from, const uint8_t *to) {
    const uint8_t *p = from;
    while (p < to && *p != '_') {
        p++;
        if (p == to || !is_capital_letter(*p)) continue;
        if (is_small_letter(p[-1])) break;
        if ((is_capital_letter(p[-1]) || is_numeral(p[-1])) && p + 1 < to && is_small_letter(p[1]))
            break;
    }
    return p;
}

static int next_part(word_stream *w) {
    for (;;) {
        if (w->in_part && term_stream_next(&w->parts)) {
            give(w, WORD_PART, w->parts.bytes, w->parts.length, w->parts.term, w->parts.term_end);
            w->single = is_single(w->bytes, w->length);
            return 1;
        }
        while (w->part && w->part < w->part_end && *w->part == '_') w->part++;
        w->in_part = w->part && w->part < w->part_end;
        if (!w->in_part) return 0;
        const uint8_t *to = part_behind(w->part, w->part_end);
        term_stream_begin(&w->parts, w->part, (uint64_t)(to - w->part), STREAM_EVERY_WORD);
        w->part = to;
    }
}

static void begin_parts(word_stream *w, const chained_term *t) {
    w->part = part_behind(t->from, t->to) < t->to ? t->from : NULL;
    w->part_end = t->to;
    w->in_part = 0;
}

void word_stream_begin(word_stream *w, const uint8_t *text, uint64_t length, struct meter *m) {
    memset(w, 0, sizeof *w);
    term_stream_begin(&w->terms, text, length, STREAM_EVERY_WORD);
    w->terms.meter = m;
    w->gap = text;
    w->text_end = w->terms.end;
}

/* The second character of a pair that none follows. */
static int give_last(word_stream *w, const chained_term *t) {
    const uint8_t *second = t->bytes;
    utf8_decode(&second, t->bytes + t->length);
    w->run_ends = 0;
    give(w, WORD_PART, second, (uint32_t)(t->bytes + t->length - second), t->last, t->to);
    w->single = 1;
    return 1;
}

int word_stream_next(word_stream *w) {
    if (next_part(w)) return 1;
    if (w->run_ends) return give_last(w, &w->chain[w->at - 1]);
    if (w->at == w->chained && !w->ended) read_chain(w);
    const chained_term *t = w->at < w->chained ? &w->chain[w->at] : NULL;
    if (next_emoji(w, t ? t->from : w->text_end)) return 1;
    if (!t) return 0;
    if (w->due) {
        w->due = 0;
        return give(w, WORD_COMPOUND, w->compound, w->compound_length, t->from,
                    w->chain[w->chained - 1].to);
    }
    w->at++;
    w->gap = t->to;
    begin_parts(w, t);
    w->run_ends = t->last && (!w->ahead || w->chain[w->chained].from >= t->to);
    give(w, WORD_WHOLE, t->bytes, t->length, t->from, t->to);
    w->compounded = w->has_compound;
    w->single = t->possessive || (w->has_compound && is_single(w->bytes, w->length));
    return 1;
}

/* ======== cell_scores.c ======== */

/* ======== cell_scores.h ======== */
/* How near cells are to a sketch (docs/format.md 4.2): products of its steps with centroids of four
 * bits a component. */
#ifndef POCKET_CELL_SCORES_H
#define POCKET_CELL_SCORES_H


#define CELL_MOST_BYTES (COARSE_COMPONENTS / 2) /* of a centroid */

/* A sketch's steps, those of the even components and those of the odd ones apart, as they lie in a
 * centroid's bytes. */
typedef struct cell_steps {
    int8_t even[CELL_MOST_BYTES], odd[CELL_MOST_BYTES];
    uint32_t bytes;
} cell_steps;

/* Bytes of a centroid of so many components. */
static inline uint32_t centroid_bytes(uint32_t components) { return (components + 1) / 2; }
/* Each component's step by its margin, up to 127 for four standard deviations. Where all weights
 * are 0 each counts as one deviation. */
static void cell_steps_in_order(const profile *p, const sketch *s, int8_t *in_order);
static void cell_steps_of(const profile *p, const sketch *s, cell_steps *steps);
static void cell_steps_from(const int8_t *in_order, uint32_t components, cell_steps *steps);
/* The scores of count centroids: the higher, the nearer; in every way the same. */
static void cell_scores(const cell_steps *steps, const uint8_t *centroids, uint32_t count, int registers,
                 int32_t *scores);
/* The lowest and the highest score that any centroid can have. */
static void cell_bounds(const cell_steps *steps, int32_t *lowest, int32_t *highest);

#endif


/* ======== registers.h ======== */
/* The registers of the processor that products are made in, with the same sums in each. */
#ifndef POCKET_REGISTERS_H
#define POCKET_REGISTERS_H

/* gcc does not align wide registers on the stack of Windows. */
#if defined(__x86_64__) && defined(__GNUC__) && !defined(POCKET_ARITHMETIC) && \
    (defined(__clang__) || !defined(_WIN32))
#include <cpuid.h>
#include <immintrin.h>
#define BY_PAIRS __attribute__((target("avx2")))
#define BY_FOURS __attribute__((target("avx512f,avx512bw,avx512vnni")))
#endif
#ifdef __GNUC__
#define ALWAYS_INLINE inline __attribute__((always_inline))
#else
#define ALWAYS_INLINE inline
#endif

/* How bytes are multiplied: one by one, or in registers whose instructions add two products, or
 * four. */
enum { REGISTERS_NONE, REGISTERS_PAIRS, REGISTERS_FOURS };

/* The best way of this processor. Ask once a file: on a virtual machine asking takes long. */
static int best_registers(void);

#endif

/* A centroid's values are 2 q - 15 for q of 0 .. 15, so that none is 0; the sum over q alone has
 * the same order, and half of what is taken off is known. */
static ALWAYS_INLINE int32_t score_of(const cell_steps *steps, const uint8_t *centroid,
                                      uint32_t from) {
    int32_t sum = 0;
    for (uint32_t i = from; i < steps->bytes; i++)
        sum += steps->even[i] * (centroid[i] & 15) + steps->odd[i] * (centroid[i] >> 4);
    return sum;
}

void cell_steps_in_order(const profile *p, const sketch *s, int8_t *in_order) {
    uint32_t count = coarse_components(p);
    int weighted = 0;
    for (uint32_t j = 0; j < count; j++) weighted |= s->weights[j] > 0;
    for (uint32_t j = 0; j < count; j++) {
        uint32_t step = (127 * (weighted ? s->weights[j] : 1024) + 2048) / 4096;
        int32_t size = step < 127 ? (int32_t)step : 127;
        in_order[j] = (int8_t)(s->digits[j] ? size : -size);
    }
}

void cell_steps_from(const int8_t *in_order, uint32_t components, cell_steps *steps) {
    steps->bytes = centroid_bytes(components);
    for (uint32_t i = 0; i < steps->bytes; i++) {
        steps->even[i] = in_order[2 * i];
        steps->odd[i] = 2 * i + 1 < components ? in_order[2 * i + 1] : 0;
    }
}

void cell_steps_of(const profile *p, const sketch *s, cell_steps *steps) {
    int8_t in_order[2 * CELL_MOST_BYTES];
    cell_steps_in_order(p, s, in_order);
    cell_steps_from(in_order, coarse_components(p), steps);
}

#ifdef BY_FOURS

/* The sums of four centroids, in four lanes of each quarter. */
static ALWAYS_INLINE BY_FOURS __m512i sums_of_four(const uint8_t *centroid,
                                                   const cell_steps *steps) {
    const __m512i mask = _mm512_set1_epi8(15), none = _mm512_setzero_si512();
    __m512i own[4] = {none, none, none, none};
    size_t bytes = steps->bytes;
    __mmask64 rest = ((uint64_t)1 << bytes % 64) - 1;
    for (size_t i = 0; i < bytes; i += 64) {
        __m512i even = _mm512_loadu_si512(steps->even + i),
                odd = _mm512_loadu_si512(steps->odd + i);
        _Pragma("GCC unroll 4") for (uint32_t c = 0; c < 4; c++) {
            const uint8_t *from = centroid + c * bytes + i;
            __m512i some = bytes - i < 64 ? _mm512_maskz_loadu_epi8(rest, from)
                                          : _mm512_loadu_si512(from),
                    high = _mm512_and_si512(_mm512_srli_epi16(some, 4), mask);
            own[c] = _mm512_dpbusd_epi32(own[c], _mm512_and_si512(some, mask), even);
            own[c] = _mm512_dpbusd_epi32(own[c], high, odd);
        }
    }
    __m512i one = _mm512_add_epi32(_mm512_unpacklo_epi32(own[0], own[1]),
                                   _mm512_unpackhi_epi32(own[0], own[1])),
            other = _mm512_add_epi32(_mm512_unpacklo_epi32(own[2], own[3]),
                                     _mm512_unpackhi_epi32(own[2], own[3]));
    return _mm512_add_epi32(_mm512_unpacklo_epi64(one, other), _mm512_unpackhi_epi64(one, other));
}

static ALWAYS_INLINE BY_FOURS __m512i sums_of_quarters(__m512i one, __m512i other) {
    return _mm512_add_epi32(_mm512_shuffle_i32x4(one, other, 0x88),
                            _mm512_shuffle_i32x4(one, other, 0xDD));
}

/* Sixteen centroids at a time, of which there are as many; the last ones may have been taken
 * already.
 */
static BY_FOURS void scores_by_fours(const cell_steps *steps, const uint8_t *centroids,
                                     uint32_t count, int32_t *scores) {
    for (uint32_t k = 0; k < count; k += 16) {
        if (count - k < 16) k = count - 16;
        const uint8_t *own = centroids + (size_t)k * steps->bytes;
        size_t four = 4 * (size_t)steps->bytes;
        __m512i low = sums_of_quarters(sums_of_four(own, steps), sums_of_four(own + four, steps)),
                high = sums_of_quarters(sums_of_four(own + 2 * four, steps),
                                        sums_of_four(own + 3 * four, steps));
        _mm512_storeu_si512(scores + k, sums_of_quarters(low, high));
    }
}

/* Two products of a step with at most 15, and the sum of two such, fit into 16 bits. */
static ALWAYS_INLINE BY_PAIRS __m256i add_pairs(__m256i sums, __m256i some, const cell_steps *steps,
                                                uint32_t at) {
    const __m256i mask = _mm256_set1_epi8(15);
    __m256i low = _mm256_maddubs_epi16(_mm256_and_si256(some, mask),
                                       _mm256_loadu_si256((const __m256i *)(steps->even + at))),
            high = _mm256_maddubs_epi16(_mm256_and_si256(_mm256_srli_epi16(some, 4), mask),
                                        _mm256_loadu_si256((const __m256i *)(steps->odd + at)));
    return _mm256_add_epi32(sums,
                            _mm256_madd_epi16(_mm256_add_epi16(low, high), _mm256_set1_epi16(1)));
}

/* The sums over all of a centroid but its last bytes, which bytes % 16 counts. */
static ALWAYS_INLINE BY_PAIRS __m256i sums_of_centroid(const uint8_t *centroid,
                                                       const cell_steps *steps) {
    __m256i sums = _mm256_setzero_si256();
    uint32_t i = 0, bytes = steps->bytes;
    for (; i + 32 <= bytes; i += 32)
        sums = add_pairs(sums, _mm256_loadu_si256((const __m256i *)(centroid + i)), steps, i);
    if (i + 16 > bytes) return sums;
    /* The other half of the register is zeros, whatever steps it meets. */
    __m128i half = _mm_loadu_si128((const __m128i *)(centroid + i));
    return add_pairs(sums, _mm256_zextsi128_si256(half), steps, i);
}

static BY_PAIRS void scores_by_pairs(const cell_steps *steps, const uint8_t *centroids,
                                     uint32_t count, int32_t *scores) {
    uint32_t k = 0, bytes = steps->bytes;
    for (; k + 4 <= count; k += 4, centroids += 4 * (size_t)bytes) {
        __m256i sums[4];
        for (uint32_t c = 0; c < 4; c++) sums[c] = sums_of_centroid(centroids + c * bytes, steps);
        __m256i both = _mm256_hadd_epi32(_mm256_hadd_epi32(sums[0], sums[1]),
                                         _mm256_hadd_epi32(sums[2], sums[3]));
        __m128i four =
            _mm_add_epi32(_mm256_castsi256_si128(both), _mm256_extracti128_si256(both, 1));
        _mm_storeu_si128((__m128i *)(scores + k), four);
        for (uint32_t c = 0; bytes % 16 && c < 4; c++)
            scores[k + c] += score_of(steps, centroids + c * bytes, bytes / 16 * 16);
    }
    for (; k < count; k++, centroids += bytes) scores[k] = score_of(steps, centroids, 0);
}

#endif

void cell_scores(const cell_steps *steps, const uint8_t *centroids, uint32_t count, int registers,
                 int32_t *scores) {
#ifdef BY_FOURS
    if (registers == REGISTERS_FOURS && count >= 16) {
        scores_by_fours(steps, centroids, count, scores);
        return;
    }
    if (registers) {
        scores_by_pairs(steps, centroids, count, scores);
        return;
    }
#endif
    (void)registers;
    for (uint32_t k = 0; k < count; k++)
        scores[k] = score_of(steps, centroids + (size_t)k * steps->bytes, 0);
}

void cell_bounds(const cell_steps *steps, int32_t *lowest, int32_t *highest) {
    *lowest = *highest = 0;
    for (uint32_t i = 0; i < steps->bytes; i++) {
        int32_t even = 15 * steps->even[i], odd = 15 * steps->odd[i];
        *lowest += (even < 0 ? even : 0) + (odd < 0 ? odd : 0);
        *highest += (even > 0 ? even : 0) + (odd > 0 ? odd : 0);
    }
}

/* ======== ff.c ======== */
/* Scheme `ff`: fuzzy-fingerprinting as published (Stein & Potthast, DIR 2007, 3.1), in integers.
 * docs/format.md 2.3 is the definition. */

/* ======== prefix.h ======== */
/* From a term to the bin of its prefix: shared by the schemes with prefix classes and by the
 * learning of profiles. */
#ifndef POCKET_PREFIX_H
#define POCKET_PREFIX_H


/* The murmur hash of the term's first `prefix` code points. */
static inline uint64_t prefix_hash(const uint8_t *term, size_t length, uint32_t prefix) {
    size_t end = 0;
    for (uint32_t points = 0; end < length; end++) {
        if ((term[end] & 0xC0) != 0x80 && points++ == prefix) break;
    }
    return murmur(term, end);
}

#endif

#define FF_CLASSES 256u

typedef struct ff_body {
    const uint8_t *expectation, *classes;
    uint32_t prefix, bins, count;
} ff_body;

static ff_body ff_open_body(const profile *p) {
    ff_body b = {p->body + 16, NULL, p->fields[0], p->fields[1], p->fields[2]};
    b.classes = b.expectation + 4 * (uint64_t)b.count;
    return b;
}

static const char *ff_check(const profile *p) {
    if (p->body_length < 16) return "body";
    ff_body b = ff_open_body(p);
    if (b.prefix < 1 || b.prefix > 16) return "prefix length";
    if (b.bins < 256 || b.bins > 131072 || (b.bins & (b.bins - 1))) return "prefix bins";
    if (b.count < 2 || b.count > FF_CLASSES) return "classes";
    if (p->fields[3] != 0) return "reserved";
    uint64_t used = 16 + 4ull * b.count + b.bins;
    if (p->body_length != pad8(used)) return "body";
    for (uint64_t i = used; i < p->body_length; i++)
        if (p->body[i] != 0) return "body";
    for (uint32_t i = 0; i < b.count; i++)
        if (load32(b.expectation + 4 * i) == 0) return "expectation";
    for (uint32_t i = 0; i < b.bins; i++)
        if (b.classes[i] >= b.count) return "classes";
    for (uint32_t j = 0; j < p->component_count; j++)
        if (component_source(p, j) >= b.count) return "source";
    for (uint32_t i = 0; i < p->border_count; i++)
        if ((int32_t)load32(p->borders + 4 * i) < -65536) return "borders";
    return NULL;
}

/* E (1 + beta), in units of 2^-32. */
static uint64_t threshold(uint32_t expectation, int32_t beta) {
    uint64_t factor = (uint64_t)((int64_t)beta + 65536),
             whole = (uint64_t)expectation * factor >> 16;
    return whole > UINT32_MAX ? UINT32_MAX : whole;
}

static uint32_t cost(uint64_t count, uint64_t total, uint64_t border, uint32_t expectation) {
    uint64_t a = count << 32, b = total * border, d = (a > b ? a - b : b - a) / total >> 4;
    uint64_t c = d * d / expectation + 1;
    return c >= POCKET_NO_MOVE ? POCKET_NO_MOVE - 1 : (uint32_t)c;
}

/* The class of a term; -1 for a stop word. */
static inline int32_t class_of(const profile *p, const ff_body *b, const term_stream *term) {
    /* Both hashes before the first decision, so that a processor computes them side by side. */
    uint64_t whole = murmur(term->bytes, term->length),
             bin = prefix_hash(term->bytes, term->length, b->prefix) & (b->bins - 1);
    return profile_stops(p->stops, p->stop_slots, whole) ? -1 : b->classes[bin];
}

static pocket_class ff_classify(const profile *p, const term_stream *term) {
    ff_body b = ff_open_body(p);
    return (pocket_class){murmur(term->bytes, term->length), class_of(p, &b, term), 1};
}

static uint32_t ff_classes(const profile *p) { return ff_open_body(p).count; }

static int32_t ff_influence(const profile *p, const pocket_class *term, uint32_t component) {
    return component_source(p, component) == (uint32_t)term->number ? term->value : 0;
}

static uint32_t ff_embed(const profile *p, const uint8_t *text, uint64_t length, sketch *out) {
    ff_body b = ff_open_body(p);
    uint32_t counts[FF_CLASSES] = {0};
    term_stream terms;
    uint64_t total = 0;
    term_stream_begin(&terms, text, length, p->stream);
    terms.meter = out->meter;
    while (term_stream_next(&terms)) {
        int32_t number = class_of(p, &b, &terms);
        uint32_t counted = number >= 0;
        counts[counted ? number : 0] += counted;
        total += counted;
    }
    out->terms = total;
    if (total < p->least_terms) return POCKET_TEXT_TOO_SHORT;
    const uint8_t *borders = p->borders;
    for (uint32_t j = 0; j < p->component_count; j++) {
        uint32_t source = component_source(p, j), last = component_intervals(p, j) - 1, digit = 0;
        uint32_t expectation = load32(b.expectation + 4 * source);
        uint64_t count = counts[source];
        while (digit < last &&
               count << 32 >= total * threshold(expectation, (int32_t)load32(borders + 4 * digit)))
            digit++;
        out->digits[j] = (uint8_t)digit;
        if (out->down) {
            out->down[j] = out->up[j] = POCKET_NO_MOVE;
            if (digit > 0)
                out->down[j] =
                    cost(count, total,
                         threshold(expectation, (int32_t)load32(borders + 4 * (digit - 1))),
                         expectation);
            if (digit < last)
                out->up[j] =
                    cost(count, total, threshold(expectation, (int32_t)load32(borders + 4 * digit)),
                         expectation);
            out->weights[j] = 1;
        }
        borders += 4 * last;
    }
    return POCKET_OK;
}

static const scheme scheme_ff = {1, 0, 1, ff_check, ff_embed, ff_classify, ff_classes, ff_influence};

/* ======== hamming.c ======== */

/* ======== hamming.h ======== */
/* Hamming distances of packed sketches of bits, by the best instructions that the processor has;
 * with any of them the same. */
#ifndef POCKET_HAMMING_H
#define POCKET_HAMMING_H

#include <stddef.h>
#include <stdint.h>

#define HAMMING_MOST_BYTES 16u /* of the coarse code of a packed sketch of bits */

/* How ones are counted: as arithmetic, by an instruction for 64 bits, or for eight sketches at
 * once. */
enum { COUNTING_ARITHMETIC, COUNTING_WORDS, COUNTING_EIGHTS };

typedef struct hamming {
    uint64_t own[HAMMING_MOST_BYTES / 8]; /* the last one padded with zeros */
    size_t bytes;
    int counting;
} hamming;

/* Entries that may be written behind those that are found. */
#define HAMMING_SPARE 8u

/* count sketches, one after the other, numbered from first on; ahead: what will be compared after
 * them, which memory is asked for meanwhile. */
typedef struct sketches_in_row {
    const uint8_t *packed, *ahead;
    uint32_t first, count;
} sketches_in_row;

/* The best way of this processor. Ask once a file: on a virtual machine asking takes long. */
static int hamming_counting(void);
static void hamming_begin(hamming *h, int counting, const uint8_t *own, size_t bytes);
/* Write distance << 32 | number of those of the sketches that are nearer than limit; returns how
 * many. out has room for all and for HAMMING_SPARE more. */
static uint32_t hamming_near(const hamming *h, sketches_in_row s, uint32_t limit, uint64_t *out);

#endif


/* ======== bits.h ======== */
/* Counting and finding bits. */
#ifndef POCKET_BITS_H
#define POCKET_BITS_H

#include <stdint.h>

static inline uint32_t count_ones(uint64_t x) {
    x -= x >> 1 & 0x5555555555555555ull;
    x = (x & 0x3333333333333333ull) + (x >> 2 & 0x3333333333333333ull);
    x = (x + (x >> 4)) & 0x0F0F0F0F0F0F0F0Full;
    return (uint32_t)(x * 0x0101010101010101ull >> 56);
}

/* The place of the highest, and of the lowest one of a number that is not 0. */
static inline uint32_t highest_one(uint64_t x) {
#ifdef __GNUC__
    return 63u - (uint32_t)__builtin_clzll(x);
#else
    for (uint32_t i = 1; i < 64; i *= 2) x |= x >> i;
    return count_ones(x) - 1;
#endif
}

static inline uint32_t lowest_one(uint64_t x) {
#ifdef __GNUC__
    return (uint32_t)__builtin_ctzll(x);
#else
    return count_ones((x & (0 - x)) - 1);
#endif
}

/* The place of the one that has `skip` ones below it, where there is one (broadword selection,
 * Vigna 2008). */
static inline uint32_t one_at(uint64_t bits, uint32_t skip) {
    const uint64_t each = 0x0101010101010101ull, high = each << 7;
    uint64_t sums = bits - (bits >> 1 & 0x5555555555555555ull);
    sums = (sums & 0x3333333333333333ull) + (sums >> 2 & 0x3333333333333333ull);
    sums = ((sums + (sums >> 4)) & 0x0F0F0F0F0F0F0F0Full) * each;
    /* Byte i of sums counts the ones up to and with byte i. How many bytes do not have more than
     * skip? */
    uint32_t place = (uint32_t)((((~(sums + (127 - skip) * each) & high) >> 7) * each) >> 56) * 8;
    skip -= (uint32_t)(sums << 8 >> place & 0xFF);
    for (bits >>= place; skip > 0; skip--) bits &= bits - 1;
    return place + lowest_one(bits);
}

#endif

/* gcc does not align wide registers on the stack of Windows. */
#if defined(__x86_64__) && defined(__GNUC__) && !defined(POCKET_ARITHMETIC) && \
    (defined(__clang__) || !defined(_WIN32))
#include <cpuid.h>
#include <immintrin.h>
#define WORDS __attribute__((target("popcnt")))
#define EIGHTS __attribute__((target("popcnt,avx512f,avx512vpopcntdq")))
#ifndef COUNTING_MOST /* tests take less than the processor has */
#define COUNTING_MOST COUNTING_EIGHTS
#endif
#endif
#ifdef __GNUC__
#define ALWAYS_INLINE inline __attribute__((always_inline))
#else
#define ALWAYS_INLINE inline
#endif

typedef uint32_t (*counter)(uint64_t);

static ALWAYS_INLINE uint32_t ones_of_word(uint64_t x) {
#if defined(__GNUC__) && !defined(POCKET_ARITHMETIC)
    return (uint32_t)__builtin_popcountll(x);
#else
    return count_ones(x);
#endif
}

static ALWAYS_INLINE uint64_t load_word(const uint8_t *p, size_t bytes) {
    if (bytes == 8) return load64(p);
    uint64_t word = 0;
    for (size_t i = 0; i < bytes; i++) word |= (uint64_t)p[i] << (8 * i);
    return word;
}

void hamming_begin(hamming *h, int counting, const uint8_t *own, size_t bytes) {
    memset(h->own, 0, sizeof h->own);
    for (size_t i = 0; i < bytes; i += 8)
        h->own[i / 8] = load_word(own + i, bytes - i < 8 ? bytes - i : 8);
    h->bytes = bytes;
    h->counting = counting;
}

static ALWAYS_INLINE uint32_t distance(const uint64_t *own, const uint8_t *packed, size_t bytes,
                                       counter ones) {
    uint32_t sum = 0;
    for (size_t i = 0; i < bytes / 8; i++) sum += ones(load_word(packed + 8 * i, 8) ^ own[i]);
    if (bytes % 8) sum += ones(load_word(packed + bytes / 8 * 8, bytes % 8) ^ own[bytes / 8]);
    return sum;
}

/* Without a branch: one document in fifty is near, and nobody can foretell which. */
static ALWAYS_INLINE uint64_t *put_near(uint64_t *out, uint32_t distance, uint32_t limit,
                                        uint32_t number) {
    *out = (uint64_t)distance << 32 | number;
    return out + (distance < limit);
}

static ALWAYS_INLINE uint32_t one_by_one(const hamming *h, sketches_in_row s, uint32_t limit,
                                         uint64_t *out, counter ones) {
    const uint64_t *start = out;
    for (uint32_t i = 0; i < s.count; i++, s.packed += h->bytes)
        out = put_near(out, distance(h->own, s.packed, h->bytes, ones), limit, s.first + i);
    return (uint32_t)(out - start);
}

/* Sketches of the default width, four at a time: that takes two thirds of the time that they take
 * one by one. (near alone is a macro of windows.h.) */
static ALWAYS_INLINE uint32_t find_near(const hamming *h, sketches_in_row s, uint32_t limit,
                                        uint64_t *out, counter ones) {
    const uint64_t *own = h->own, *start = out;
    if (h->bytes != 16) return one_by_one(h, s, limit, out, ones);
    for (; s.count >= 4; s.first += 4, s.count -= 4, s.packed += 64, s.ahead += 64) {
        const uint8_t *p = s.packed;
        FETCH(s.ahead);
        uint32_t a = distance(own, p, 16, ones), b = distance(own, p + 16, 16, ones);
        uint32_t c = distance(own, p + 32, 16, ones), d = distance(own, p + 48, 16, ones);
        out = put_near(out, a, limit, s.first);
        out = put_near(out, b, limit, s.first + 1);
        out = put_near(out, c, limit, s.first + 2);
        out = put_near(out, d, limit, s.first + 3);
    }
    return (uint32_t)(out - start) + one_by_one(h, s, limit, out, ones);
}

#ifndef WORDS

int hamming_counting(void) {
    return COUNTING_WORDS;
} /* what the compiler makes of it is the best there is */

uint32_t hamming_near(const hamming *h, sketches_in_row s, uint32_t limit, uint64_t *out) {
    return find_near(h, s, limit, out, ones_of_word);
}

#else

/* Does the system save the registers of 512 bits? */
static int saves_registers(void) {
    uint32_t low, high;
    __asm__("xgetbv" : "=a"(low), "=d"(high) : "c"(0));
    return (low & 0xE6u) == 0xE6u;
}

static int best_counting(void) {
    unsigned int a, b = 0, c = 0, d, basic;
    if (!__get_cpuid(1, &a, &b, &basic, &d) || !(basic & bit_POPCNT)) return COUNTING_ARITHMETIC;
    if (!(basic & bit_OSXSAVE) || !saves_registers() || !__get_cpuid_count(7, 0, &a, &b, &c, &d))
        return COUNTING_WORDS;
    return (b & bit_AVX512F) && (c & bit_AVX512VPOPCNTDQ) ? COUNTING_EIGHTS : COUNTING_WORDS;
}

int hamming_counting(void) {
    int best = best_counting();
    return best < COUNTING_MOST ? best : COUNTING_MOST;
}

static WORDS uint32_t near_by_words(const hamming *h, sketches_in_row s, uint32_t limit,
                                    uint64_t *out) {
    return find_near(h, s, limit, out, ones_of_word);
}

#define EIGHTS_LEAST 8u /* bytes of the sketches that are taken eight at a time */

#define XOR_AND 0x28 /* (a ^ b) & c */

/* The ones of the halves of four sketches. Those of 16 bytes are loaded together, others each into
 * a quarter of a register with what comes after it, which mask takes away. */
static EIGHTS ALWAYS_INLINE __m512i count_halves(const uint8_t *p, size_t bytes, __m512i query,
                                                 __m512i mask) {
    if (bytes == HAMMING_MOST_BYTES)
        return _mm512_popcnt_epi64(_mm512_xor_si512(_mm512_loadu_si512(p), query));
    __m512i four = _mm512_castsi128_si512(_mm_loadu_si128((const __m128i *)p));
    four = _mm512_inserti32x4(four, _mm_loadu_si128((const __m128i *)(p + bytes)), 1);
    four = _mm512_inserti32x4(four, _mm_loadu_si128((const __m128i *)(p + 2 * bytes)), 2);
    four = _mm512_inserti32x4(four, _mm_loadu_si128((const __m128i *)(p + 3 * bytes)), 3);
    return _mm512_popcnt_epi64(_mm512_ternarylogic_epi64(four, query, mask, XOR_AND));
}

/* Put those of eight sketches that are near and in taken: they are pressed together in the register
 * and all eight places written. A branch that is taken for one of ten costs more than all this. */
static EIGHTS ALWAYS_INLINE uint64_t *put_near_of_eight(__m512i a, __m512i b, __m512i bound,
                                                        __m512i numbers, uint32_t taken,
                                                        uint64_t *out) {
    const __m512i even = _mm512_set_epi64(14, 12, 10, 8, 6, 4, 2, 0),
                  odd = _mm512_set_epi64(15, 13, 11, 9, 7, 5, 3, 1);
    __m512i sums = _mm512_add_epi64(_mm512_permutex2var_epi64(a, even, b),
                                    _mm512_permutex2var_epi64(a, odd, b));
    __m512i entries = _mm512_or_si512(_mm512_slli_epi64(sums, 32), numbers);
    __mmask8 within = _mm512_cmplt_epu64_mask(sums, bound) & (__mmask8)taken;
    _mm512_storeu_si512(out, _mm512_maskz_compress_epi64(within, entries));
    return out + __builtin_popcount(within);
}

/* Sketches of 8 to 16 bytes, eight at a time. For the rest the last eight are taken once more, or
 * copied to where more can be loaded than they have. */
static EIGHTS ALWAYS_INLINE uint32_t find_by_eights(const hamming *h, sketches_in_row s,
                                                    size_t bytes, uint32_t limit, uint64_t *out) {
    const uint8_t *p = s.packed;
    static const uint8_t marks[32] = {255, 255, 255, 255, 255, 255, 255, 255,
                                      255, 255, 255, 255, 255, 255, 255, 255};
    const __m512i query = _mm512_broadcast_i32x4(_mm_loadu_si128((const __m128i *)h->own)),
                  bound = _mm512_set1_epi64(limit),
                  mask = _mm512_broadcast_i32x4(
                      _mm_loadu_si128((const __m128i *)(marks + HAMMING_MOST_BYTES - h->bytes)));
    const __m512i eight = _mm512_set1_epi64(8), up = _mm512_set_epi64(7, 6, 5, 4, 3, 2, 1, 0);
    __m512i numbers = _mm512_add_epi64(_mm512_set1_epi64(s.first), up);
    const uint64_t *start = out;
    uint32_t i = 0, loaded = bytes < HAMMING_MOST_BYTES ? 9 : 8, taken = 0xFF;
    for (; s.count - i >= loaded; i += 8, p += 8 * bytes, s.ahead += 8 * bytes) {
        FETCH(s.ahead);
        FETCH(s.ahead + 64);
        out = put_near_of_eight(count_halves(p, bytes, query, mask),
                                count_halves(p + 4 * bytes, bytes, query, mask), bound, numbers,
                                taken, out);
        numbers = _mm512_add_epi64(numbers, eight);
    }
    if (i == s.count) return (uint32_t)(out - start);
    uint8_t last[9 * HAMMING_MOST_BYTES];
    if (i >= 8 && loaded == 8) {
        taken <<= 8 - (s.count - i);
        p -= (8 - (s.count - i)) * bytes;
        i = s.count - 8;
    } else {
        memset(last, 0, sizeof last);
        memcpy(last, p, (s.count - i) * bytes);
        taken >>= 8 - (s.count - i);
        p = last;
    }
    out = put_near_of_eight(count_halves(p, bytes, query, mask),
                            count_halves(p + 4 * bytes, bytes, query, mask), bound,
                            _mm512_add_epi64(_mm512_set1_epi64(s.first + i), up), taken, out);
    return (uint32_t)(out - start);
}

static EIGHTS uint32_t near_by_eights(const hamming *h, sketches_in_row s, uint32_t limit,
                                      uint64_t *out) {
    return h->bytes == HAMMING_MOST_BYTES ? find_by_eights(h, s, HAMMING_MOST_BYTES, limit, out)
                                          : find_by_eights(h, s, h->bytes, limit, out);
}

uint32_t hamming_near(const hamming *h, sketches_in_row s, uint32_t limit, uint64_t *out) {
    if (h->counting == COUNTING_EIGHTS && h->bytes >= EIGHTS_LEAST)
        return near_by_eights(h, s, limit, out);
    if (h->counting >= COUNTING_WORDS) return near_by_words(h, s, limit, out);
    return find_near(h, s, limit, out, count_ones);
}

#endif

/* ======== hashed.c ======== */
/* The schemes that project a text's weighted terms onto hashed directions, in integers: `rff`,
 * whose directions have two classes each, and `plsh`, whose directions give it a Gaussian number.
 * docs/format.md 2.4 and 2.5 are the definition. */

/* ======== root.h ======== */
/* Integer square root. */
#ifndef POCKET_ROOT_H
#define POCKET_ROOT_H

#include <stdint.h>

static inline uint32_t square_root(uint64_t x) {
    uint64_t root = 0, bit = 1ull << 62;
    while (bit > x) bit >>= 2;
    for (; bit != 0; bit >>= 2) {
        if (x >= root + bit) {
            x -= root + bit;
            root = (root >> 1) + bit;
        } else {
            root >>= 1;
        }
    }
    return (uint32_t)root;
}

#endif

#define HASHED_HEAD 8u
#define MAX_DIRECTIONS 1024u /* a multiple of 64 */
#define LEAST_SLOTS 256u
#define MOST_SLOTS 131072u

typedef struct hashed_body {
    const uint8_t *weights;
    uint32_t slots, directions;
} hashed_body;

static hashed_body hashed_open_body(const profile *p) {
    return (hashed_body){p->body + HASHED_HEAD, p->fields[0], p->fields[1]};
}

static const char *hashed_check(const profile *p) {
    if (p->body_length < HASHED_HEAD) return "body";
    uint32_t slots = p->fields[0], directions = p->fields[1];
    if (slots < LEAST_SLOTS || slots > MOST_SLOTS || (slots & (slots - 1))) return "term weights";
    if (directions < 1 || directions > MAX_DIRECTIONS) return "directions";
    if (p->body_length != HASHED_HEAD + slots) return "body";
    for (uint32_t j = 0; j < p->component_count; j++)
        if (component_source(p, j) >= directions) return "source";
    return NULL;
}

static int32_t weight_of(const hashed_body *b, uint64_t whole) {
    return b->weights[whole >> 32 & (b->slots - 1)];
}

static pocket_class hashed_classify(const profile *p, const term_stream *term) {
    hashed_body b = hashed_open_body(p);
    uint64_t whole = murmur(term->bytes, term->length);
    int stops = profile_stops(p->stops, p->stop_slots, whole);
    return (pocket_class){whole, stops ? -1 : 0, stops ? 0 : weight_of(&b, whole)};
}

static uint32_t hashed_classes(const profile *p) {
    (void)p;
    return 1;
}

/* The two classes of a term in 64 directions, a bit each: in one of four it is in the first class,
 * in one of four in the second, in the others in neither. So a text's sums are nearer to the
 * Gaussian ones that its similarity expects than if every term were in either (docs/design.md). */
typedef struct term_classes {
    uint64_t first, second;
} term_classes;

static inline term_classes classes_of(uint64_t whole, uint32_t word) {
    uint64_t a = mix64(whole + 2 * word + 1), b = mix64(whole + 2 * word + 2);
    return (term_classes){a & b, ~(a | b)};
}

/* The ones of 64 bits by chance are as good as normally distributed: mean 32, variance 16. */
static inline int32_t gaussian(uint64_t whole, uint32_t direction) {
    return (int32_t)count_ones(mix64(whole + direction + 1)) - 32;
}

static int is_gaussian(const profile *p) { return p->scheme == &scheme_plsh; }

static int32_t hashed_influence(const profile *p, const pocket_class *term, uint32_t component) {
    uint32_t direction = component_source(p, component);
    if (is_gaussian(p)) return gaussian(term->hash, direction) * term->value;
    term_classes c = classes_of(term->hash, direction / 64);
    return ((int32_t)(c.first >> direction % 64 & 1) - (int32_t)(c.second >> direction % 64 & 1)) *
           term->value;
}

/* ---- sums of terms, direction by direction ---- */

/* So many terms, of weight 255 at most, fit in 16 bits: the fast sums. */
#define TERMS_AT_ONCE 128u

typedef struct sums {
    int16_t now[MAX_DIRECTIONS];
    int64_t all[MAX_DIRECTIONS];
    uint32_t count, terms;
} sums;

static void gather_sums(sums *s) {
    for (uint32_t j = 0; j < s->count; j++) {
        s->all[j] += s->now[j];
        s->now[j] = 0;
    }
    s->terms = 0;
}

/* Eight bits as eight numbers. */
#define ONE(b, k) ((b) >> (k) & 1)
#define ROW(b) \
    {ONE(b, 0), ONE(b, 1), ONE(b, 2), ONE(b, 3), ONE(b, 4), ONE(b, 5), ONE(b, 6), ONE(b, 7)}
#define ROWS4(b) ROW(b), ROW((b) + 1), ROW((b) + 2), ROW((b) + 3)
#define ROWS16(b) ROWS4(b), ROWS4((b) + 4), ROWS4((b) + 8), ROWS4((b) + 12)
#define ROWS64(b) ROWS16(b), ROWS16((b) + 16), ROWS16((b) + 32), ROWS16((b) + 48)
static const int16_t byte_bits[256][8] = {ROWS64(0), ROWS64(64), ROWS64(128), ROWS64(192)};

static inline void add_eight(int16_t *restrict to, term_classes c, uint32_t shift, int16_t weight) {
    const int16_t *restrict first = byte_bits[c.first >> shift & 255],
                            *restrict second = byte_bits[c.second >> shift & 255];
    for (uint32_t k = 0; k < 8; k++) to[k] = (int16_t)(to[k] + (first[k] - second[k]) * weight);
}

/* Sums beyond the last direction, up to the next eight, are added to and not read. */
static void add_by_eights(sums *s, uint64_t whole, int16_t weight) {
    for (uint32_t j = 0; j < s->count; j += 64) {
        term_classes c = classes_of(whole, j / 64);
        uint32_t left = s->count - j < 64 ? s->count - j : 64;
        for (uint32_t shift = 0; shift < left; shift += 8)
            add_eight(s->now + j + shift, c, shift, weight);
    }
}

#ifdef BY_FOURS

/* A class is a mask of 32 sums, in a register that wide. Those beyond the last direction, up to the
 * next 64, are added to and not read. */
static ALWAYS_INLINE BY_FOURS void add_masked(int16_t *to, uint64_t first, uint64_t second,
                                              __m512i weight) {
    __m512i own = _mm512_loadu_si512(to);
    own = _mm512_mask_add_epi16(own, (__mmask32)first, own, weight);
    _mm512_storeu_si512(to, _mm512_mask_sub_epi16(own, (__mmask32)second, own, weight));
}

static BY_FOURS void add_by_masks(sums *s, uint64_t whole, int16_t weight) {
    __m512i wide = _mm512_set1_epi16(weight);
    for (uint32_t j = 0; j < s->count; j += 64) {
        term_classes c = classes_of(whole, j / 64);
        add_masked(s->now + j, c.first, c.second, wide);
        if (j + 32 < s->count) add_masked(s->now + j + 32, c.first >> 32, c.second >> 32, wide);
    }
}

#else
#define add_by_masks add_by_eights
#endif

static void add_term(sums *s, uint64_t whole, int16_t weight, int registers) {
    if (registers == REGISTERS_FOURS)
        add_by_masks(s, whole, weight);
    else
        add_by_eights(s, whole, weight);
    if (++s->terms == TERMS_AT_ONCE) gather_sums(s);
}

static void add_gaussian_term(sums *s, uint64_t whole, int32_t weight) {
    for (uint32_t j = 0; j < s->count; j++) s->all[j] += gaussian(whole, j) * weight;
}

static uint64_t read_terms(const profile *p, const hashed_body *b, const uint8_t *text,
                           uint64_t length, meter *steps, sums *s) {
    term_stream terms;
    uint64_t total = 0;
    int gaussians = is_gaussian(p);
    s->count = b->directions;
    s->terms = 0;
    memset(s->now, 0, sizeof s->now);
    memset(s->all, 0, s->count * sizeof *s->all);
    term_stream_begin(&terms, text, length, p->stream);
    terms.meter = steps;
    while (term_stream_next(&terms)) {
        uint64_t whole = murmur(terms.bytes, terms.length);
        if (profile_stops(p->stops, p->stop_slots, whole)) continue;
        if (steps && interrupted(steps, s->count / (gaussians ? 32 : 256))) break;
        if (gaussians)
            add_gaussian_term(s, whole, weight_of(b, whole));
        else
            add_term(s, whole, (int16_t)weight_of(b, whole), p->registers);
        total++;
    }
    gather_sums(s);
    return total;
}

/* ---- sums -> ratios -> digits ---- */

static uint64_t magnitude(int64_t x) { return x < 0 ? 0 - (uint64_t)x : (uint64_t)x; }

/* Divide the sums, toward zero, by the power of two that brings the largest below 2^20; returns
 * their root mean square in 1/256. */
static int64_t normalise(sums *s) {
    uint64_t largest = 0, squares = 0;
    uint32_t shift = 0;
    for (uint32_t j = 0; j < s->count; j++)
        if (magnitude(s->all[j]) > largest) largest = magnitude(s->all[j]);
    while (largest >> shift >= 1u << 20) shift++;
    for (uint32_t j = 0; j < s->count; j++) {
        s->all[j] = s->all[j] < 0 ? -(-s->all[j] >> shift) : s->all[j] >> shift;
        squares += (uint64_t)(s->all[j] * s->all[j]);
    }
    uint32_t root = square_root(squares / s->count << 16);
    return root ? root : 1;
}

/* Distance of a ratio (16.16) to a border, in 1/1024. */
static uint32_t margin(int64_t ratio, int32_t border) {
    uint64_t distance = magnitude(ratio - border) >> 6;
    return distance < 65535 ? (uint32_t)distance : 65535;
}

/* A component's digit, costs and weight from its ratio. */
static void place(const profile *p, sketch *out, uint32_t j, int64_t ratio, const uint8_t *borders,
                  uint32_t last) {
    uint32_t digit = 0, down = POCKET_NO_MOVE, up = POCKET_NO_MOVE;
    while (digit < last && ratio >= (int32_t)load32(borders + 4 * digit)) digit++;
    out->digits[j] = (uint8_t)digit;
    if (!out->down) return;
    if (digit > 0) down = margin(ratio, (int32_t)load32(borders + 4 * (digit - 1)));
    if (digit < last) up = margin(ratio, (int32_t)load32(borders + 4 * digit));
    out->weights[j] = !p->scheme->cosine ? 1 : down < up ? down : up;
    out->down[j] = down == POCKET_NO_MOVE ? POCKET_NO_MOVE : down * down + 1;
    out->up[j] = up == POCKET_NO_MOVE ? POCKET_NO_MOVE : up * up + 1;
}

static uint32_t hashed_embed(const profile *p, const uint8_t *text, uint64_t length, sketch *out) {
    hashed_body b = hashed_open_body(p);
    sums s;
    out->terms = read_terms(p, &b, text, length, out->meter, &s);
    if (out->terms < p->least_terms) return POCKET_TEXT_TOO_SHORT;
    int64_t root = normalise(&s);
    const uint8_t *borders = p->borders;
    for (uint32_t j = 0; j < p->component_count; j++) {
        uint32_t last = component_intervals(p, j) - 1;
        place(p, out, j, s.all[component_source(p, j)] * (1 << 24) / root, borders, last);
        borders += 4 * last;
    }
    return POCKET_OK;
}

static const scheme scheme_rff = {
    2, 1, 1, hashed_check, hashed_embed, hashed_classify, hashed_classes, hashed_influence};
static const scheme scheme_plsh = {
    3, 0, 1, hashed_check, hashed_embed, hashed_classify, hashed_classes, hashed_influence};

/* ======== minhash.c ======== */
/* Schemes `minhash` and `wminhash`: the least hashes of a text's shingles, a few bits of each
 * (docs/format.md 2.6). They have no margins: their keys are looked up, not probed. */

#define MINHASH_HEAD 16u
#define MOST_COMPONENTS 4096u
#define MOST_VALUES \
    32768u /* of hash functions that a term may cost: copies of a shingle times components */

/* How many copies of a shingle count: one, or as many as the weight of its last term has units. */
static uint32_t copies_of(const profile *p, uint32_t weight) {
    return p->fields[1] ? (weight + p->fields[2] - 1) / p->fields[2] : 1;
}

static const char *minhash_check(const profile *p) {
    const uint32_t *f = p->fields, terms = f[0], slots = f[1];
    if (p->body_length < MINHASH_HEAD) return "body";
    if (terms < 1 || terms > SHINGLE_TERMS) return "terms of a shingle";
    if (slots != 0 && (slots < 256 || slots > 131072 || (slots & (slots - 1))))
        return "term weights";
    if ((p->scheme == &scheme_wminhash) != (slots > 0)) return "term weights";
    if (f[2] > 255 || (slots > 0) != (f[2] > 0)) return "weight of a copy";
    if (f[3] != 0) return "reserved";
    if (p->body_length != MINHASH_HEAD + slots) return "body";
    for (uint32_t j = 0; j < p->component_count; j++)
        if (component_intervals(p, j) & (component_intervals(p, j) - 1)) return "intervals";
    for (uint32_t i = 0; i < slots; i++)
        if (copies_of(p, p->body[MINHASH_HEAD + i]) * p->component_count > MOST_VALUES)
            return "copies of a shingle";
    return NULL;
}

static uint32_t minhash_embed(const profile *p, const uint8_t *text, uint64_t length, sketch *out) {
    const uint8_t *weights = p->body + MINHASH_HEAD;
    uint64_t least[MOST_COMPONENTS], total = 0, last = 0, shingles = 0;
    shingle s = {.size = p->fields[0]};
    term_stream terms;
    for (uint32_t j = 0; j < p->component_count; j++) least[j] = UINT64_MAX;
    term_stream_begin(&terms, text, length, p->stream);
    terms.meter = out->meter;
    while (term_stream_next(&terms)) {
        uint64_t whole = murmur(terms.bytes, terms.length);
        if (profile_stops(p->stops, p->stop_slots, whole)) continue;
        total++;
        last = shingle_push(&s, whole);
        if (s.filled < s.size) continue;
        shingles++;
        uint32_t copies =
            copies_of(p, p->fields[1] ? weights[whole >> 32 & (p->fields[1] - 1)] : 0);
        if (out->meter && interrupted(out->meter, (uint64_t)copies * p->component_count / 32))
            break;
        for (uint32_t i = 0; i < copies; i++)
            shingle_lower(least, p->component_count, i ? mix64(last + i) : last);
    }
    out->terms = total;
    if (total < p->least_terms) return POCKET_TEXT_TOO_SHORT;
    if (shingles == 0) shingle_lower(least, p->component_count, last);
    for (uint32_t j = 0; j < p->component_count; j++) {
        out->digits[j] = (uint8_t)(least[j] & (component_intervals(p, j) - 1));
        if (out->down) {
            out->down[j] = out->up[j] = POCKET_NO_MOVE;
            out->weights[j] = 1;
        }
    }
    return POCKET_OK;
}

/* A term's own shingle decides nothing for sure, so no component can be traced to it: all are one
 * class without influence. */
static pocket_class minhash_classify(const profile *p, const term_stream *term) {
    uint64_t whole = murmur(term->bytes, term->length);
    return (pocket_class){whole, profile_stops(p->stops, p->stop_slots, whole) ? -1 : 0, 1};
}

static uint32_t minhash_classes(const profile *p) { return p->component_count > 0; }

static int32_t minhash_influence(const profile *p, const pocket_class *term, uint32_t component) {
    return (void)p, (void)term, (void)component, 0;
}

static const scheme scheme_minhash = {
    4, 0, 0, minhash_check, minhash_embed, minhash_classify, minhash_classes, minhash_influence};
static const scheme scheme_wminhash = {
    5, 0, 0, minhash_check, minhash_embed, minhash_classify, minhash_classes, minhash_influence};

/* ======== probe.c ======== */
/* Sets of moves in order of (level, mask). A set of level s whose highest move is i is a set of
 * level s - q_i of lower moves, with i added: level after level, each set is made from an earlier
 * one by one addition, and none twice. */

/* ======== probe.h ======== */
/* Probes of a sub-key, cheapest first (docs/format.md 2.2; multi-probe LSH, Lv et al. 2007). */
#ifndef POCKET_PROBE_H
#define POCKET_PROBE_H


#define POCKET_MAX_PROBES 65536u
#define POCKET_MAX_MOVES 32u

/* The first keys of table t's probes, at most limit; masks is scratch of limit elements. Returns
 * how many there are. */
static uint32_t probe_keys(const profile *p, uint32_t t, const sketch *s, uint32_t limit, uint64_t *keys,
                    uint32_t *masks);

#endif


#define LEVELS 1024u /* 0 .. 1023 */
#define FINENESS 64u

typedef struct move {
    uint64_t delta;                  /* what it adds to a radix key, modulo 2^64 */
    uint32_t cost, component, place; /* place: of the component's digit in the key */
    int step;                        /* -1 or +1 */
    uint32_t level;                  /* its cost in units */
    uint32_t against;                /* the move of the same component the other way, as a bit */
} move;

/* Insert by (cost, component, step); the dearest falls off the end. Moves come in order of
 * component and step, so equal costs stay behind. */
static void insert(move *moves, uint32_t *count, move m) {
    uint32_t i = *count;
    if (i == POCKET_MAX_MOVES && m.cost >= moves[i - 1].cost) return;
    if (i == POCKET_MAX_MOVES)
        i--;
    else
        ++*count;
    for (; i > 0 && m.cost < moves[i - 1].cost; i--) moves[i] = moves[i - 1];
    moves[i] = m;
}

static uint32_t collect(const profile *p, const sub_key *key, const sketch *s, move *moves) {
    uint32_t count = 0;
    uint64_t weight = 1;
    uint32_t place = 0;
    for (const key_row *row = key->rows; row < key->rows + key->row_count; row++)
        for (uint32_t j = row->first; j < row->first + row->count; j++, place++) {
            if (s->down[j] != POCKET_NO_MOVE)
                insert(moves, &count, (move){0 - weight, s->down[j], j, place, -1, 0, 0});
            if (s->up[j] != POCKET_NO_MOVE)
                insert(moves, &count, (move){weight, s->up[j], j, place, 1, 0, 0});
            weight *= component_intervals(p, j);
        }
    for (uint32_t i = 0; i < count; i++)
        for (uint32_t k = 0; k < count; k++)
            if (k != i && moves[k].component == moves[i].component) moves[i].against = 1u << k;
    return count;
}

/* The unit is such that the sets of the first moves, as many as limit asks for, lie on about
 * FINENESS levels. */
static void set_levels(move *moves, uint32_t count, uint32_t limit) {
    uint64_t sum = 0;
    for (uint32_t i = 0; i < count && limit >> i != 0; i++) sum += moves[i].cost;
    uint64_t unit = sum / FINENESS + 1;
    for (uint32_t i = 0; i < count; i++) {
        uint64_t level = moves[i].cost / unit;
        moves[i].level = level == 0 ? 1 : level < LEVELS ? (uint32_t)level : LEVELS;
    }
}

static uint64_t hashed_key(const sub_key *key, const sketch *s, const move *moves, uint32_t count,
                           uint32_t mask) {
    uint8_t digits[4096];
    uint32_t copied = 0;
    for (const key_row *row = key->rows; row < key->rows + key->row_count; copied += row++->count)
        memcpy(digits + copied, s->digits + row->first, row->count);
    for (uint32_t i = 0; i < count; i++)
        if (mask >> i & 1)
            digits[moves[i].place] = (uint8_t)(digits[moves[i].place] + moves[i].step);
    return murmur(digits, key->count);
}

/* Add a move to the sets from .. end - 1 that have lower moves alone. */
static uint32_t extend(const move *m, uint32_t bit, uint32_t from, uint32_t end, uint32_t limit,
                       uint32_t found, uint64_t *keys, uint32_t *masks) {
    if (end - from > limit - found && m->against == 0) end = from + (limit - found);
    for (uint32_t e = from; e < end && masks[e] < bit && found < limit; e++) {
        masks[found] = masks[e] | bit;
        keys[found] = keys[e] + m->delta;
        found += (masks[e] & m->against) == 0;
    }
    return found;
}

/* Probes of a sum: one more or less for each of the cheapest moves that way. */
static uint32_t probe_sums(const move *moves, uint32_t count, uint32_t limit, uint64_t *keys) {
    uint32_t found = 1, next[2] = {0, 0};
    uint64_t cost[2] = {0, 0}, way[2] = {0, 0};
    while (found < limit) {
        for (int up = 0; up < 2; up++)
            while (next[up] < count && (moves[next[up]].step > 0) != up) next[up]++;
        if (next[0] == count && next[1] == count) break;
        uint64_t down = next[0] < count ? cost[0] + moves[next[0]].cost : UINT64_MAX,
                 above = next[1] < count ? cost[1] + moves[next[1]].cost : UINT64_MAX;
        int up = above < down;
        cost[up] = up ? above : down;
        way[up]++;
        next[up]++;
        keys[found++] = up ? keys[0] + way[1] : keys[0] - way[0];
    }
    return found;
}

uint32_t probe_keys(const profile *p, uint32_t t, const sketch *s, uint32_t limit, uint64_t *keys,
                    uint32_t *masks) {
    const sub_key *key = &p->keys[t];
    move moves[POCKET_MAX_MOVES];
    uint32_t starts[LEVELS + 1], found = 1;
    keys[0] = sub_key_of_digits(p, t, s->digits);
    masks[0] = 0;
    if (limit < 2) return 1;
    uint32_t count = collect(p, key, s, moves);
    if (key->summed) return probe_sums(moves, count, limit, keys);
    set_levels(moves, count, limit);
    starts[0] = 0;
    for (uint32_t level = 1; level < LEVELS && found < limit; level++) {
        starts[level] = found;
        for (uint32_t i = 0; i < count && moves[i].level <= level; i++) {
            const move *m = &moves[i];
            uint32_t from = starts[level - m->level], end = starts[level - m->level + 1];
            found = extend(m, 1u << i, from, end, limit, found, keys, masks);
        }
    }
    if (key->hashed)
        for (uint32_t e = 1; e < found; e++) keys[e] = hashed_key(key, s, moves, count, masks[e]);
    return found;
}

/* ======== profile.c ======== */
/* Opening a profile: bounds first, then pointers into its bytes. */


#define PROFILE_HEAD 32u
#define MAX_PROFILE 524288u

static const scheme *const schemes[] = {&scheme_ff,      &scheme_rff,      &scheme_plsh,
                                        &scheme_minhash, &scheme_wminhash, &scheme_simhash};

uint32_t component_source(const profile *p, uint32_t component) {
    return load16(p->components + 4 * component);
}
uint32_t component_intervals(const profile *p, uint32_t component) {
    return load16(p->components + 4 * component + 2);
}

uint32_t digit_bits(uint32_t intervals) {
    uint32_t bits = 0;
    while ((1u << bits) < intervals) bits++;
    return bits;
}

/* The next array of the profile, padded to 8 bytes; NULL when it does not fit. */
static const uint8_t *take(const profile *p, uint64_t *at, uint64_t size) {
    const uint8_t *array = p->bytes + *at;
    if (size > p->length - *at || pad8(size) > p->length - *at) return NULL;
    for (uint64_t i = size; i < pad8(size); i++)
        if (array[i] != 0) return NULL;
    *at += pad8(size);
    return array;
}

static const char *open_components(profile *p) {
    uint32_t borders = 0;
    for (uint32_t j = 0; j < p->component_count; j++) {
        uint32_t r = component_intervals(p, j);
        if (r < 2 || r > 16) return "intervals";
        if (r - 1 > p->border_count - borders) return "borders";
        for (uint32_t i = 1; i < r - 1; i++)
            if ((int32_t)load32(p->borders + 4 * (borders + i)) <=
                (int32_t)load32(p->borders + 4 * (borders + i - 1)))
                return "borders";
        borders += r - 1;
        p->sketch_bits += digit_bits(r);
    }
    return borders == p->border_count ? NULL : "borders";
}

/* A row of the tables array, and what it adds to its sub-key. */
static const char *add_key_row(profile *p, sub_key *key, const uint8_t *bytes, key_row *row,
                               uint64_t *radix) {
    *row = (key_row){load16(bytes), load16(bytes + 2) & 0x3FFFu, 0, 0};
    if (row->count == 0 || row->first >= p->component_count ||
        row->count > p->component_count - row->first)
        return "tables";
    if (key->row_count > 0 && row->first < row[-1].first + row[-1].count) return "tables";
    for (uint32_t j = 0; j < row->first; j++) row->bit += digit_bits(component_intervals(p, j));
    for (uint32_t j = row->first; j < row->first + row->count; j++) {
        uint32_t r = component_intervals(p, j);
        /* A product of 2^64 itself still fits: the largest key is one less. */
        if (*radix == 0 || *radix - 1 > (UINT64_MAX - (r - 1)) / r) key->hashed = 1;
        *radix *= r;
        if (r & (r - 1)) key->packed = 0;
        row->bits += digit_bits(r);
    }
    key->row_count++;
    key->count += row->count;
    return key->count > POCKET_MAX_KEY_COMPONENTS ? "components of a sub-key" : NULL;
}

static const char *open_sub_keys(profile *p, const uint8_t *bytes) {
    uint32_t opened = 0;
    uint64_t radix = 1;
    sub_key *key = NULL;
    for (uint32_t i = 0; i < p->row_count; i++) {
        uint32_t marks = load16(bytes + 4 * i + 2) >> 14; /* 1: goes on, 2: sum */
        if (marks == 3 || (marks == 1 && !key)) return "tables";
        if (marks != 1) {
            if (opened == p->tables) return "tables";
            key = &p->keys[opened++];
            *key = (sub_key){p->rows + i, 0, 0, 1, 0, marks == 2};
            radix = 1;
        }
        const char *field = add_key_row(p, key, bytes + 4 * i, &p->rows[i], &radix);
        if (field) return field;
    }
    for (uint32_t t = 0; t < opened; t++) {
        key = &p->keys[t];
        if (key->summed) key->hashed = 0;
        if (key->hashed || key->summed) key->packed = 0;
    }
    return opened == p->tables ? NULL : "tables";
}

/* Is a slot free, and no run of taken ones, cyclically, too long? */
static int are_sparse(const uint8_t *stops, uint32_t slots) {
    uint32_t run = 0, longest = 0;
    for (uint32_t i = 0; i < 2 * slots; i++) {
        run = load64(stops + 8 * (size_t)(i & (slots - 1))) ? run + 1 : 0;
        if (run > longest) longest = run;
    }
    return slots == 0 || (longest < slots && longest <= POCKET_MAX_STOP_RUN);
}

static const char *open_arrays(profile *p) {
    const uint8_t *b = p->bytes, *tables;
    uint64_t at = PROFILE_HEAD;
    p->tables = load16(b + 4);
    p->component_count = load32(b + 8);
    p->border_count = load32(b + 12);
    p->stop_slots = load32(b + 16);
    p->least_terms = load32(b + 20);
    p->name_length = load16(b + 24);
    p->row_count = load16(b + 26);
    if (p->tables > POCKET_MAX_TABLES) return "number of tables";
    if (load16(b + 6) != 0) return "reserved";
    if (p->component_count < 1 || p->component_count > 4096) return "number of components";
    if (p->border_count < p->component_count || p->border_count > 15 * p->component_count)
        return "number of borders";
    if (p->stop_slots > 16384 || (p->stop_slots & (p->stop_slots - 1))) return "stop slots";
    if (p->least_terms < 1) return "least number of terms";
    if (p->name_length > 255) return "length of the name";
    if (p->row_count < p->tables || p->row_count > POCKET_MAX_ROWS) return "rows of tables";
    for (int i = 28; i < 32; i++)
        if (b[i] != 0) return "reserved";
    if (!(p->name = take(p, &at, p->name_length)) || !is_utf8(p->name, p->name_length))
        return "name";
    if (!(p->stops = take(p, &at, 8ull * p->stop_slots))) return "stop words";
    if (!(tables = take(p, &at, 4ull * p->row_count))) return "tables";
    if (!(p->components = take(p, &at, 4ull * p->component_count))) return "components";
    if (!(p->borders = take(p, &at, 4ull * p->border_count))) return "borders";
    p->body = b + at;
    p->body_length = p->length - at;
    for (uint32_t i = 0; i < POCKET_BODY_FIELDS && 4ull * i + 4 <= p->body_length; i++)
        p->fields[i] = load32(p->body + 4 * i);
    if (!are_sparse(p->stops, p->stop_slots)) return "stop words";
    const char *field = open_components(p);
    return field ? field : open_sub_keys(p, tables);
}

uint32_t profile_open(profile *p, const uint8_t *bytes, uint64_t length, const char **field) {
    memset(p, 0, sizeof *p);
    p->bytes = bytes;
    p->length = length;
    *field = "length";
    if (length < PROFILE_HEAD || length > MAX_PROFILE || length % 8) return POCKET_DAMAGED_FIELD;
    for (size_t i = 0; i < sizeof schemes / sizeof *schemes; i++)
        if (schemes[i]->number == load16(bytes)) p->scheme = schemes[i];
    *field = "scheme";
    if (!p->scheme) return POCKET_TOO_NEW;
    *field = "term stream";
    p->stream = load16(bytes + 2);
    if (p->stream != STREAM_FOLDED && p->stream != STREAM_INTEROP) return POCKET_TOO_NEW;
    p->registers = best_registers();
    *field = open_arrays(p);
    if (!*field) *field = p->scheme->check(p);
    return *field ? POCKET_DAMAGED_FIELD : POCKET_OK;
}

/* ======== registers.c ======== */

#ifndef REGISTERS_MOST /* tests take less than the processor has */
#define REGISTERS_MOST REGISTERS_FOURS
#endif

static int registers_here(void) {
#ifdef BY_FOURS
    const unsigned int wide = bit_AVX512F | bit_AVX512BW;
    unsigned int a, b = 0, c = 0, d, low, high;
    if (!__get_cpuid(1, &a, &b, &c, &d) || !(c & bit_OSXSAVE)) return REGISTERS_NONE;
    __asm__("xgetbv" : "=a"(low), "=d"(high) : "c"(0)); /* does the system save them? */
    if ((low & 6u) != 6u || !__get_cpuid_count(7, 0, &a, &b, &c, &d) || !(b & bit_AVX2))
        return REGISTERS_NONE;
    return (low & 0xE6u) == 0xE6u && (b & wide) == wide && (c & bit_AVX512VNNI) ? REGISTERS_FOURS
                                                                                : REGISTERS_PAIRS;
#else
    return REGISTERS_NONE;
#endif
}

int best_registers(void) {
    int best = registers_here();
    return best < REGISTERS_MOST ? best : REGISTERS_MOST;
}

/* ======== score.c ======== */

/* ======== score.h ======== */
/* How far a stored sketch agrees with a text's (docs/format.md, section 8): asymmetric, the text's
 * margins weigh. */
#ifndef POCKET_SCORE_H
#define POCKET_SCORE_H


/* What a byte of a packed sketch contributes, for each of its values, where all intervals are two;
 * otherwise digits are unpacked. */
typedef struct ranking {
    const profile *profile;
    const sketch *sketch;
    uint64_t total;   /* of all weights, or the number of components, of which each counts 1 then */
    uint64_t inverse; /* 2^63 / total: a multiplication takes less than a division */
    int weighted;
    uint32_t *shares; /* bytes x 256, or NULL */
    void *memory;
    uint8_t *own, *other, *whole; /* the text's packed sketch; room for digits, and a sketch */
} ranking;

/* Room for rankings under a profile; 0 when there is no memory. */
static int ranking_alloc(ranking *r, const profile *p);
static void ranking_free(ranking *r);
/* Rank by this sketch, which has weights. */
static void ranking_begin(ranking *r, const sketch *s);
/* Agreement in 0 .. 65536 of a stored sketch; 0 when a digit is out of range. */
static int ranking_agreement(const ranking *r, packed_sketch stored, uint32_t *agreement);
/* Similarity in ten-thousandths, at most 9999, of an agreement that is weighted by margins or,
 * where a stored document asks, is not. */
static uint32_t similarity_of(const profile *p, uint32_t agreement, int weighted);
/* A similarity less what the best of so many documents owe to luck, both in ten-thousandths: it
 * keeps their order. */
static uint32_t without_luck(const profile *p, uint32_t similarity, uint32_t documents);
/* The standard deviation of a similarity, both in ten-thousandths. */
static uint32_t similarity_error(const profile *p, uint32_t similarity);
/* The noise floor: the similarity, as it is shown, from which on hardly any unrelated text finds a
 * document. weighted: as for similarity_of. */
static uint32_t min_similarity(const profile *p, uint32_t documents, int weighted);
/* Is a stored sketch the text's own? */
static int ranking_is_same(const ranking *r, packed_sketch stored);

#endif


/* For every value of every byte the sum of the weights of its agreeing bits, each value from one
 * with a bit less. */
static void fill_shares(ranking *r, uint32_t bytes) {
    const sketch *s = r->sketch;
    for (uint32_t b = 0; b < bytes; b++) {
        uint32_t *shares = r->shares + 256 * (size_t)b, gain[8];
        shares[0] = 0;
        for (uint32_t i = 0; i < 8; i++) {
            uint32_t j = 8 * b + i, weight = j < r->profile->component_count
                                                 ? (r->weighted ? s->weights[j] : 1)
                                                 : 0;
            int set = weight && s->digits[j];
            shares[0] += set ? 0 : weight;
            gain[i] = set ? weight : 0 - weight;
        }
        for (uint32_t i = 0; i < 8; i++)
            for (uint32_t v = 0; v < 1u << i; v++) shares[v | 1u << i] = shares[v] + gain[i];
    }
}

int ranking_alloc(ranking *r, const profile *p) {
    uint32_t bytes = sketch_bytes(p);
    size_t shares = profile_is_binary(p) ? 1024 * (size_t)bytes : 0;
    *r = (ranking){.profile = p};
    uint32_t *memory = pocket_malloc(shares + 2 * (size_t)bytes + p->component_count);
    if (!memory) return 0;
    r->memory = memory;
    if (shares) r->shares = memory;
    r->own = (uint8_t *)memory + shares;
    r->whole = r->own + bytes;
    r->other = r->whole + bytes;
    return 1;
}

void ranking_free(ranking *r) { pocket_free(r->memory); }

void ranking_begin(ranking *r, const sketch *s) {
    const profile *p = r->profile;
    r->sketch = s;
    r->total = 0;
    for (uint32_t j = 0; j < p->component_count; j++) r->total += s->weights[j];
    r->weighted = r->total > 0;
    if (!r->weighted) r->total = p->component_count;
    r->inverse = (1ull << 63) / r->total;
    memset(r->own, 0, sketch_bytes(p));
    sketch_pack(p, s->digits, r->own);
    if (r->shares) fill_shares(r, sketch_bytes(p));
}

static uint64_t agreeing_shares(const uint32_t *shares, const uint8_t *packed, uint32_t bytes) {
    uint64_t sum = 0;
    uint32_t b = 0;
    for (; b + 4 <= bytes; b += 4, shares += 4 * 256)
        sum += shares[packed[b]] + shares[256 + packed[b + 1]] + shares[512 + packed[b + 2]] +
               shares[768 + packed[b + 3]]; /* 32 weights of 16 bits */
    for (; b < bytes; b++, shares += 256) sum += shares[packed[b]];
    return sum;
}

int ranking_agreement(const ranking *r, packed_sketch stored, uint32_t *agreement) {
    const profile *p = r->profile;
    uint64_t agreeing = 0;
    if (r->shares) {
        uint32_t coarse = coarse_bytes(p);
        agreeing = agreeing_shares(r->shares, stored.coarse, coarse) +
                   agreeing_shares(r->shares + 256 * coarse, stored.rest, sketch_bytes(p) - coarse);
    } else {
        const uint8_t *packed = sketch_whole(p, stored, r->whole);
        if (!sketch_unpack(p, packed, 0, p->component_count, 0, r->other)) return 0;
        for (uint32_t j = 0; j < p->component_count; j++)
            if (r->other[j] == r->sketch->digits[j])
                agreeing += r->weighted ? r->sketch->weights[j] : 1;
    }
    /* agreeing * 65536 / total, or one less, which the remainder tells. */
    uint64_t quotient = agreeing * r->inverse >> 47;
    *agreement = (uint32_t)(quotient + ((agreeing << 16) - quotient * r->total >= r->total));
    return 1;
}

/* 32768 (1 - cos(pi i / 64)), the first half; the second mirrors it. */
static const uint16_t RISE[33] = {0,     39,    158,   355,   630,   982,   1411,  1915,  2494,
                                  3146,  3869,  4662,  5522,  6448,  7438,  8489,  9598,  10762,
                                  11980, 13248, 14563, 15922, 17321, 18758, 20228, 21729, 23256,
                                  24806, 26375, 27960, 29556, 31160, 32768};

static uint32_t rise(uint32_t i) { return i <= 32 ? RISE[i] : 65536u - RISE[64 - i]; }

/* Signs of two Gaussians of correlation c agree with probability a = 1 - acos(c) / pi, and,
 * weighted by the size of one, (1 + c) / 2. */
static uint32_t as_weighted(const profile *p, uint32_t agreement) {
    if (!profile_is_binary(p)) return agreement;
    uint32_t i = agreement >> 10, f = agreement & 1023u;
    return f ? rise(i) + ((rise(i + 1) - rise(i)) * f >> 10) : rise(i);
}

uint32_t similarity_of(const profile *p, uint32_t agreement, int weighted) {
    uint32_t similarity = agreement * 10000u >> 16;
    if (p->scheme->cosine) {
        if (!weighted) agreement = as_weighted(p, agreement);
        similarity = agreement > 32768 ? (agreement - 32768) * 10000u >> 15 : 0;
    }
    return similarity < 9999 ? similarity : 9999;
}

/* A quarter of ln 2 for each bit of the number of documents, times pi / 2, in hundred-thousandths:
 * docs/format.md, section 8. */
#define LUCK_OF_A_BIT 27222u

uint32_t without_luck(const profile *p, uint32_t similarity, uint32_t documents) {
    if (!p->scheme->cosine || similarity == 10000) return similarity;
    uint64_t s = similarity, root = square_root(100000000 - s * s),
             bits = documents ? highest_one(documents) + 1 : 0;
    uint64_t luck = LUCK_OF_A_BIT * bits * root * root * root /
                    (10000000000000u * (uint64_t)p->component_count);
    return similarity > luck ? similarity - (uint32_t)luck : 0;
}

/* sqrt(pi / 2) in ten-thousandths. */
#define HALF_PI_ROOT 12533u

/* For numbers of documents of 0, 1, ... 32 bits the deviation, in thousandths, that a Gaussian
 * exceeds once in 2,048 times 2^bits. */
static const uint16_t RARE[33] = {3297, 3487, 3668, 3842, 4009, 4170, 4325, 4475, 4621, 4763, 4901,
                                  5035, 5167, 5295, 5420, 5543, 5663, 5780, 5896, 6009, 6121, 6230,
                                  6338, 6444, 6548, 6651, 6752, 6852, 6951, 7048, 7144, 7238, 7332};
/* However many bits a sketch has: the more documents, the nearer the nearest really is to a text
 * that has little to do with any, and that ever more slowly. */
#define NEAREST 8140u
#define NEAREST_LESS 62400u /* divided by the bits of the number of documents and NEAREST_BITS */
#define NEAREST_BITS 12u
/* Of schemes whose similarity is a share of components. */
#define LEAST_SHARE 3000u

uint32_t min_similarity(const profile *p, uint32_t documents, int weighted) {
    if (!p->scheme->cosine) return LEAST_SHARE;
    uint32_t bits = documents ? highest_one(documents) + 1 : 0, rare = RARE[bits],
             root = square_root(1000000ull * p->component_count),
             related = NEAREST - NEAREST_LESS / (bits + NEAREST_BITS);
    uint64_t gaussian = (uint64_t)rare * HALF_PI_ROOT / root;
    uint32_t least =
        (uint32_t)(10000 * gaussian / square_root(100000000 + 113 * gaussian * gaussian / 355));
    if (!weighted) {
        uint32_t agreement = 32768 + 32768u * rare / root;
        least = similarity_of(p, agreement < 65536 ? agreement : 65536, 0);
    }
    least = without_luck(p, least < 9999 ? least : 9999, documents);
    return least > related ? least : related;
}

uint32_t similarity_error(const profile *p, uint32_t similarity) {
    uint64_t s = similarity < 10000 ? similarity : 10000, d = p->component_count;
    if (!p->scheme->cosine) return square_root(s * (10000 - s) / d);
    uint64_t half = square_root(100000000 - s * s),
             quarter = square_root(half * 10000); /* (1 - s^2)^(1/2), ^(1/4) */
    return (uint32_t)(half * quarter / 10000 * HALF_PI_ROOT / square_root(100000000 * d));
}

int ranking_is_same(const ranking *r, packed_sketch stored) {
    const uint8_t *packed = sketch_whole(r->profile, stored, r->whole);
    uint32_t bytes = sketch_bytes(r->profile), used = r->profile->sketch_bits % 8;
    uint8_t last = (uint8_t)(used ? (1u << used) - 1 : 255u);
    return memcmp(packed, r->own, bytes - 1) == 0 &&
           ((packed[bytes - 1] ^ r->own[bytes - 1]) & last) == 0;
}

/* ======== simhash.c ======== */
/* Scheme `simhash` (Charikar 2002; docs/format.md 2.7): 64 sums, one for each bit of the tokens'
 * hashes, and their signs. */

#define SIMHASH_BODY 8u
#define SIMHASH_BITS 64u
#define SIMHASH_LOOKUP3 1u

static const char *simhash_check(const profile *p) {
    if (p->body_length != SIMHASH_BODY) return "body";
    if (p->fields[0] != SIMHASH_LOOKUP3) return "token hash";
    if (p->fields[1] != 0) return "body";
    if (p->border_count != p->component_count) return "intervals";
    for (uint32_t j = 0; j < p->component_count; j++)
        if (component_source(p, j) >= SIMHASH_BITS) return "source";
    return NULL;
}

static int simhash_stops(const profile *p, const term_stream *term) {
    return p->stop_slots &&
           profile_stops(p->stops, p->stop_slots, murmur(term->bytes, term->length));
}

static uint32_t simhash_embed(const profile *p, const uint8_t *text, uint64_t length, sketch *out) {
    int32_t sums[SIMHASH_BITS] = {0}; /* a text has fewer than 2^28 terms */
    term_stream terms;
    out->terms = 0;
    term_stream_begin(&terms, text, length, p->stream);
    terms.meter = out->meter;
    while (term_stream_next(&terms)) {
        if (simhash_stops(p, &terms)) continue;
        uint64_t hash = lookup3(terms.bytes, terms.length);
        for (uint32_t bit = 0; bit < SIMHASH_BITS; bit++)
            sums[bit] += (int32_t)(hash >> bit & 1) * 2 - 1;
        out->terms++;
    }
    if (out->terms < p->least_terms) return POCKET_TEXT_TOO_SHORT;
    for (uint32_t j = 0; j < p->component_count; j++) {
        int32_t sum = sums[component_source(p, j) & (SIMHASH_BITS - 1)];
        uint32_t size = (uint32_t)(sum < 0 ? -sum : sum), margin = size < 65535 ? size : 65535,
                 cost = margin * margin + 1;
        out->digits[j] = sum > 0;
        if (!out->down) continue;
        out->down[j] = sum > 0 ? cost : POCKET_NO_MOVE;
        out->up[j] = sum > 0 ? POCKET_NO_MOVE : cost;
        out->weights[j] = 1; /* the draft ranks by Hamming distance */
    }
    return POCKET_OK;
}

static pocket_class simhash_classify(const profile *p, const term_stream *term) {
    return (pocket_class){lookup3(term->bytes, term->length), simhash_stops(p, term) ? -1 : 0, 1};
}

static uint32_t simhash_classes(const profile *p) { return p->component_count > 0; }

static int32_t simhash_influence(const profile *p, const pocket_class *term, uint32_t component) {
    return term->hash >> (component_source(p, component) & (SIMHASH_BITS - 1)) & 1 ? 1 : -1;
}

static const scheme scheme_simhash = {
    6, 0, 1, simhash_check, simhash_embed, simhash_classify, simhash_classes, simhash_influence};

/* ======== sketch.c ======== */


#define MOST_COMPONENTS 4096u

uint32_t sketch_bytes(const profile *p) { return (p->sketch_bits + 7) / 8; }

uint32_t coarse_bytes(const profile *p) {
    return sketch_bytes(p) < COARSE_BYTES ? sketch_bytes(p) : COARSE_BYTES;
}

const uint8_t *sketch_whole(const profile *p, packed_sketch s, uint8_t *room) {
    uint32_t bytes = sketch_bytes(p);
    if (bytes <= COARSE_BYTES) return s.coarse;
    memcpy(room, s.coarse, COARSE_BYTES);
    memcpy(room + COARSE_BYTES, s.rest, bytes - COARSE_BYTES);
    return room;
}

void sketch_pack(const profile *p, const uint8_t *digits, uint8_t *packed) {
    uint64_t bit = 0;
    for (uint32_t j = 0; j < p->component_count; j++) {
        uint32_t bits = digit_bits(component_intervals(p, j));
        store_bits(packed, bit, bits, digits[j]);
        bit += bits;
    }
}

int sketch_unpack(const profile *p, const uint8_t *packed, uint32_t first, uint32_t count,
                  uint32_t bit, uint8_t *digits) {
    for (uint32_t j = 0; j < count; j++) {
        uint32_t r = component_intervals(p, first + j), bits = digit_bits(r),
                 digit = load_bits(packed, bit, bits);
        if (digit >= r) return 0;
        digits[j] = (uint8_t)digit;
        bit += bits;
    }
    return 1;
}

uint64_t sub_key_of_digits(const profile *p, uint32_t t, const uint8_t *digits) {
    const sub_key *key = &p->keys[t];
    uint8_t own[MOST_COMPONENTS];
    uint64_t sum = 0;
    uint32_t copied = 0;
    if (key->hashed) {
        for (const key_row *row = key->rows; row < key->rows + key->row_count;
             copied += row++->count)
            memcpy(own + copied, digits + row->first, row->count);
        return murmur(own, key->count);
    }
    for (const key_row *row = key->rows + key->row_count; row-- > key->rows;)
        for (uint32_t j = row->first + row->count; j-- > row->first;)
            sum = sum * (key->summed ? 1 : component_intervals(p, j)) + digits[j];
    return sum;
}

/* At most 64 bits. */
static uint64_t load_long(const uint8_t *packed, uint32_t bit, uint32_t bits) {
    uint32_t low = bits < 32 ? bits : 32;
    return load_bits(packed, bit, low) | (uint64_t)load_bits(packed, bit + low, bits - low) << 32;
}

int sub_key_of_packed(const profile *p, uint32_t t, const uint8_t *packed, uint64_t *key) {
    const sub_key *sub = &p->keys[t];
    if (sub->packed) {
        uint32_t filled = 0;
        *key = 0;
        for (const key_row *row = sub->rows; row < sub->rows + sub->row_count;
             filled += row++->bits)
            *key |= load_long(packed, row->bit, row->bits) << filled;
        return 1;
    }
    uint8_t digits[MOST_COMPONENTS];
    for (const key_row *row = sub->rows; row < sub->rows + sub->row_count; row++)
        if (!sketch_unpack(p, packed, row->first, row->count, row->bit, digits + row->first))
            return 0;
    *key = sub_key_of_digits(p, t, digits);
    return 1;
}

int sketch_alloc(sketch *s, const profile *p, int margins) {
    size_t n = p->component_count;
    uint32_t *memory = pocket_malloc(n + (margins ? 3 * n * sizeof(uint32_t) : 0));
    memset(s, 0, sizeof *s);
    if (!memory) return 0;
    if (margins) {
        s->down = memory;
        s->up = memory + n;
        s->weights = memory + 2 * n;
    }
    s->digits = (uint8_t *)(margins ? memory + 3 * n : memory);
    return 1;
}

void sketch_free(sketch *s) { pocket_free(s->down ? (void *)s->down : (void *)s->digits); }

uint32_t sketch_text(const profile *p, const uint8_t *text, uint64_t length, sketch *s) {
    if (length > MOST_TEXT) return POCKET_TEXT_TOO_LONG;
    uint32_t status = p->scheme->embed(p, text, length, s);
    return s->meter && s->meter->ended ? (uint32_t)POCKET_INTERRUPTED : status;
}

int sketch_stored(const profile *p, const uint8_t *packed, sketch *s) {
    if (!sketch_unpack(p, packed, 0, p->component_count, 0, s->digits)) return 0;
    for (uint32_t j = 0; j < p->component_count; j++) {
        uint32_t last = component_intervals(p, j) - 1;
        s->weights[j] = 0;
        s->down[j] = p->scheme->ordered && s->digits[j] > 0 ? 1 : POCKET_NO_MOVE;
        s->up[j] = p->scheme->ordered && s->digits[j] < last ? 1 : POCKET_NO_MOVE;
    }
    return 1;
}

/* ======== cells.c ======== */

/* ======== cells.h ======== */
/* The cells section (docs/format.md 4.2): documents lie in the order of their cells, and a query
 * has those of the nearest cells compared. */
#ifndef POCKET_CELLS_H
#define POCKET_CELLS_H


/* Check the section's head and keep its parameters. */
static uint32_t cells_open(pocket_index *x, const section *s, pocket_error *error);
/* The documents of the *count cells (at most all) nearest to a sketch, which has weights, in the
 * order of the file. pruning: where it is not 0, cells whose score is so far below the highest one
 * are left out, and *count becomes how many there are. scratch has room for cells_room(index)
 * numbers, stretches for *count. */
static uint32_t cells_near(const pocket_index *x, const sketch *s, uint32_t pruning, uint32_t *count,
                    uint64_t *scratch, stretch *stretches, pocket_error *error);
static uint32_t cells_room(const pocket_index *x);
/* Read and check every cell. */
static uint32_t cells_verify(const pocket_index *x, pocket_error *error);

#endif


/* ======== sort.h ======== */
/* Sorting without recursion and bad cases: heapsort needs no memory, radix sort as much again. */
#ifndef POCKET_SORT_H
#define POCKET_SORT_H

#include <stdint.h>

static inline void sift64(uint64_t *a, uint32_t i, uint32_t size) {
    uint64_t value = a[i];
    for (uint32_t child; (child = 2 * i + 1) < size; i = child) {
        if (child + 1 < size && a[child + 1] > a[child]) child++;
        if (a[child] <= value) break;
        a[i] = a[child];
    }
    a[i] = value;
}

/* Make a heap with the largest on top. */
static inline void heap64(uint64_t *a, uint32_t size) {
    for (uint32_t i = size / 2; i-- > 0;) sift64(a, i, size);
}

static inline void sort64(uint64_t *a, uint32_t size) {
    heap64(a, size);
    while (size > 1) {
        uint64_t largest = a[0];
        a[0] = a[--size];
        a[size] = largest;
        sift64(a, 0, size);
    }
}

/* Sort by the bits from .. to - 1 alone, keeping the order of equal ones; scratch has room for
 * size. */
static inline void radix_sort64(uint64_t *a, uint64_t *scratch, uint32_t size, uint32_t from,
                                uint32_t to) {
    uint64_t *source = a, *target = scratch;
    for (uint32_t shift = from; shift < to; shift += 8) {
        uint32_t ends[257] = {0};
        for (uint32_t i = 0; i < size; i++) ends[1 + (source[i] >> shift & 255)]++;
        for (uint32_t i = 0; i < 255; i++) ends[i + 1] += ends[i];
        for (uint32_t i = 0; i < size; i++) target[ends[source[i] >> shift & 255]++] = source[i];
        uint64_t *swap = source;
        source = target;
        target = swap;
    }
    if (source != a)
        for (uint32_t i = 0; i < size; i++) a[i] = source[i];
}

#endif

static uint32_t cells_wrong(pocket_error *error, int64_t block, const char *field,
                            uint64_t expected, uint64_t found) {
    return fail(error, POCKET_DAMAGED_FIELD, POCKET_CELLS, block, field, expected, found);
}

uint32_t cells_open(pocket_index *x, const section *s, pocket_error *error) {
    const uint8_t *b = s->bytes;
    const profile *p = &x->profile;
    if (s->parameters != 24)
        return cells_wrong(error, -1, "length of the parameters", 24, s->parameters);
    x->cells = load32(b);
    x->cells_asked = load32(b + 8);
    x->cells_cold = load32(b + 12);
    x->cells_pruning = load32(b + 16);
    if (!p->scheme->cosine || !profile_is_binary(p))
        return cells_wrong(error, -1, "scheme", 2, p->scheme->number);
    if (p->tables >= POCKET_MAX_TABLES)
        return allowing(
            error, "0 .. %",
            cells_wrong(error, -1, "number of tables", POCKET_MAX_TABLES - 1, p->tables));
    if (x->cells < 1 || x->cells > POCKET_MAX_CELLS)
        return allowing(error, "1 .. %",
                        cells_wrong(error, -1, "number of cells", POCKET_MAX_CELLS, x->cells));
    if (load32(b + 4) != x->sketched)
        return cells_wrong(error, -1, "number of documents", x->sketched, load32(b + 4));
    if (x->cells_asked < 1 || x->cells_asked > x->cells)
        return allowing(error, "1 .. %",
                        cells_wrong(error, -1, "cells asked", x->cells, x->cells_asked));
    if (x->cells_cold < 1 || x->cells_cold > x->cells)
        return allowing(
            error, "1 .. %",
            cells_wrong(error, -1, "cells asked by a first answer", x->cells, x->cells_cold));
    if (x->cells_pruning > 65535)
        return allowing(
            error, "0 .. %",
            cells_wrong(error, -1, "pruning threshold of a first answer", 65535, x->cells_pruning));
    if (load32(b + 20)) return cells_wrong(error, -1, "reserved", 0, load32(b + 20));
    uint64_t length = (uint64_t)x->cells * (centroid_bytes(coarse_components(p)) + 4);
    if (s->blocks != 1) return cells_wrong(error, -1, "number of blocks", 1, s->blocks);
    if (block_first(s, 0) != 0) return cells_wrong(error, 0, "first", 0, block_first(s, 0));
    return block_end(s, 0) == length
               ? POCKET_OK
               : cells_wrong(error, 0, "length of the block", length, block_end(s, 0));
}

/* The documents of a cell: up to where the next one begins. */
static uint32_t stretch_of(const pocket_index *x, const uint8_t *firsts, uint32_t cell,
                           stretch *documents, pocket_error *error) {
    uint32_t first = once(load32(firsts + 4 * (size_t)cell)),
             end =
                 cell + 1 < x->cells ? once(load32(firsts + 4 * (size_t)(cell + 1))) : x->sketched;
    if (cell == 0 && first != 0) return cells_wrong(error, 0, "first document of cell 0", 0, first);
    if (end > x->sketched)
        return allowing(error, "at most %",
                        cells_wrong(error, 0, "end of a cell", x->sketched, end));
    if (first > end)
        return allowing(error, "at least %", cells_wrong(error, 0, "end of a cell", first, end));
    *documents = (stretch){first, end};
    return POCKET_OK;
}

/* Scores fall into so many steps between the highest and the lowest that there can be. */
#define STEPS 1024u

uint32_t cells_room(const pocket_index *x) { return 2 * x->cells; }

/* Lower for a higher score, of equal ones for the lower number. */
static uint64_t rank_of(int32_t score, uint32_t cell) {
    return (uint64_t)(INT32_MAX - (uint32_t)score) << 32 | cell;
}

/* The rank of the worst that is taken. In numbers are the cells that are taken, in order, and with
 * them others of the worst one's step. Only that step is sorted, and no score decides a branch:
 * nobody can foretell which are near. */
static uint64_t worst_taken(const cell_steps *steps, const int32_t *scores, uint32_t count,
                            uint32_t wanted, uint64_t *ranks, uint32_t *numbers, uint32_t *found) {
    uint32_t in_step[STEPS] = {0}, shift = 0, step = 0, same = 0, kept = 0;
    int32_t highest, lowest;
    cell_bounds(steps, &lowest, &highest);
    while ((uint32_t)(highest - lowest) >> shift >= STEPS) shift++;
    for (uint32_t k = 0; k < count; k++) in_step[(uint32_t)(highest - scores[k]) >> shift]++;
    while (in_step[step] < wanted) wanted -= in_step[step++];
    highest -= (int32_t)(step << shift); /* of this step */
    lowest = highest - (int32_t)((1u << shift) - 1);
    for (uint32_t k = 0; k < count; k++) {
        numbers[kept] = k;
        kept += scores[k] >= lowest;
    }
    for (uint32_t i = 0; i < kept; i++) {
        ranks[same] = rank_of(scores[numbers[i]], numbers[i]);
        same += scores[numbers[i]] <= highest;
    }
    sort64(ranks, same);
    *found = kept;
    return ranks[wanted - 1];
}

/* The rank that no cell within the pruning threshold of the best one exceeds. A score here is of q
 * in place of 2 q - 15: two scores are half as far apart as those of docs/format.md. */
static uint64_t pruning_rank(const cell_steps *steps, const int32_t *scores, uint32_t count,
                             uint32_t pruning) {
    uint32_t squares = 0;
    int32_t best = scores[0];
    for (uint32_t i = 0; i < steps->bytes; i++)
        squares += (uint32_t)(steps->even[i] * steps->even[i] + steps->odd[i] * steps->odd[i]);
    for (uint32_t k = 1; k < count; k++) best = scores[k] > best ? scores[k] : best;
    return rank_of(best - (int32_t)(pruning * square_root(squares) / 2), UINT32_MAX);
}

uint32_t cells_near(const pocket_index *x, const sketch *s, uint32_t pruning, uint32_t *count,
                    uint64_t *scratch, stretch *stretches, pocket_error *error) {
    const uint8_t *centroids;
    uint64_t length;
    uint32_t status = block_get(x, x->by_kind[POCKET_CELLS], 0, 0, &centroids, &length, error),
             taken = 0, found;
    if (status) return status;
    cell_steps steps;
    cell_steps_of(&x->profile, s, &steps);
    int32_t *scores = (int32_t *)(scratch + x->cells);
    uint32_t *numbers = (uint32_t *)(scores + x->cells), end = 0;
    cell_scores(&steps, centroids, x->cells, x->profile.registers, scores);
    uint64_t worst = worst_taken(&steps, scores, x->cells, *count, scratch, numbers, &found),
             farthest = pruning ? pruning_rank(&steps, scores, x->cells, pruning) : worst;
    if (farthest < worst) worst = farthest;
    for (uint32_t i = 0; i < found; i++) {
        uint32_t k = numbers[i];
        if (rank_of(scores[k], k) > worst) continue;
        stretch *cell = &stretches[taken++];
        if ((status = stretch_of(x, centroids + (size_t)x->cells * steps.bytes, k, cell, error)))
            return status;
        /* Else a document would be compared as often as there are cells. */
        if (cell->first < end)
            return allowing(error, "at least %",
                            cells_wrong(error, 0, "first document of a cell", end, cell->first));
        end = cell->end;
    }
    *count = taken;
    return POCKET_OK;
}

uint32_t cells_verify(const pocket_index *x, pocket_error *error) {
    const uint8_t *bytes;
    uint64_t length;
    uint32_t status = block_get(x, x->by_kind[POCKET_CELLS], 0, 1, &bytes, &length, error),
             components = coarse_components(&x->profile), half = components / 2;
    size_t centroid = centroid_bytes(components);
    for (uint32_t k = 0; k < x->cells && !status; k++) {
        stretch unused;
        if (components % 2 && bytes[k * centroid + half] > 15)
            return cells_wrong(error, 0, "padding", 0, bytes[k * centroid + half]);
        status = stretch_of(x, bytes + x->cells * centroid, k, &unused, error);
    }
    return status;
}

/* ======== container.c ======== */


#define X(name, number, sentence) \
    case name: return sentence;
const char *pocket_sentence(uint32_t status) {
    switch ((pocket_status)status) { POCKET_STATUSES(X) }
    return "Unknown status.";
}
#undef X

uint32_t fail(pocket_error *error, uint32_t status, uint32_t section, int64_t block,
              const char *field, uint64_t expected, uint64_t found) {
    if (error) *error = (pocket_error){status, section, block, expected, found, field, NULL};
    return status;
}

uint32_t no_document(pocket_error *error, uint32_t section, uint64_t documents, uint64_t number) {
    return allowing(error, "less than %",
                    fail(error, POCKET_NOT_FOUND, section, -1, "document", documents, number));
}

uint32_t text_too_long(pocket_error *error, uint64_t length) {
    return allowing(error, "at most %",
                    fail(error, POCKET_TEXT_TOO_LONG, 0, -1, "text", MOST_TEXT, length));
}

uint32_t guarded(const pocket_index *index, uint32_t (*work)(void *), void *argument) {
    return index->guard ? index->guard(index->mapping, work, argument) : work(argument);
}

uint64_t block_first(const section *s, uint32_t i) {
    return load64(s->directory + (uint64_t)POCKET_DIRECTORY_ENTRY * i);
}

uint64_t block_end(const section *s, uint32_t i) {
    return load64(s->directory + (uint64_t)POCKET_DIRECTORY_ENTRY * i + 8);
}

uint64_t block_start(const section *s, uint32_t i) { return i ? block_end(s, i - 1) : 0; }

uint32_t block_get(const pocket_index *index, const section *s, uint32_t i, int no_cache,
                   const uint8_t **bytes, uint64_t *length, pocket_error *error) {
    uint64_t start = block_start(s, i), number = s->first_block + i;
    _Atomic unsigned char *checked = &index->checked[number >> 3];
    unsigned char bit = (unsigned char)(1u << (number & 7));
    *bytes = index->lent ? index->lent[number] : s->body + start;
    *length = block_end(s, i) - start;
    if (!*bytes) {
        atomic_fetch_or_explicit(&index->missed[number >> 3], bit, memory_order_relaxed);
        return fail(error, POCKET_NOT_AT_HAND, s->kind, i, "block", 0, 0);
    }
    if (!no_cache && (atomic_load_explicit(checked, memory_order_relaxed) & bit)) return POCKET_OK;
    uint32_t expected = load32(s->directory + (uint64_t)POCKET_DIRECTORY_ENTRY * i + 16),
             found = crc32c(0, *bytes, (size_t)*length);
    if (expected != found)
        return fail(error, POCKET_DAMAGED_CHECKSUM, s->kind, i, "CRC32C", expected, found);
    atomic_fetch_or_explicit(checked, bit, memory_order_relaxed);
    return POCKET_OK;
}

uint32_t block_find(const section *s, uint32_t from, uint32_t to, uint64_t key) {
    if (from == to || block_first(s, from) > key) return to;
    uint32_t low = from, high = to;
    while (high - low > 1) {
        uint32_t middle = low + (high - low) / 2;
        if (block_first(s, middle) <= key)
            low = middle;
        else
            high = middle;
    }
    return low;
}

void table_row(const tables *t, uint32_t number, uint32_t *first, uint32_t *parts, uint64_t *keys,
               uint64_t *postings) {
    const uint8_t *row = t->rows + 24 * number;
    *first = load32(row);
    *parts = load32(row + 4);
    if (keys) *keys = load64(row + 8);
    if (postings) *postings = load64(row + 16);
}

uint32_t sketch_get(const pocket_index *index, uint32_t document, packed_sketch *sketch,
                    pocket_error *error) {
    const uint8_t *block;
    uint64_t length;
    uint32_t coarse = coarse_bytes(&index->profile), place = document % index->block_documents,
             left = index->sketched - (document - place),
             count = left < index->block_documents ? left : index->block_documents,
             status = block_get(index, index->by_kind[POCKET_SKETCHES],
                                document / index->block_documents, 0, &block, &length, error);
    if (status) return status;
    sketch->coarse = block + (uint64_t)place * coarse;
    sketch->rest = block + (uint64_t)count * coarse + (uint64_t)place * (index->stride - coarse);
    return POCKET_OK;
}

uint32_t identity_get(const pocket_index *index, uint32_t document, uint32_t *identity,
                      pocket_error *error) {
    const profile *p = &index->profile;
    packed_sketch sketch;
    uint32_t status = sketch_get(index, document, &sketch, error);
    *identity = 0;
    for (uint32_t i = 0; i < index->identity_bits / 8 && !status; i++)
        *identity |= (uint32_t)sketch.rest[sketch_bytes(p) - coarse_bytes(p) + i] << (8 * i);
    return status;
}

/* ======== content.c ======== */
/* Deflated blocks (docs/format.md, 6.1 and 6.2). */

/* ======== content.h ======== */
/* Deflated blocks and their fields, for texts.c and titles.c. */
#ifndef POCKET_CONTENT_H
#define POCKET_CONTENT_H


#define MAX_CONTENT 1048576u /* the highest room of a block */

typedef struct field {
    const uint8_t *bytes;
    uint32_t length;
} field;

/* The inflated content, of at most so many bytes, of a block of texts or titles; free it with
 * pocket_free. */
static uint32_t content_get(const pocket_index *x, uint32_t kind, uint32_t block, uint32_t most,
                     int no_cache, uint8_t **content, uint32_t *length, pocket_error *error);
/* The content of a block, of which as much is inflated as is read. */
typedef struct content {
    const pocket_index *index;
    struct inflater *inflater;
    uint8_t *bytes; /* NULL: none is open */
    uint32_t length, kind, block, ready;
} content;

/* Open the content of a block, of at most so many bytes; the one before is closed. */
static uint32_t content_open(content *c, uint32_t kind, uint32_t block, uint32_t most,
                      pocket_error *error);
/* Inflate up to a place, or to the end. */
static uint32_t content_until(content *c, uint32_t place, pocket_error *error);
static void content_close(content *c);
/* A length and so many bytes; 0 when the bytes from *at are none, or more than most. */
static int field_next(const uint8_t **at, const uint8_t *end, uint32_t most, field *f);

#endif


struct fetch {
    const pocket_index *index;
    uint32_t kind, block, most;
    int no_cache;
    const uint8_t *bytes;
    uint64_t length;
    uint32_t raw;
    uint8_t *content;
    pocket_error *error;
};

static uint32_t measure(void *argument) {
    struct fetch *f = argument;
    const section *s = f->index->by_kind[f->kind];
    uint32_t status =
        block_get(f->index, s, f->block, f->no_cache, &f->bytes, &f->length, f->error);
    if (status) return status;
    if (f->length < 4)
        return allowing(f->error, "at least %",
                        fail(f->error, POCKET_DAMAGED_FIELD, s->kind, f->block,
                             "length of the block", 4, f->length));
    f->raw = once(load32(f->bytes));
    if (f->raw < 1 || f->raw > f->most)
        return allowing(f->error, "1 .. %",
                        fail(f->error, POCKET_DAMAGED_FIELD, s->kind, f->block,
                             "length of the content", f->most, f->raw));
    return POCKET_OK;
}

static uint32_t unpack(void *argument) {
    struct fetch *f = argument;
    if (inflate_raw(f->bytes + 4, (size_t)f->length - 4, f->content, f->raw))
        return fail(f->error, POCKET_DAMAGED_FIELD, f->kind, f->block, "deflate stream", 0, 0);
    return POCKET_OK;
}

uint32_t content_get(const pocket_index *x, uint32_t kind, uint32_t block, uint32_t most,
                     int no_cache, uint8_t **content, uint32_t *length, pocket_error *error) {
    struct fetch f = {.index = x,
                      .kind = kind,
                      .block = block,
                      .most = most,
                      .no_cache = no_cache,
                      .error = error};
    *content = NULL;
    uint32_t status = guarded(x, measure, &f);
    if (status) return status;
    f.content = pocket_malloc(f.raw);
    if (!f.content) return fail(error, POCKET_NO_MEMORY, kind, block, NULL, 0, 0);
    status = guarded(x, unpack, &f);
    if (status) {
        pocket_free(f.content);
        return status;
    }
    *content = f.content;
    *length = f.raw;
    return POCKET_OK;
}

void content_close(content *c) {
    inflate_end(c->inflater);
    pocket_free(c->bytes);
    c->inflater = NULL;
    c->bytes = NULL;
}

uint32_t content_open(content *c, uint32_t kind, uint32_t block, uint32_t most,
                      pocket_error *error) {
    struct fetch f = {
        .index = c->index, .kind = kind, .block = block, .most = most, .error = error};
    content_close(c);
    uint32_t status = guarded(c->index, measure, &f);
    if (status) return status;
    c->bytes = pocket_malloc(f.raw);
    if (c->bytes) c->inflater = inflate_begin(f.bytes + 4, (size_t)f.length - 4, c->bytes, f.raw);
    if (!c->inflater) {
        content_close(c);
        return fail(error, POCKET_NO_MEMORY, kind, block, NULL, 0, 0);
    }
    c->length = f.raw;
    c->kind = kind;
    c->block = block;
    c->ready = 0;
    return POCKET_OK;
}

struct progress {
    content *content;
    uint32_t place;
    pocket_error *error;
};

static uint32_t go_on(void *argument) {
    struct progress *p = argument;
    if (inflate_until(p->content->inflater, p->place))
        return fail(p->error, POCKET_DAMAGED_FIELD, p->content->kind, p->content->block,
                    "deflate stream", 0, 0);
    return POCKET_OK;
}

uint32_t content_until(content *c, uint32_t place, pocket_error *error) {
    if (place > c->length) place = c->length;
    if (place <= c->ready) return POCKET_OK;
    struct progress p = {c, place, error};
    uint32_t status = guarded(c->index, go_on, &p);
    if (!status) c->ready = place;
    return status;
}

int field_next(const uint8_t **at, const uint8_t *end, uint32_t most, field *f) {
    uint32_t length = 0;
    for (uint32_t shift = 0;; shift += 7) {
        if (*at == end || shift > 14) return 0;
        uint8_t byte = *(*at)++;
        length |= (uint32_t)(byte & 0x7F) << shift;
        if (byte < 0x80) break;
    }
    if (length > most || length > (uint64_t)(end - *at)) return 0;
    *f = (field){*at, length};
    *at += length;
    return 1;
}

/* ======== copies.c ======== */

/* ======== copies.h ======== */
/* The copies section (docs/format.md 4.3), for open.c, query.c, texts.c and verify.c. */
#ifndef POCKET_COPIES_H
#define POCKET_COPIES_H


/* Documents that are copies: those from `same.first` up to `same.end` have the whole key, those of
 * `alike` around them its upper bits. */
typedef struct copies {
    stretch same, alike;
} copies;

/* Check the section's head and keep its parameters. */
static uint32_t copies_open(pocket_index *x, const section *s, pocket_error *error);
/* Find the documents that are copies of a text with this key: one block for each of four bounds. */
static uint32_t copies_find(const pocket_index *x, uint64_t key, copies *found, pocket_error *error);
/* The copy key of a document that has one. */
static uint32_t copies_get(const pocket_index *x, uint32_t document, uint64_t *key, pocket_error *error);
/* Has a document without a sketch a copy key? */
static int copies_has(const pocket_index *x, uint32_t document);
/* Read and check every copy key. */
static uint32_t copies_verify(const pocket_index *x, pocket_error *error);

#endif


#define MOST_TOGETHER 65536u

static uint32_t copies_wrong(pocket_error *error, int64_t block, const char *field,
                             uint64_t expected, uint64_t found) {
    return fail(error, POCKET_DAMAGED_FIELD, POCKET_COPIES, block, field, expected, found);
}

/* How many documents a block has. */
static uint32_t copies_in(const pocket_index *x, uint32_t block) {
    uint64_t left = x->copies - (uint64_t)block * x->copies_together;
    return left < x->copies_together ? (uint32_t)left : x->copies_together;
}

uint32_t copies_open(pocket_index *x, const section *s, pocket_error *error) {
    const uint8_t *b = s->bytes;
    if (s->parameters != 16)
        return copies_wrong(error, -1, "length of the parameters", 16, s->parameters);
    x->copies = load32(b + 4);
    x->copies_together = load32(b + 8);
    if (load32(b) != x->documents)
        return copies_wrong(error, -1, "number of documents", x->documents, load32(b));
    if (x->copies > x->documents - x->sketched)
        return allowing(error, "at most %",
                        copies_wrong(error, -1, "documents with a copy key",
                                     x->documents - x->sketched, x->copies));
    if (x->copies_together < 1 || x->copies_together > MOST_TOGETHER)
        return allowing(
            error, "1 .. %",
            copies_wrong(error, -1, "documents a block", MOST_TOGETHER, x->copies_together));
    if (load32(b + 12) != 0) return copies_wrong(error, -1, "reserved", 0, load32(b + 12));
    uint32_t blocks = x->copies / x->copies_together + (x->copies % x->copies_together != 0);
    if (s->blocks != blocks) return copies_wrong(error, -1, "number of blocks", blocks, s->blocks);
    uint64_t end = 0;
    for (uint32_t i = 0; i < blocks; i++) {
        end += ((uint64_t)copies_in(x, i) * COPY_BITS + 7) / 8;
        if (block_end(s, i) != end)
            return copies_wrong(error, i, "end of the block", end, block_end(s, i));
        if (i > 0 && block_first(s, i) < block_first(s, i - 1))
            return allowing(
                error, "at least %",
                copies_wrong(error, i, "first", block_first(s, i - 1), block_first(s, i)));
    }
    return POCKET_OK;
}

static uint64_t key_at(const uint8_t *block, uint32_t i) {
    uint64_t bit = (uint64_t)i * COPY_BITS;
    return load_bits(block, bit, COPY_BITS - 32) |
           (uint64_t)load_bits(block, bit + COPY_BITS - 32, 32) << (COPY_BITS - 32);
}

/* How many copy keys are less than this one. */
static uint32_t copies_below(const pocket_index *x, uint64_t key, uint32_t *count,
                             pocket_error *error) {
    const section *s = x->by_kind[POCKET_COPIES];
    const uint8_t *bytes;
    uint64_t length;
    *count = 0;
    uint32_t block = key ? block_find(s, 0, s->blocks, key - 1) : s->blocks;
    if (block == s->blocks) return POCKET_OK;
    uint32_t status = block_get(x, s, block, 0, &bytes, &length, error), low = 0,
             high = copies_in(x, block);
    if (status) return status;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (key_at(bytes, middle) < key)
            low = middle + 1;
        else
            high = middle;
    }
    *count = block * x->copies_together + low;
    return POCKET_OK;
}

uint32_t copies_find(const pocket_index *x, uint64_t key, copies *found, pocket_error *error) {
    uint64_t lowest = key >> COPY_IDENTITY_BITS << COPY_IDENTITY_BITS,
             bounds[] = {lowest, key, key + 1, lowest + (1u << COPY_IDENTITY_BITS)};
    uint32_t counts[4], missing = POCKET_OK;
    for (uint32_t i = 0; i < 4; i++) {
        uint32_t status = copies_below(x, bounds[i], &counts[i], error);
        if (status == POCKET_NOT_AT_HAND)
            missing = status; /* on, so that all blocks that are missed are known at once */
        else if (status)
            return status;
    }
    for (uint32_t i = 1; i < 4 && !missing; i++)
        if (counts[i] < counts[i - 1])
            return copies_wrong(error, -1, "order of the copy keys", counts[i - 1], counts[i]);
    *found = (copies){{x->sketched + counts[1], x->sketched + counts[2]},
                      {x->sketched + counts[0], x->sketched + counts[3]}};
    return missing;
}

int copies_has(const pocket_index *x, uint32_t document) {
    return document >= x->sketched && document - x->sketched < x->copies;
}

uint32_t copies_get(const pocket_index *x, uint32_t document, uint64_t *key, pocket_error *error) {
    const uint8_t *bytes;
    uint64_t length;
    uint32_t place = document - x->sketched,
             status = block_get(x, x->by_kind[POCKET_COPIES], place / x->copies_together, 0, &bytes,
                                &length, error);
    if (!status) *key = key_at(bytes, place % x->copies_together);
    return status;
}

uint32_t copies_verify(const pocket_index *x, pocket_error *error) {
    const section *s = x->by_kind[POCKET_COPIES];
    meter steps = meter_of(x);
    uint64_t before = 0;
    for (uint32_t block = 0; block < s->blocks; block++) {
        const uint8_t *bytes;
        uint64_t length;
        uint32_t status = block_get(x, s, block, 1, &bytes, &length, error),
                 count = copies_in(x, block);
        if (status) return status;
        for (uint32_t i = 0; i < count; i++) {
            uint64_t key = key_at(bytes, i);
            if (interrupted(&steps, 1)) return POCKET_INTERRUPTED;
            if (i == 0 && key != block_first(s, block))
                return copies_wrong(error, block, "first", key, block_first(s, block));
            if (key < before)
                return allowing(error, "at least %",
                                copies_wrong(error, block, "copy key", before, key));
            before = key;
        }
        uint64_t bits = (uint64_t)count * COPY_BITS;
        if (load_bits(bytes, bits, (uint32_t)(8 * length - bits)) != 0)
            return copies_wrong(error, block, "padding", 0, 0);
    }
    return POCKET_OK;
}

/* ======== documents.c ======== */
/* The documents section and the id table (docs/format.md, sections 5 and 6). */

/* ======== documents.h ======== */
/* The records of the documents section, for documents.c and verify.c. */
#ifndef POCKET_DOCUMENTS_FILE_H
#define POCKET_DOCUMENTS_FILE_H


/* ======== url_template.h ======== */
/* A document's record, and the url that a template makes of it (docs/format.md, section 5). */
#ifndef POCKET_URL_TEMPLATE_H
#define POCKET_URL_TEMPLATE_H


typedef struct record {
    const uint8_t *id, *title, *url;
    uint32_t id_length, title_length, url_length;
} record;

/* Write the url that the file's template makes of a record; to: NULL to count only. Returns its
 * bytes. */
static uint32_t url_expand(const pocket_index *x, const record *r, char *to);

#endif

enum { RECORD_WRONG, RECORD_READ, RECORD_CUT };
/* Room in which no record is cut: its three fields, two bytes between them, and what the unpacking
 * of a symbol may write behind. */
#define RECORD_ROOM (MOST_TITLE + MOST_ID + MOST_URL + 2u + SYMBOL_BYTES)

/* Unpack the record at *at, which moves behind it, to room for size bytes (SYMBOL_BYTES or more):
 * title, id and, if any, url with one byte between them, and SYMBOL_BYTES left over. RECORD_CUT:
 * more room is needed. */
static uint32_t record_read(const pocket_index *x, const uint8_t **at, const uint8_t *end, uint8_t *room,
                     uint64_t size, record *r);

/* Whether the title, the id and the url of a record are UTF-8. */
static int record_is_utf8(const record *r);

#endif


/* ======== look_up.h ======== */
/* Keys to candidates: the part, the slot, the checksum, the postlist (docs/format.md, sections 3
 * and 8). */
#ifndef POCKET_LOOK_UP_H
#define POCKET_LOOK_UP_H


/* ======== part.h ======== */
/* A part (docs/format.md 3.1): reading side. */
#ifndef POCKET_PART_H
#define POCKET_PART_H


/* ======== pilot.h ======== */
/* `pilot`, the minimal perfect hash of a part (docs/format.md 3.2): reading side, and the formulas
 * that both sides share. */
#ifndef POCKET_PILOT_H
#define POCKET_PILOT_H

#include <stddef.h>
#include <stdint.h>

typedef struct pilot {
    const uint8_t *pilots, *remap;
    uint32_t keys, places, buckets, seed, skew;
} pilot;

/* The bytes of a hash before its pilots, and the most keys that one can have. */
enum { PILOT_HEAD = 8, PILOT_KEYS = 65535 };

/* 0 when the bytes cannot be a hash of so many keys. Checks lengths and ranges, not the remap
 * entries: pilot_slots clamps. */
static int pilot_open(pilot *hash, const uint8_t *bytes, size_t length, uint32_t keys);
/* Slots (below hash->keys) of count mixed keys (mix64), memory fetched ahead in batches. */
static void pilot_slots(const pilot *hash, const uint64_t *mixed, size_t count, uint32_t *slots);

/* a * s / 2^32: spreads a over 0 .. s - 1. */
static inline uint32_t pilot_reduce(uint32_t a, uint32_t s) {
    return (uint32_t)((uint64_t)a * s >> 32);
}

/* Places beyond the slots: with about one place in a hundred to spare, the last buckets still find
 * a pilot quickly. */
static inline uint32_t pilot_spare(uint32_t keys) { return keys < 99 ? 1 : keys / 99; }

/* The cubic sends many keys to the first buckets, which choose while all places are free, and few
 * to the last. The skew is the share of a straight line in it, 2^-skew, which bounds the first
 * bucket. */
static inline uint32_t pilot_bucket(uint64_t mixed, uint32_t skew, uint32_t buckets) {
    uint32_t x = (uint32_t)(mixed >> 32);
    uint32_t square = (uint32_t)((uint64_t)x * x >> 32);
    uint32_t cubic = (uint32_t)((uint64_t)square * ((x >> 1) + 0x80000000u) >> 32);
    return pilot_reduce(cubic - (cubic >> skew) + (x >> skew), buckets);
}

/* What a pilot contributes to the place of its bucket's keys. */
static inline uint64_t pilot_turn(uint32_t value, uint32_t seed) {
    return (value + 256 * (uint64_t)seed) * 0x9E3779B97F4A7C15ull;
}

static inline uint32_t pilot_place(uint64_t mixed, uint64_t turn, uint32_t places) {
    return pilot_reduce((uint32_t)(((mixed ^ turn) * 0xD6E8FEB86659FD93ull) >> 32), places);
}

#endif

/* ======== quotient.h ======== */
/* `quotient`, the hash of a part whose keys can be read back (docs/format.md 3.4). */
#ifndef POCKET_QUOTIENT_H
#define POCKET_QUOTIENT_H

#include <stddef.h>
#include <stdint.h>

/* The lowest bits of a key are its rest, which stands where other hashes have a checksum; those
 * above it are its quotient. */
typedef struct quotient {
    const uint8_t *before, *bits; /* keys before every 64th quotient; a one a key, a zero behind
                                     the ones of each quotient */
    const uint8_t *rests;
    uint32_t keys, rest_bits;
    uint64_t quotients, bit_bytes;
} quotient;

enum { QUOTIENT_HEAD = 4, QUOTIENT_SAMPLE = 64, QUOTIENT_KEYS = 256 };

/* 0 when the bytes cannot be a hash of so many keys. Checks lengths and padding. rests: those of
 * the keys, in their order. */
static int quotient_open(quotient *q, const uint8_t *bytes, size_t length, uint32_t keys,
                  const uint8_t *rests, uint32_t rest_bits);
/* The slot of a key, counted from the least one with the quotient of the part's first; q->keys
 * where the part has none. Returns 0 when the bytes contradict themselves. */
static int quotient_slot(const quotient *q, uint64_t key, uint32_t *slot);
/* NULL, or the name of what is not as it would be written. *last becomes the last key, counted as
 * above. first: the part's first key, counted so, too. */
static const char *quotient_check(const quotient *q, uint64_t first, uint64_t *last);

#endif

typedef struct part {
    const uint8_t *hash, *checksums, *samples, *lasts, *postings;
    uint32_t keys, count, hash_length, checksum_bits, posting_bits;
    /* Filled for the hash of this name. */
    pilot pilot;
    quotient quotient;
} part;

enum {
    POCKET_MPH_PILOT = 1,
    POCKET_MPH_BMZ = 2,
    POCKET_MPH_BDZ = 3,
    POCKET_MPH_CHD = 4,
    POCKET_MPH_QUOTIENT = 5
};

/* The bytes of a part before its hash, and how many slots there are to a sample. */
enum { PART_HEAD = 16, PART_SAMPLE = 64 };

/* NULL, or the name of the field that is wrong. bytes has been checked against its CRC, but may
 * come from a hostile writer. */
static const char *part_open(part *p, const uint8_t *bytes, uint64_t length, uint32_t mph,
                      uint32_t checksum_bits, uint32_t posting_bits);
/* Does the checksum of this slot agree with the mixed key? Under `quotient` a mixed key is
 * the key itself. */
static int part_agrees(const part *p, uint32_t slot, uint64_t mixed);
/* Which of count mixed keys meet their own checksum in their slots: their places, rising, in which;
 * returns how many. */
static uint32_t part_agreeing(const part *p, const uint64_t *mixed, const uint32_t *slots, uint32_t count,
                       uint32_t *which);
/* The postlist of this slot: postings *start .. *start + result - 1; 0 when the bytes contradict
 * themselves. */
static uint32_t part_postlist(const part *p, uint32_t slot, uint32_t *start);
/* How many postings part_postlist passes over to the end of a slot's. */
static inline uint32_t part_passed(const part *p, uint32_t slot, uint32_t end) {
    return p->samples ? end - load32(p->samples + 4 * (size_t)(slot / PART_SAMPLE)) : 0;
}
/* Ask ahead for what part_postlist reads of a slot: its sample, and then, which takes the sample,
 * its last bits. */
static inline void part_fetch_sample(const part *p, uint32_t slot) {
    if (p->samples) FETCH(p->samples + 4 * (size_t)(slot / PART_SAMPLE));
}
static inline void part_fetch_lasts(const part *p, uint32_t slot) {
    if (!p->samples) return;
    uint32_t from = load32(p->samples + 4 * (size_t)(slot / PART_SAMPLE));
    FETCH(p->lasts + (from < p->count ? from : 0) / 8);
}
/* Posting i of packed ones. */
static inline uint32_t posting_get(const uint8_t *postings, uint32_t i, uint32_t bits) {
    return load_bits(postings, (uint64_t)i * bits, bits);
}
/* Posting i (< count). */
static uint32_t part_posting(const part *p, uint32_t i);

#endif

/* A key whose checksum agreed: its place among the keys asked for, and its postlist, from start on
 * in the postings of its part. */
typedef struct match {
    const uint8_t *postings;
    uint32_t rank, part, start, count;
} match;

/* Room for the look-up of up to limit keys at once. */
typedef struct look_up {
    uint32_t limit;
    uint32_t *part_of, *order,
        *heads; /* part_of: of each key, then scratch; heads: parts of the table + 1 */
    uint64_t *keys, *mixed;
    uint32_t *slots;
    match *matches;   /* part by part */
    uint32_t *ranked; /* their numbers, in order of rank */
    uint32_t match_count, parts_touched;
    uint64_t passed; /* postings that were passed over to find those of the matches */
} look_up;

static int look_up_alloc(look_up *l, uint32_t limit, uint32_t most_parts);
static void look_up_free(look_up *l);
/* Look up count keys in table number of t. */
static uint32_t look_up_run(look_up *l, const pocket_index *index, const tables *t, uint32_t number,
                     const uint64_t *keys, uint32_t count, pocket_error *error);
/* Posting i (< count) of a match in t. */
static inline uint32_t match_posting(const match *m, const tables *t, uint32_t i) {
    return posting_get(m->postings, m->start + i, t->posting_bits);
}
/* Open part i of t, its CRC checked. */
static uint32_t part_get(const pocket_index *index, const tables *t, uint32_t i, int no_cache, part *p,
                  pocket_error *error);

#endif

/* ---- records ---- */

uint32_t record_read(const pocket_index *x, const uint8_t **at, const uint8_t *end, uint8_t *room,
                     uint64_t size, record *r) {
    if (size < SYMBOL_BYTES) return RECORD_CUT;
    const uint8_t *from = *at;
    uint8_t *to = room, *limit = room + (size - SYMBOL_BYTES);
    for (;;) {
        if (to > limit) return size < RECORD_ROOM ? RECORD_CUT : RECORD_WRONG;
        if (from == end) return RECORD_WRONG;
        uint32_t code = once(*from++), length = x->symbol_lengths[code];
        if (length) {
            memcpy(to, x->symbols[code], SYMBOL_BYTES);
            to += length;
        } else if (code == SYMBOL_END) {
            break;
        } else if (code == SYMBOL_LITERAL && from < end && *from != SYMBOL_END) {
            *to++ = *from++;
        } else {
            return RECORD_WRONG;
        }
    }
    *at = from;
    const uint8_t *id = room, *url;
    while (id < to && *id != FIELD_END) id++;
    if (id == to) return RECORD_WRONG;
    for (url = ++id; url < to && *url != FIELD_END;) url++;
    *r = (record){.title = room,
                  .id = id,
                  .title_length = (uint32_t)(id - 1 - room),
                  .id_length = (uint32_t)(url - id)};
    if (url < to) {
        r->url = ++url;
        r->url_length = (uint32_t)(to - url);
        if (url == to) return RECORD_WRONG;
    }
    return r->id_length >= 1 && r->id_length <= MOST_ID && r->title_length <= MOST_TITLE &&
                   r->url_length <= MOST_URL
               ? RECORD_READ
               : RECORD_WRONG;
}

int record_is_utf8(const record *r) {
    return is_utf8(r->id, r->id_length) && is_utf8(r->title, r->title_length) &&
           is_utf8(r->url, r->url_length);
}

/* The highest bit of every byte of eight that is SYMBOL_END. */
static uint64_t ends_in(uint64_t bytes) {
    const uint64_t low = 0x7F7F7F7F7F7F7F7Fu;
    return ((bytes & low) + 0x0101010101010101u) & bytes & ~low;
}

/* Behind the next count ends of records; NULL when there are fewer. */
static const uint8_t *pass(const uint8_t *at, const uint8_t *end, uint32_t count) {
    for (; end - at >= 32 && count >= 32; at += 32) {
        uint64_t sums = 0;
        for (int i = 0; i < 32; i += 8) sums += ends_in(load64(at + i)) >> 7;
        count -= (uint32_t)(sums * 0x0101010101010101u >> 56);
    }
    for (; end - at >= 8 && count >= 8; at += 8)
        count -= (uint32_t)((ends_in(load64(at)) >> 7) * 0x0101010101010101u >> 56);
    while (count && at < end) count -= *at++ == SYMBOL_END;
    return count ? NULL : at;
}

/* ---- the calls ---- */

/* A place between the records of a block: documents in rising order cost one pass over each block.
 */
typedef struct cursor {
    const uint8_t *at, *end; /* at: NULL before the first seek */
    uint32_t block, next;    /* next: the number of the record that lies at `at` */
} cursor;

static uint32_t wrong_record(const cursor *c, pocket_error *error) {
    return fail(error, POCKET_DAMAGED_FIELD, POCKET_DOCUMENTS, c->block, "record", 0, 0);
}

/* Go to the record of document number (< documents). For guarded work. */
static uint32_t seek(const pocket_index *x, cursor *c, uint32_t number, pocket_error *error) {
    const section *s = x->by_kind[POCKET_DOCUMENTS];
    uint32_t block = block_find(s, 0, s->blocks, number);
    if (!c->at || block != c->block || number < c->next) {
        uint64_t length;
        uint32_t status = block_get(x, s, block, 0, &c->at, &length, error);
        if (status) {
            c->at = NULL;
            return status;
        }
        *c = (cursor){c->at, c->at + length, block, (uint32_t)block_first(s, block)};
    }
    c->at = pass(c->at, c->end, number - c->next);
    c->next = number;
    return c->at ? POCKET_OK : wrong_record(c, error);
}

/* Documents on their way into one piece of memory: these structures, then the strings, whose places
 * are filled in last. */
typedef struct taking {
    const pocket_index *index;
    const uint32_t *numbers;
    uint32_t count, done, missed;
    pocket_document *documents;
    uint8_t *strings;
    uint64_t size, used, wanted; /* of the strings; wanted: more than there is room for */
    pocket_error *error;
} taking;

static int make_room(taking *b) {
    uint64_t before = (uint64_t)b->count * sizeof *b->documents,
             size = 2 * b->size + b->wanted + 64u * (uint64_t)b->count + 256;
    uint8_t *memory = before + size > SIZE_MAX ? NULL : pocket_malloc((size_t)(before + size));
    if (!memory) return 0;
    if (b->used) {
        memcpy(memory, b->documents, b->done * sizeof *b->documents);
        memcpy(memory + before, b->strings, (size_t)b->used);
    }
    pocket_free(b->documents);
    b->documents = (pocket_document *)memory;
    b->strings = memory + before;
    b->size = size;
    b->wanted = 0;
    return 1;
}

/* A record that was unpacked to where its strings are to stay, as title, id, url: zeros between
 * them, and the url where it comes from the template. */
static int settle(taking *b, const record *r) {
    uint32_t url = r->url_length ? r->url_length : url_expand(b->index, r, NULL);
    uint64_t whole = (uint64_t)r->title_length + r->id_length + url + 3;
    if (whole > b->size - b->used) {
        b->wanted = whole;
        return 0;
    }
    char *title = (char *)b->strings + b->used, *id = title + r->title_length + 1;
    if (!r->url_length) url_expand(b->index, r, id + r->id_length + 1);
    id[-1] = id[r->id_length] = id[r->id_length + 1 + url] = 0;
    b->documents[b->done] = (pocket_document){
        .id_length = r->id_length, .title_length = r->title_length, .url_length = url};
    b->used += whole;
    return 1;
}

/* As many as there is room for. Blocks that are not at hand are all asked for before any is. */
static uint32_t take_documents(void *argument) {
    taking *b = argument;
    cursor c = {.at = NULL};
    for (; b->done < b->count; b->done++) {
        uint32_t number = b->numbers[b->done], status;
        record r;
        if (number >= b->index->documents)
            return no_document(b->error, POCKET_DOCUMENTS, b->index->documents, number);
        if ((status = seek(b->index, &c, number, b->error)) == POCKET_NOT_AT_HAND) {
            b->missed = 1;
            continue;
        }
        if (status) return status;
        if (b->missed) continue;
        uint32_t read =
            record_read(b->index, &c.at, c.end, b->strings + b->used, b->size - b->used, &r);
        if (read == RECORD_WRONG) return wrong_record(&c, b->error);
        if (read == RECORD_READ && !record_is_utf8(&r))
            return fail(b->error, POCKET_DAMAGED_FIELD, POCKET_DOCUMENTS, c.block, "UTF-8", 0, 0);
        if (read == RECORD_CUT) b->wanted = RECORD_ROOM;
        if (read == RECORD_CUT || !settle(b, &r)) return POCKET_OK;
        c.next++;
    }
    return b->missed ? POCKET_NOT_AT_HAND : POCKET_OK;
}

pocket_status pocket_documents_get(const pocket_index *x, const uint32_t *numbers, uint32_t count,
                                   pocket_document **documents, pocket_error *error) {
    taking b = {.index = x, .numbers = numbers, .count = count, .error = error};
    uint32_t status = POCKET_OK;
    *documents = NULL;
    clear(error);
    do {
        if (!make_room(&b))
            status = fail(error, POCKET_NO_MEMORY, POCKET_DOCUMENTS, -1, NULL, 0, 0);
        else
            status = guarded(x, take_documents, &b);
    } while (!status && b.done < count);
    if (status) {
        pocket_free(b.documents);
        return fail_as(error, status);
    }
    const char *at = (const char *)b.strings;
    for (uint32_t i = 0; i < count; i++) {
        pocket_document *d = &b.documents[i];
        d->title = at;
        d->id = d->title + d->title_length + 1;
        d->url = d->id + d->id_length + 1;
        at = d->url + d->url_length + 1;
    }
    *documents = b.documents;
    return POCKET_OK;
}

pocket_status pocket_document_get(const pocket_index *x, uint32_t number,
                                  pocket_document **document, pocket_error *error) {
    return pocket_documents_get(x, &number, 1, document, error);
}

void pocket_document_free(pocket_document *documents) { pocket_free(documents); }

struct sought {
    const pocket_index *index;
    const char *id;
    uint64_t key;
    uint32_t length, number;
    int found;
    look_up look_up;
    uint8_t *room; /* RECORD_ROOM */
    meter steps;
    pocket_error *error;
};

static uint32_t find(void *argument) {
    struct sought *f = argument;
    const tables *ids = &f->index->ids;
    cursor c = {.at = NULL};
    uint32_t status = look_up_run(&f->look_up, f->index, ids, 0, &f->key, 1, f->error);
    if (status || f->look_up.match_count == 0) return status;
    const match *m = &f->look_up.matches[0];
    for (uint32_t i = 0, least = 0; i < m->count && !f->found; i++) {
        uint32_t document = match_posting(m, ids, i);
        record r;
        if (interrupted(&f->steps, 32)) return POCKET_INTERRUPTED;
        /* Falling ones could have the same blocks read again and again. */
        if (document < least)
            return allowing(f->error, "at least %",
                            fail(f->error, POCKET_DAMAGED_FIELD, POCKET_IDS, m->part, "posting",
                                 least, document));
        if (document >= f->index->documents)
            return allowing(f->error, "less than %",
                            fail(f->error, POCKET_DAMAGED_FIELD, POCKET_IDS, m->part, "posting",
                                 f->index->documents, document));
        if ((status = seek(f->index, &c, document, f->error))) return status;
        if (record_read(f->index, &c.at, c.end, f->room, RECORD_ROOM, &r) != RECORD_READ)
            return wrong_record(&c, f->error);
        f->found = r.id_length == f->length && !memcmp(r.id, f->id, f->length);
        f->number = document;
        c.next = least = document + 1;
    }
    return POCKET_OK;
}

pocket_status pocket_find(const pocket_index *x, const char *id, uint32_t length, uint32_t *number,
                          pocket_error *error) {
    if (!id) id = "";
    struct sought f = {.index = x,
                       .id = id,
                       .length = length,
                       .key = murmur((const uint8_t *)id, length),
                       .steps = meter_of(x),
                       .error = error};
    clear(error);
    f.room = pocket_malloc(RECORD_ROOM);
    uint32_t status = POCKET_NO_MEMORY;
    if (look_up_alloc(&f.look_up, 1, x->most_parts) && f.room)
        status = guarded(x, find, &f);
    else
        fail(error, status, POCKET_IDS, -1, NULL, 0, 0);
    look_up_free(&f.look_up);
    pocket_free(f.room);
    if (status) return fail_as(error, status);
    if (!f.found) return fail(error, POCKET_NOT_FOUND, POCKET_IDS, -1, "id", 0, 0);
    *number = f.number;
    return POCKET_OK;
}

/* ======== heads.c ======== */
/* The parameters of the sections that every file has, checked and kept when it is opened. */

/* ======== heads.h ======== */
/* The parameters of the sections that every file has (docs/format.md, sections 3 to 6). The
 * optional ones check their own. */
#ifndef POCKET_HEADS_H
#define POCKET_HEADS_H


/* A field of a section's head that the format does not allow. */
static inline uint32_t damaged_head(pocket_error *error, uint32_t section, const char *field,
                                    uint64_t expected, uint64_t found) {
    return fail(error, POCKET_DAMAGED_FIELD, section, -1, field, expected, found);
}

/* The parameters that the passages section has behind those of its table. */
#define PASSAGES_MORE 16u

/* Tables, ids or passages, which have count rows and as many more bytes of parameters. *most
 * becomes the parts of a table, where they are more. */
static uint32_t tables_open(tables *t, const section *s, uint32_t count, uint32_t more, uint32_t *most,
                     pocket_error *error);
static uint32_t sketches_open(pocket_index *x, const section *s, pocket_error *error);
static uint32_t documents_open(pocket_index *x, const section *s, pocket_error *error);

#endif


uint32_t tables_open(tables *t, const section *s, uint32_t count, uint32_t more, uint32_t *most,
                     pocket_error *error) {
    const uint8_t *b = s->bytes;
    uint32_t most_mph = s->kind == POCKET_PASSAGES ? POCKET_MPH_QUOTIENT : POCKET_MPH_CHD;
    t->section = s;
    if (s->parameters != 24 + 24 * count + more)
        return damaged_head(error, s->kind, "length of the parameters", 24 + 24 * count + more,
                            s->parameters);
    t->count = load32(b);
    t->mph = load32(b + 4);
    t->checksum_bits = load32(b + 8);
    t->posting_bits = load32(b + 12);
    t->default_probes = load32(b + 20);
    t->rows = b + 24;
    if (t->count != count) return damaged_head(error, s->kind, "number of tables", count, t->count);
    if (t->mph < POCKET_MPH_PILOT || t->mph > most_mph)
        return allowing(
            error, "1 .. %",
            fail(error, POCKET_TOO_NEW, s->kind, -1, "minimal perfect hash", most_mph, t->mph));
    int keeps_keys = t->mph == POCKET_MPH_QUOTIENT;
    if (t->checksum_bits % 8 != 0 || t->checksum_bits > 32 ||
        (t->checksum_bits == 24 && !keeps_keys))
        return allowing(error, keeps_keys ? "8, 16, 24 or %" : "0, 8, 16 or %",
                        damaged_head(error, s->kind, "checksum bits", 32, t->checksum_bits));
    if (t->posting_bits < 1 || t->posting_bits > 32)
        return allowing(error, "1 .. %",
                        damaged_head(error, s->kind, "posting bits", 32, t->posting_bits));
    if (load32(b + 16) != 0)
        return fail(error, POCKET_TOO_NEW, s->kind, -1, "unit of a posting", 0, load32(b + 16));
    uint32_t probes =
        count && POCKET_MAX_KEYS_ASKED / count < 65536 ? POCKET_MAX_KEYS_ASKED / count : 65536;
    if (t->default_probes < 1 || t->default_probes > probes)
        return allowing(error, "1 .. %",
                        damaged_head(error, s->kind, "default probes", probes, t->default_probes));
    uint32_t part = 0;
    for (uint32_t i = 0; i < count; i++) {
        uint32_t first, parts;
        table_row(t, i, &first, &parts, NULL, NULL);
        if (first != part) return damaged_head(error, s->kind, "first part", part, first);
        if (parts > s->blocks - part)
            return allowing(
                error, "0 .. %",
                damaged_head(error, s->kind, "number of parts", s->blocks - part, parts));
        for (uint32_t j = first + 1; j < first + parts; j++)
            if (block_first(s, j) <= block_first(s, j - 1))
                return allowing(error, "more than %",
                                fail(error, POCKET_DAMAGED_FIELD, s->kind, j, "first",
                                     block_first(s, j - 1), block_first(s, j)));
        part += parts;
        if (parts > *most) *most = parts;
    }
    return part == s->blocks ? POCKET_OK
                             : damaged_head(error, s->kind, "number of blocks", part, s->blocks);
}

uint32_t sketches_open(pocket_index *x, const section *s, pocket_error *error) {
    const uint8_t *b = s->bytes;
    if (s->parameters != 16)
        return damaged_head(error, s->kind, "length of the parameters", 16, s->parameters);
    x->sketched = load32(b);
    x->stride = load32(b + 4);
    x->identity_bits = load32(b + 8);
    x->block_documents = load32(b + 12);
    if (x->identity_bits != 0 && x->identity_bits != 8 && x->identity_bits != 16 &&
        x->identity_bits != 32)
        return allowing(error, "0, 8, 16 or %",
                        damaged_head(error, s->kind, "identity bits", 32, x->identity_bits));
    uint32_t stride = sketch_bytes(&x->profile) + x->identity_bits / 8;
    if (x->stride != stride) return damaged_head(error, s->kind, "stride", stride, x->stride);
    if (x->block_documents < 1)
        return allowing(error, "at least %",
                        damaged_head(error, s->kind, "documents a block", 1, 0));
    uint32_t blocks = x->sketched / x->block_documents + (x->sketched % x->block_documents != 0);
    if (s->blocks != blocks)
        return damaged_head(error, s->kind, "number of blocks", blocks, s->blocks);
    uint64_t end = 0;
    for (uint32_t i = 0; i < blocks; i++) {
        uint64_t first = (uint64_t)i * x->block_documents, count = x->sketched - first;
        if (count > x->block_documents) count = x->block_documents;
        end += count * stride;
        if (block_first(s, i) != first)
            return fail(error, POCKET_DAMAGED_FIELD, s->kind, i, "first", first, block_first(s, i));
        if (block_end(s, i) != end)
            return fail(error, POCKET_DAMAGED_FIELD, s->kind, i, "end of the block", end,
                        block_end(s, i));
    }
    return POCKET_OK;
}

/* The symbols behind the url template, at being where their lengths begin. */
static uint32_t open_symbols(pocket_index *x, const section *s, uint64_t at, uint32_t count,
                             pocket_error *error) {
    uint64_t end = at + count;
    if (count > SYMBOLS)
        return allowing(error, "0 .. %",
                        damaged_head(error, s->kind, "number of symbols", SYMBOLS, count));
    if (end > s->parameters)
        return allowing(
            error, "at least %",
            damaged_head(error, s->kind, "length of the parameters", end, s->parameters));
    for (uint32_t i = 0; i < count; i++) {
        uint32_t length = s->bytes[at + i];
        if (length < 1 || length > SYMBOL_BYTES)
            return allowing(
                error, "1 .. %",
                damaged_head(error, s->kind, "length of a symbol", SYMBOL_BYTES, length));
        if (length > s->parameters - end)
            return allowing(error, "at least %",
                            damaged_head(error, s->kind, "length of the parameters", end + length,
                                         s->parameters));
        memcpy(x->symbols[i], s->bytes + end, length);
        x->symbol_lengths[i] = (uint8_t)length;
        end += length;
    }
    if (s->parameters != pad8(end))
        return damaged_head(error, s->kind, "length of the parameters", pad8(end), s->parameters);
    for (; end < s->parameters; end++)
        if (s->bytes[end] != 0) return damaged_head(error, s->kind, "padding", 0, s->bytes[end]);
    return POCKET_OK;
}

uint32_t documents_open(pocket_index *x, const section *s, pocket_error *error) {
    if (s->parameters < 16)
        return allowing(
            error, "at least %",
            damaged_head(error, s->kind, "length of the parameters", 16, s->parameters));
    uint32_t documents = load32(s->bytes), status;
    x->documents = documents;
    x->template_length = load32(s->bytes + 4);
    const uint8_t *url_template = s->bytes + 16;
    /* Documents without a sketch are those that the copies section is about. */
    int more = x->by_kind[POCKET_COPIES] != NULL;
    if (documents < x->sketched || (documents > x->sketched) != more)
        return allowing(
            error, more ? "more than %" : NULL,
            damaged_head(error, s->kind, "number of documents", x->sketched, documents));
    if (x->template_length > POCKET_MAX_TEMPLATE)
        return allowing(error, "0 .. %",
                        damaged_head(error, s->kind, "length of the template", POCKET_MAX_TEMPLATE,
                                     x->template_length));
    if (x->template_length > s->parameters - 16)
        return allowing(error, "at least %",
                        damaged_head(error, s->kind, "length of the parameters",
                                     16 + (uint64_t)x->template_length, s->parameters));
    if (load32(s->bytes + 12) != 0)
        return damaged_head(error, s->kind, "reserved", 0, load32(s->bytes + 12));
    memcpy(x->url_template, url_template, x->template_length);
    if (!is_utf8((const uint8_t *)x->url_template, x->template_length))
        return damaged_head(error, s->kind, "template", 0, 0);
    if ((status =
             open_symbols(x, s, 16 + (uint64_t)x->template_length, load32(s->bytes + 8), error)))
        return status;
    if ((s->blocks == 0) != (documents == 0))
        return allowing(error, documents ? "1 .. %" : NULL,
                        damaged_head(error, s->kind, "number of blocks", documents, s->blocks));
    for (uint32_t i = 0; i < s->blocks; i++) {
        uint64_t least = i ? block_first(s, i - 1) + 1 : 0,
                 size = block_end(s, i) - block_start(s, i);
        if (i == 0 && block_first(s, 0) != 0)
            return fail(error, POCKET_DAMAGED_FIELD, s->kind, 0, "first", 0, block_first(s, 0));
        if (block_first(s, i) < least)
            return allowing(
                error, "at least %",
                fail(error, POCKET_DAMAGED_FIELD, s->kind, i, "first", least, block_first(s, i)));
        if (block_first(s, i) >= documents)
            return allowing(error, "less than %",
                            fail(error, POCKET_DAMAGED_FIELD, s->kind, i, "first", documents,
                                 block_first(s, i)));
        if (size > POCKET_MAX_DOCUMENTS_BLOCK)
            return allowing(error, "1 .. %",
                            fail(error, POCKET_DAMAGED_FIELD, s->kind, i, "length of the block",
                                 POCKET_MAX_DOCUMENTS_BLOCK, size));
    }
    return POCKET_OK;
}

/* ======== labels.c ======== */
/* The labels section (docs/format.md 6.5): the labels, sorted, and which of them a document has. */

/* ======== labels.h ======== */
/* The labels section, for open.c and verify.c. */
#ifndef POCKET_LABELS_FILE_H
#define POCKET_LABELS_FILE_H


/* Check the section's head and keep its parameters. */
static uint32_t labels_open(pocket_index *x, const section *s, pocket_error *error);
/* Read and check every label, and those of every document. */
static uint32_t labels_verify(const pocket_index *x, pocket_error *error);

#endif


#define PARAMETERS 24u
#define MOST_NAMES 65535u         /* labels of a file */
#define MOST_ROOM 65536u          /* of a block of labels */
#define MOST_TOGETHER 65536u      /* documents of a block */
#define OF_DOCUMENTS (1ull << 32) /* first of the first block of documents */

static uint32_t labels_wrong(pocket_error *error, int64_t block, const char *field,
                             uint64_t expected, uint64_t found) {
    return fail(error, POCKET_DAMAGED_FIELD, POCKET_LABELS, block, field, expected, found);
}

/* ---- opening ---- */

static uint32_t within(pocket_error *error, const char *field, const char *allowed, uint64_t most,
                       uint64_t found) {
    return allowing(error, allowed, labels_wrong(error, -1, field, most, found));
}

/* First the blocks of labels, whose firsts rise from 0, then those of documents, so many each. */
static uint32_t open_label_blocks(const pocket_index *x, const section *s, pocket_error *error) {
    uint32_t together = x->label_documents,
             blocks = x->labels ? x->documents / together + (x->documents % together != 0) : 0;
    if (x->label_blocks > x->labels || (x->label_blocks == 0) != (x->labels == 0))
        return within(error, "blocks of labels", x->labels ? "1 .. %" : NULL, x->labels,
                      x->label_blocks);
    if (s->blocks != (uint64_t)x->label_blocks + blocks)
        return labels_wrong(error, -1, "number of blocks", (uint64_t)x->label_blocks + blocks,
                            s->blocks);
    for (uint32_t i = 0; i < s->blocks; i++) {
        uint64_t first = block_first(s, i), least = i ? block_first(s, i - 1) + 1 : 0;
        if (i >= x->label_blocks || i == 0) {
            uint64_t right =
                i < x->label_blocks ? 0 : OF_DOCUMENTS + (uint64_t)(i - x->label_blocks) * together;
            if (first != right) return labels_wrong(error, i, "first", right, first);
        } else if (first < least) {
            return allowing(error, "at least %", labels_wrong(error, i, "first", least, first));
        } else if (first >= x->labels) {
            return allowing(error, "less than %",
                            labels_wrong(error, i, "first", x->labels, first));
        }
    }
    return POCKET_OK;
}

uint32_t labels_open(pocket_index *x, const section *s, pocket_error *error) {
    const uint8_t *b = s->bytes;
    if (s->parameters != PARAMETERS)
        return labels_wrong(error, -1, "length of the parameters", PARAMETERS, s->parameters);
    uint32_t documents = load32(b);
    x->labels = load32(b + 4);
    x->label_documents = load32(b + 8);
    x->label_least = load16(b + 12);
    x->label_count_bits = load16(b + 14);
    x->label_blocks = load32(b + 16);
    x->label_room = load32(b + 20);
    if (documents != x->documents)
        return labels_wrong(error, -1, "number of documents", x->documents, documents);
    if (x->labels > MOST_NAMES)
        return within(error, "number of labels", "0 .. %", MOST_NAMES, x->labels);
    if (x->label_documents < 1 || x->label_documents > MOST_TOGETHER)
        return within(error, "documents a block", "1 .. %", MOST_TOGETHER, x->label_documents);
    if (x->label_least > POCKET_MOST_LABELS)
        return within(error, "fewest labels", "0 .. %", POCKET_MOST_LABELS, x->label_least);
    if (x->label_count_bits > 8)
        return within(error, "bits of a number of labels", "0 .. %", 8, x->label_count_bits);
    uint32_t has_some = x->label_least > 0 || x->label_count_bits > 0;
    if (has_some != (x->labels > 0))
        return within(error, "number of labels", has_some ? "at least %" : NULL, has_some,
                      x->labels);
    if (x->label_room < 1 || x->label_room > MOST_ROOM)
        return within(error, "room", "1 .. %", MOST_ROOM, x->label_room);
    return open_label_blocks(x, s, error);
}

/* ---- the labels of documents ---- */

/* A block of documents: count of them, the numbers of labels they have, then these. */
typedef struct labelled {
    const pocket_index *index;
    uint32_t block, count, width; /* block: among those of documents; width: bits of a label */
    const uint8_t *bytes;
    int no_cache;
    pocket_error *error;
    /* What is asked of it: the document's place in the block, and where its labels go. */
    uint32_t place, found, *numbers;
    uint64_t at, end; /* the bits where its labels begin, and where the last of the block ends */
} labelled;

static uint32_t number_of(const labelled *b, uint32_t place) {
    uint32_t bits = b->index->label_count_bits;
    return b->index->label_least + load_bits(b->bytes, (uint64_t)place * bits, bits);
}

/* Find where the labels of b->place are, having seen that the block has all that it should. */
static uint32_t open_labelled(labelled *b) {
    const pocket_index *x = b->index;
    const section *s = x->by_kind[POCKET_LABELS];
    uint32_t number = x->label_blocks + b->block,
             left = x->documents - b->block * x->label_documents, own = 0;
    uint64_t length, labels = 0, before = 0;
    b->count = left < x->label_documents ? left : x->label_documents;
    for (b->width = 1; (x->labels - 1) >> b->width; b->width++) {
    }
    uint32_t status = block_get(x, s, number, b->no_cache, &b->bytes, &length, b->error);
    if (status) return status;
    uint64_t counts = (uint64_t)b->count * x->label_count_bits;
    if ((counts + 7) / 8 > length)
        return allowing(
            b->error, "at least %",
            labels_wrong(b->error, number, "length of the block", (counts + 7) / 8, length));
    for (uint32_t i = 0; i < b->count; i++) {
        uint32_t some = number_of(b, i);
        if (some > POCKET_MOST_LABELS)
            return allowing(
                b->error, "0 .. %",
                labels_wrong(b->error, number, "labels of a document", POCKET_MOST_LABELS, some));
        if (i == b->place) {
            before = labels;
            own = some;
        }
        labels += some;
    }
    uint64_t bits = counts + labels * b->width;
    if (length != (bits + 7) / 8)
        return labels_wrong(b->error, number, "length of the block", (bits + 7) / 8, length);
    if (bits % 8 && b->bytes[length - 1] >> bits % 8)
        return labels_wrong(b->error, number, "padding", 0, b->bytes[length - 1] >> bits % 8);
    b->at = counts + before * b->width;
    b->end = bits;
    b->found = own;
    return POCKET_OK;
}

/* Take so many labels of the block, which rise; numbers has room for them. */
static uint32_t take_labels(labelled *b, uint32_t count, uint32_t *numbers) {
    int64_t before = -1, number = (int64_t)b->index->label_blocks + b->block;
    for (uint32_t i = 0; i < count; i++, b->at += b->width) {
        numbers[i] = load_bits(b->bytes, b->at, b->width);
        if (numbers[i] >= b->index->labels)
            return allowing(b->error, "less than %",
                            labels_wrong(b->error, number, "label", b->index->labels, numbers[i]));
        if (numbers[i] <= before)
            return allowing(b->error, "more than %",
                            labels_wrong(b->error, number, "label", (uint64_t)before, numbers[i]));
        before = numbers[i];
    }
    return POCKET_OK;
}

static uint32_t read_labels(void *argument) {
    labelled *b = argument;
    uint32_t status = open_labelled(b);
    return status ? status : take_labels(b, b->found, b->numbers);
}

uint32_t pocket_label_count(const pocket_index *x) { return x->labels; }

pocket_status pocket_labels_get(const pocket_index *x, uint32_t document, uint32_t *numbers,
                                uint32_t *count, pocket_error *error) {
    uint32_t room = *count, found[POCKET_MOST_LABELS];
    *count = 0;
    clear(error);
    if (!x->by_kind[POCKET_LABELS])
        return fail(error, POCKET_NOT_FOUND, POCKET_LABELS, -1, "labels", 0, 0);
    if (document >= x->documents) return no_document(error, POCKET_LABELS, x->documents, document);
    if (x->labels == 0) return POCKET_OK;
    labelled b = {.index = x,
                  .block = document / x->label_documents,
                  .place = document % x->label_documents,
                  .numbers = found,
                  .error = error};
    uint32_t status = guarded(x, read_labels, &b);
    if (status) return fail_as(error, status);
    *count = b.found < room ? b.found : room;
    if (*count > 0) memcpy(numbers, found, *count * sizeof *numbers);
    return POCKET_OK;
}

/* ---- the labels themselves ---- */

static uint32_t next_label(uint32_t block, const uint8_t **at, const uint8_t *end, field *f,
                           pocket_error *error) {
    if (!field_next(at, end, POCKET_LABEL_BYTES, f) || f->length == 0)
        return labels_wrong(error, block, "record", 0, 0);
    return POCKET_OK;
}

pocket_status pocket_label_name(const pocket_index *x, uint32_t number, char *label,
                                uint32_t *length, pocket_error *error) {
    uint32_t size, status;
    uint8_t *content;
    field f = {NULL, 0};
    label[0] = 0;
    *length = 0;
    clear(error);
    if (number >= x->labels)
        return fail(error, POCKET_NOT_FOUND, POCKET_LABELS, -1, "label", x->labels, number);
    const section *s = x->by_kind[POCKET_LABELS];
    uint32_t block = block_find(s, 0, x->label_blocks, number);
    status = content_get(x, POCKET_LABELS, block, x->label_room, 0, &content, &size, error);
    if (status) return fail_as(error, status);
    const uint8_t *at = content, *end = content + size;
    for (uint64_t i = block_first(s, block); i <= number && !status; i++)
        status = next_label(block, &at, end, &f, error);
    if (!status && !is_utf8(f.bytes, f.length)) status = labels_wrong(error, block, "UTF-8", 0, 0);
    if (!status) {
        memcpy(label, f.bytes, f.length);
        label[f.length] = 0;
        *length = f.length;
    }
    pocket_free(content);
    return status;
}

/* ---- checking ---- */

/* The labels of a block. before: the one before, of *length bytes, and then the last of these. */
static uint32_t check_names(const pocket_index *x, uint32_t block, uint8_t *before,
                            uint32_t *length, pocket_error *error) {
    const section *s = x->by_kind[POCKET_LABELS];
    uint64_t first = block_first(s, block),
             next = block + 1 < x->label_blocks ? block_first(s, block + 1) : x->labels;
    uint8_t *content;
    uint32_t size,
        status = content_get(x, POCKET_LABELS, block, x->label_room, 1, &content, &size, error);
    if (status) return status;
    const uint8_t *at = content, *end = content + size;
    for (uint64_t i = first; i < next && !status; i++) {
        field f;
        if ((status = next_label(block, &at, end, &f, error))) break;
        int order = memcmp(f.bytes, before, f.length < *length ? f.length : *length);
        if (order < 0 || (order == 0 && f.length <= *length))
            status = labels_wrong(error, block, "order of the labels", 0, 0);
        else if (!is_utf8(f.bytes, f.length))
            status = labels_wrong(error, block, "UTF-8", 0, 0);
        memcpy(before, f.bytes, *length = f.length);
    }
    if (!status && at != end)
        status = labels_wrong(error, block, "bytes after the last label", 0, (uint64_t)(end - at));
    pocket_free(content);
    return status;
}

/* The labels of all documents of a block. Behind b->numbers is a bit for each label that is seen.
 */
static uint32_t check_labelled(void *argument) {
    labelled *b = argument;
    uint8_t *seen = (uint8_t *)(b->numbers + POCKET_MOST_LABELS);
    uint32_t status = open_labelled(b);
    for (uint32_t i = 0; i < b->count && !status; i++) {
        uint32_t count = number_of(b, i);
        /* These bytes were looked at before, and may have changed since. */
        if (count > POCKET_MOST_LABELS || (uint64_t)count * b->width > b->end - b->at)
            return POCKET_FILE_CHANGED;
        status = take_labels(b, count, b->numbers);
        for (uint32_t k = 0; k < count && !status; k++)
            seen[b->numbers[k] / 8] |= (uint8_t)(1u << b->numbers[k] % 8);
    }
    return status;
}

uint32_t labels_verify(const pocket_index *x, pocket_error *error) {
    const section *s = x->by_kind[POCKET_LABELS];
    meter steps = meter_of(x);
    uint8_t before[POCKET_LABEL_BYTES];
    uint32_t status = POCKET_OK, length = 0,
             *numbers = pocket_malloc(POCKET_MOST_LABELS * sizeof *numbers + MOST_NAMES / 8 + 1);
    if (!numbers) return fail(error, POCKET_NO_MEMORY, POCKET_LABELS, -1, NULL, 0, 0);
    uint8_t *seen = (uint8_t *)(numbers + POCKET_MOST_LABELS);
    memset(seen, 0, MOST_NAMES / 8 + 1);
    for (uint32_t i = 0; i < s->blocks && !status; i++) {
        if ((status = interrupted(&steps, steps_of(block_end(s, i) - block_start(s, i))))) break;
        labelled b = {.index = x,
                      .block = i - x->label_blocks,
                      .no_cache = 1,
                      .error = error,
                      .numbers = numbers};
        status = i < x->label_blocks ? check_names(x, i, before, &length, error)
                                     : guarded(x, check_labelled, &b);
    }
    for (uint32_t i = 0; i < x->labels && !status; i++)
        if (!(seen[i / 8] >> i % 8 & 1))
            status = labels_wrong(error, -1, "documents of a label", 1, 0);
    pocket_free(numbers);
    return status;
}

/* ======== look_up.c ======== */
/* All keys of one part are looked up together, so that their memory is fetched ahead and a part is
 * opened once. */


int look_up_alloc(look_up *l, uint32_t limit, uint32_t most_parts) {
    size_t n = limit, wide = 2 * n * sizeof(uint64_t),
           narrow = (4 * n + (size_t)most_parts + 1) * sizeof(uint32_t);
    memset(l, 0, sizeof *l);
    uint64_t *memory = pocket_malloc(wide + narrow + n * sizeof(match));
    if (!memory) return 0;
    l->limit = limit;
    l->keys = memory;
    l->mixed = memory + n;
    l->matches = (match *)(memory + 2 * n);
    l->part_of = (uint32_t *)(l->matches + n);
    l->order = l->part_of + n;
    l->slots = l->order + n;
    l->ranked = l->slots + n;
    l->heads = l->ranked + n;
    return 1;
}

void look_up_free(look_up *l) { pocket_free(l->keys); }

uint32_t part_get(const pocket_index *index, const tables *t, uint32_t i, int no_cache, part *p,
                  pocket_error *error) {
    const uint8_t *bytes;
    uint64_t length;
    uint32_t status = block_get(index, t->section, i, no_cache, &bytes, &length, error);
    if (status) return status;
    const char *field = part_open(p, bytes, length, t->mph, t->checksum_bits, t->posting_bits);
    return field ? fail(error, POCKET_DAMAGED_FIELD, t->section->kind, i, field, 0, 0) : POCKET_OK;
}

/* With so few parts it is quicker to go through the keys once a part than to find each key's. */
#define FEW_PARTS 8u

/* The keys of the part that begins at first and ends before the next part's, if there is one, in
 * l->order; returns how many. */
static uint32_t select_keys(look_up *l, const tables *t, uint32_t part, uint32_t end,
                            const uint64_t *keys, uint32_t count) {
    uint64_t low = block_first(t->section, part),
             most = (part + 1 < end ? block_first(t->section, part + 1) - 1 : UINT64_MAX) - low;
    uint32_t size = 0, *order = l->order;
    for (uint32_t i = 0; i < count; i++) {
        order[size] = i;
        size += keys[i] - low <= most;
    }
    return size;
}

/* Order the keys by part; heads[i] becomes the end of part i in order. Keys before the first part
 * are left out. */
static void group(look_up *l, const tables *t, uint32_t first, uint32_t parts, const uint64_t *keys,
                  uint32_t count) {
    memset(l->heads, 0, ((size_t)parts + 1) * sizeof *l->heads);
    for (uint32_t i = 0; i < count; i++) {
        l->part_of[i] = block_find(t->section, first, first + parts, keys[i]) - first;
        if (l->part_of[i] < parts) l->heads[l->part_of[i] + 1]++;
    }
    for (uint32_t i = 0; i < parts; i++) l->heads[i + 1] += l->heads[i];
    for (uint32_t i = 0; i < count; i++)
        if (l->part_of[i] < parts) l->order[l->heads[l->part_of[i]]++] = i;
}

static void gather_keys(look_up *l, const tables *t, const uint64_t *keys, const uint32_t *order,
                        uint32_t size) {
    uint64_t *own = l->keys, *mixed = l->mixed;
    for (uint32_t k = 0; k < size; k++) {
        own[k] = keys[order[k]];
        mixed[k] = t->mph == POCKET_MPH_QUOTIENT ? own[k] : mix64(own[k]);
    }
}

static int find_in_order(const tables *t, const part *p, const look_up *l, uint32_t number,
                         uint32_t count) {
    uint32_t rest = t->checksum_bits;
    uint64_t first = block_first(t->section, number) >> rest << rest;
    for (uint32_t k = 0; k < count; k++)
        if (!quotient_slot(&p->quotient, l->mixed[k] - first, &l->slots[k])) return 0;
    return 1;
}

static int find_slots(const pocket_index *index, const tables *t, const part *p, const look_up *l,
                      uint32_t number, uint32_t count) {
    if (t->mph == POCKET_MPH_QUOTIENT) return find_in_order(t, p, l, number, count);
    if (t->mph != POCKET_MPH_PILOT)
        return !index->slots(t->mph, p->hash, p->hash_length, l->keys, count, l->slots);
    pilot_slots(&p->pilot, l->mixed, count, l->slots);
    return 1;
}

/* A file of documents that are all alike has its longest way to a postlist when every key leads to
 * the same ones: this is many times that. */
#define MOST_PASSED (1ull << 32)

/* Add the postlists of the slots of part p that agreed, and ask for their first postings. */
static uint32_t add_matches(look_up *l, const tables *t, const part *p, uint32_t number,
                            const uint32_t *order, uint32_t agreeing, pocket_error *error) {
    for (uint32_t k = 0; k < agreeing; k++) part_fetch_sample(p, l->slots[l->part_of[k]]);
    for (uint32_t k = 0; k < agreeing; k++) part_fetch_lasts(p, l->slots[l->part_of[k]]);
    for (uint32_t k = 0; k < agreeing; k++) {
        uint32_t which = l->part_of[k];
        match *m = &l->matches[l->match_count++];
        *m = (match){.postings = p->postings, .rank = order[which], .part = number};
        m->count = part_postlist(p, l->slots[which], &m->start);
        if (m->count == 0)
            return fail(error, POCKET_DAMAGED_FIELD, t->section->kind, number, "postlist", 0, 0);
        l->passed += part_passed(p, l->slots[which], m->start + m->count);
        if (l->passed > MOST_PASSED)
            return allowing(error, "0 .. %",
                            fail(error, POCKET_DAMAGED_FIELD, t->section->kind, number,
                                 "postings passed over", MOST_PASSED, l->passed));
        FETCH(p->postings + (uint64_t)m->start * t->posting_bits / 8);
    }
    return POCKET_OK;
}

/* Put the matches' numbers in order of rank: few of the ranks below count are there, and none
 * twice. */
static void rank_matches(look_up *l, uint32_t count) {
    uint32_t *one_more = l->order,
             ranked = 0; /* than the number of the match of a rank; 0 where there is none */
    memset(one_more, 0, count * sizeof *one_more);
    for (uint32_t i = 0; i < l->match_count; i++) one_more[l->matches[i].rank] = i + 1;
    for (uint32_t rank = 0; ranked < l->match_count; rank++) {
        l->ranked[ranked] = one_more[rank] - 1;
        ranked += one_more[rank] != 0;
    }
}

uint32_t look_up_run(look_up *l, const pocket_index *index, const tables *t, uint32_t number,
                     const uint64_t *keys, uint32_t count, pocket_error *error) {
    uint32_t first, parts, start = 0, missing = POCKET_OK;
    l->match_count = 0;
    table_row(t, number, &first, &parts, NULL, NULL);
    int foreign = t->mph != POCKET_MPH_PILOT && t->mph != POCKET_MPH_QUOTIENT;
    if (foreign && !index->slots && parts > 0)
        return fail(error, POCKET_NEEDS_CMPH, t->section->kind, -1, "minimal perfect hash", 0,
                    t->mph);
    int few = parts <= FEW_PARTS;
    if (!few) group(l, t, first, parts, keys, count);
    for (uint32_t i = 0; i < parts; i++) {
        uint32_t size =
            few ? select_keys(l, t, first + i, first + parts, keys, count) : l->heads[i] - start;
        const uint32_t *order = l->order + start;
        part p;
        if (!few) start = l->heads[i];
        if (size == 0) continue;
        uint32_t status = part_get(index, t, first + i, 0, &p, error);
        if (status == POCKET_NOT_AT_HAND) {
            missing = status;
            continue;
        }
        if (status) return status;
        l->parts_touched++;
        gather_keys(l, t, keys, order, size);
        if (!find_slots(index, t, &p, l, first + i, size))
            return fail(error, POCKET_DAMAGED_FIELD, t->section->kind, first + i,
                        "minimal perfect hash", 0, 0);
        uint32_t agreeing = part_agreeing(&p, l->mixed, l->slots, size, l->part_of);
        if ((status = add_matches(l, t, &p, first + i, order, agreeing, error))) return status;
    }
    rank_matches(l, count);
    return missing;
}

/* ======== part.c ======== */
/* Reading a part: where its pieces lie, and from a slot to its postlist. */


/* What is left of a part's bytes while its pieces are cut off the front. */
typedef struct rest {
    const uint8_t *bytes;
    uint64_t length;
} rest;

static const uint8_t *cut(rest *r, uint64_t length) {
    if (length > r->length) return NULL;
    const uint8_t *piece = r->bytes;
    r->bytes += length;
    r->length -= length;
    return piece;
}

static uint64_t bytes_for(uint64_t bits) { return (bits + 7) / 8; }

/* Are the bits of the last byte zero that lie beyond the field's end? */
static int is_padded(const uint8_t *field, uint64_t bits) {
    return bits % 8 == 0 || field[bits / 8] >> bits % 8 == 0;
}

const char *part_open(part *p, const uint8_t *bytes, uint64_t length, uint32_t mph,
                      uint32_t checksum_bits, uint32_t posting_bits) {
    rest r = {bytes, length};
    const uint8_t *head = cut(&r, PART_HEAD);
    if (!head) return "length of the part";
    p->keys = once(load32(head));
    p->count = once(load32(head + 4));
    p->hash_length = once(load32(head + 8));
    p->checksum_bits = checksum_bits;
    p->posting_bits = posting_bits;
    if (p->keys < 1 || p->keys > PILOT_KEYS) return "keys of the part";
    if (p->count < p->keys || p->count > INT32_MAX) return "postings of the part";
    if (load32(head + 12) != 0) return "reserved field of the part";
    if (checksum_bits > 32 || checksum_bits % 8 != 0) return "checksum bits";
    if (posting_bits < 1 || posting_bits > 32) return "posting bits";

    p->hash = cut(&r, p->hash_length);
    if (!p->hash) return "length of the hash";
    if (mph == POCKET_MPH_PILOT && !pilot_open(&p->pilot, p->hash, p->hash_length, p->keys))
        return "hash of the part";

    uint64_t posting_field = (uint64_t)p->count * posting_bits;
    p->checksums = cut(&r, (uint64_t)p->keys * (checksum_bits / 8));
    p->samples = p->lasts = NULL;
    if (p->count > p->keys) {
        p->samples = cut(&r, 4 * (((uint64_t)p->keys + PART_SAMPLE - 1) / PART_SAMPLE));
        p->lasts = cut(&r, bytes_for(p->count));
        if (!p->samples || !p->lasts) return "length of the part";
        if (!is_padded(p->lasts, p->count)) return "padding of the part";
    }
    p->postings = cut(&r, bytes_for(posting_field));
    if (!p->checksums || !p->postings || r.length != 0) return "length of the part";
    if (mph == POCKET_MPH_QUOTIENT &&
        !quotient_open(&p->quotient, p->hash, p->hash_length, p->keys, p->checksums, checksum_bits))
        return "hash of the part";
    return is_padded(p->postings, posting_field) ? NULL : "padding of the part";
}

/* One loop for each width, so that none decides anything for a key but whether it agrees. */
#define AGREEING(load, type) \
    for (uint32_t i = 0; i < count; i++) { \
        uint32_t slot = slots[i] < p->keys ? slots[i] : 0; \
        which[found] = i; \
        found += (load) == (type)mixed[i] && slots[i] < p->keys; \
    }

uint32_t part_agreeing(const part *p, const uint64_t *mixed, const uint32_t *slots, uint32_t count,
                       uint32_t *which) {
    const uint8_t *sums = p->checksums;
    uint32_t found = 0;
    switch (p->checksum_bits) {
    case 8: AGREEING(sums[slot], uint8_t) break;
    case 16: AGREEING(load16(sums + 2 * (size_t)slot), uint16_t) break;
    case 32: AGREEING(load32(sums + 4 * (size_t)slot), uint32_t) break;
    default:
        for (uint32_t i = 0; i < count; i++) {
            which[found] = i;
            found += slots[i] < p->keys;
        }
    }
    return found;
}

int part_agrees(const part *p, uint32_t slot, uint64_t mixed) {
    uint32_t which;
    return (int)part_agreeing(p, &mixed, &slot, 1, &which);
}

/* 64 last bits; beyond the end they are zero. */
static uint64_t last_bits(const part *p, uint32_t word) {
    const uint8_t *bytes = p->lasts + 8 * (size_t)word;
    size_t left = (size_t)bytes_for(p->count) - 8 * (size_t)word;
    if (left >= 8) return once(load32(bytes)) | (uint64_t)once(load32(bytes + 4)) << 32;
    uint64_t bits = 0;
    for (size_t i = 0; i < left; i++) bits |= (uint64_t)once(bytes[i]) << (8 * i);
    return bits;
}

uint32_t part_postlist(const part *p, uint32_t slot, uint32_t *start) {
    if (!p->lasts) {
        *start = slot;
        return 1;
    }
    /* The search stays between two samples, and those within the part. */
    uint32_t sample = slot / PART_SAMPLE, skip = slot % PART_SAMPLE;
    uint32_t from = once(load32(p->samples + 4 * (size_t)sample));
    uint32_t end = p->keys - slot > PART_SAMPLE - skip
                       ? once(load32(p->samples + 4 * (size_t)(sample + 1)))
                       : p->count;
    if (end > p->count || from >= end) return 0;
    /* Its own last bit is the one with skip others since from, and it starts behind the one before.
     */
    uint32_t word = from / 64, ones;
    uint64_t bits = last_bits(p, word) & ~0ull << (from % 64);
    for (; skip >= (ones = count_ones(bits)); bits = last_bits(p, word)) {
        if (ones) from = 64 * word + highest_one(bits) + 1;
        skip -= ones;
        if (++word > (end - 1) / 64) return 0;
    }
    uint32_t place = one_at(bits, skip), last = 64 * word + place;
    uint64_t before = bits & ((1ull << place) - 1);
    if (before) from = 64 * word + highest_one(before) + 1;
    if (last >= end) return 0;
    *start = from;
    return last - from + 1;
}

uint32_t part_posting(const part *p, uint32_t i) {
    return posting_get(p->postings, i, p->posting_bits);
}

/* ======== passages.c ======== */

/* ======== passages.h ======== */
/* The passages section (docs/format.md 6.3): which documents have a shingle. */
#ifndef POCKET_PASSAGES_H
#define POCKET_PASSAGES_H


#define SHINGLE_EXAMPLES 3u /* documents of a frequent shingle that a look-up finds */

/* The tables of the section: all shingles, and all documents of the frequent ones. */
enum { ALL_SHINGLES, FREQUENT_SHINGLES, SHINGLE_TABLES };

/* Check the section's head and keep its parameters. */
static uint32_t passages_open(pocket_index *x, const section *s, pocket_error *error);
/* The key of a shingle: of its hash times 256 * range what is above 64 bits. */
static inline uint64_t shingle_key(uint64_t hash, uint32_t range) {
    uint64_t times = (uint64_t)range << 8, high = times >> 32, low = times & UINT32_MAX,
             lower = hash & UINT32_MAX, middle = (hash >> 32) * low,
             rest = (middle & UINT32_MAX) + lower * high + (lower * low >> 32);
    return (hash >> 32) * high + (middle >> 32) + (rest >> 32);
}
/* How many documents have a shingle whose postings m are in the table of all shingles, and how many
 * of them are listed: all, or examples, where the shingle is frequent. */
static inline uint32_t shingle_documents(const pocket_index *x, const match *m, uint32_t *listed) {
    const tables *t = &x->passages;
    *listed = m->count;
    if (m->count < 2 || match_posting(m, t, m->count - 2) != x->documents) return m->count;
    *listed = m->count - 2;
    return match_posting(m, t, m->count - 1);
}
/* Check these two numbers of a postlist. */
static uint32_t shingle_check(const pocket_index *x, const match *m, uint32_t documents, uint32_t listed,
                       pocket_error *error);

#endif


#define MOST_DOCUMENTS 1000u /* of a shingle */

static uint32_t wrong_number(pocket_error *error, const char *field, uint64_t most,
                             uint64_t found) {
    return allowing(error, "1 .. %", damaged_head(error, POCKET_PASSAGES, field, most, found));
}

uint32_t passages_open(pocket_index *x, const section *s, pocket_error *error) {
    uint32_t status = tables_open(&x->passages, s, SHINGLE_TABLES, PASSAGES_MORE, &x->most_parts, error);
    if (status) return status;
    const uint8_t *b = s->bytes + s->parameters - PASSAGES_MORE;
    x->shingle_terms = load32(b);
    x->shingle_window = load32(b + 4);
    x->shingle_documents = load32(b + 8);
    x->shingle_range = load32(b + 12);
    uint32_t first, parts;
    table_row(&x->passages, FREQUENT_SHINGLES, &first, &parts, &x->frequent_shingles, NULL);
    if (x->passages.mph != POCKET_MPH_QUOTIENT)
        return damaged_head(error, s->kind, "minimal perfect hash", POCKET_MPH_QUOTIENT,
                            x->passages.mph);
    if (x->passages.checksum_bits == 0)
        return allowing(error, "8, 16, 24 or %",
                        damaged_head(error, s->kind, "checksum bits", 32, 0));
    if (x->passages.default_probes != 1)
        return damaged_head(error, s->kind, "default probes", 1, x->passages.default_probes);
    if (x->shingle_terms < 1 || x->shingle_terms > SHINGLE_TERMS)
        return wrong_number(error, "terms of a shingle", SHINGLE_TERMS, x->shingle_terms);
    if (x->shingle_window < 1 || x->shingle_window > MOST_WINDOW)
        return wrong_number(error, "window", MOST_WINDOW, x->shingle_window);
    if (x->shingle_documents < 1 || x->shingle_documents > MOST_DOCUMENTS)
        return wrong_number(error, "documents of a shingle", MOST_DOCUMENTS, x->shingle_documents);
    if (x->shingle_range < 1)
        return allowing(error, "at least %", damaged_head(error, s->kind, "key range", 1, 0));
    return POCKET_OK;
}

uint32_t shingle_check(const pocket_index *x, const match *m, uint32_t documents, uint32_t listed,
                       pocket_error *error) {
    int frequent = listed < m->count;
    uint32_t least = frequent ? x->shingle_documents + 1 : 1,
             most = frequent ? x->documents : x->shingle_documents,
             examples = documents < SHINGLE_EXAMPLES ? documents : SHINGLE_EXAMPLES;
    if (documents < least)
        return allowing(error, "at least %",
                        fail(error, POCKET_DAMAGED_FIELD, POCKET_PASSAGES, m->part,
                             "documents of a shingle", least, documents));
    if (documents > most)
        return allowing(error, "at most %",
                        fail(error, POCKET_DAMAGED_FIELD, POCKET_PASSAGES, m->part,
                             "documents of a shingle", most, documents));
    if (frequent && listed != examples)
        return fail(error, POCKET_DAMAGED_FIELD, POCKET_PASSAGES, m->part, "examples of a shingle",
                    examples, listed);
    return POCKET_OK;
}

/* ======== pilot.c ======== */
/* The hash `pilot`: a key's bucket names a pilot, key and pilot name a place, and the few places
 * beyond the last slot are remapped. */


/* Pilots of this many keys are under way at once: enough to hide a miss to memory, few enough for
 * the bucket numbers to stay in registers and the first level of cache. */
#define KEYS_AT_ONCE 32

int pilot_open(pilot *hash, const uint8_t *bytes, size_t length, uint32_t keys) {
    if (keys < 1 || keys > PILOT_KEYS || length < PILOT_HEAD) return 0;
    uint32_t buckets = once(load32(bytes)), spare = pilot_spare(keys);
    hash->seed = bytes[4];
    hash->skew = once(bytes[5]);
    if (buckets < 1 || buckets > 65535 || hash->skew < 1 || hash->skew > 16 ||
        load16(bytes + 6) != spare)
        return 0;
    if (length - PILOT_HEAD != buckets + 2 * (size_t)spare) return 0;
    hash->keys = keys;
    hash->places = keys + spare;
    hash->buckets = buckets;
    hash->pilots = bytes + PILOT_HEAD;
    hash->remap = hash->pilots + buckets;
    return 1;
}

static inline uint32_t slot_of(const pilot *hash, uint64_t mixed, uint32_t value) {
    uint32_t place = pilot_place(mixed, pilot_turn(value, hash->seed), hash->places);
    if (place < hash->keys) return place;
    uint32_t slot = once(load16(hash->remap + 2 * (size_t)(place - hash->keys)));
    return slot < hash->keys ? slot : hash->keys - 1;
}

void pilot_slots(const pilot *restrict hash, const uint64_t *restrict mixed, size_t count,
                 uint32_t *restrict slots) {
    uint32_t bucket[KEYS_AT_ONCE];
    for (size_t done = 0; done < count;) {
        size_t batch = count - done < KEYS_AT_ONCE ? count - done : KEYS_AT_ONCE;
        for (size_t i = 0; i < batch; i++) {
            bucket[i] = pilot_bucket(mixed[done + i], hash->skew, hash->buckets);
            FETCH(hash->pilots + bucket[i]);
        }
        for (size_t i = 0; i < batch; i++)
            slots[done + i] = slot_of(hash, mixed[done + i], hash->pilots[bucket[i]]);
        done += batch;
    }
}

/* ======== quotient.c ======== */
/* A set of keys in their order, as an Elias-Fano code has them: what is above the low bits in
 * unary, the low bits beside it. The slot of a key is how many come before it. */


static uint64_t quotient_samples(uint64_t quotients) {
    return quotients / QUOTIENT_SAMPLE + (quotients % QUOTIENT_SAMPLE != 0);
}

int quotient_open(quotient *q, const uint8_t *bytes, size_t length, uint32_t keys,
                  const uint8_t *rests, uint32_t rest_bits) {
    if (length < QUOTIENT_HEAD) return 0;
    uint64_t quotients = once(load32(bytes)), before = 2 * quotient_samples(quotients),
             ones = quotients + keys, bits = (ones + 7) / 8;
    if (quotients < 1 || length != QUOTIENT_HEAD + before + bits) return 0;
    *q = (quotient){.before = bytes + QUOTIENT_HEAD,
                    .bits = bytes + QUOTIENT_HEAD + before,
                    .rests = rests,
                    .keys = keys,
                    .rest_bits = rest_bits,
                    .quotients = quotients,
                    .bit_bytes = bits};
    return ones % 8 == 0 || q->bits[bits - 1] >> ones % 8 == 0;
}

/* 64 of the bits; beyond the end they are zero. */
static uint64_t unary_word(const quotient *q, uint64_t word) {
    uint64_t start = 8 * word, bits = 0;
    if (start + 8 <= q->bit_bytes)
        return once(load32(q->bits + start)) | (uint64_t)once(load32(q->bits + start + 4)) << 32;
    for (uint64_t i = start; i < q->bit_bytes; i++)
        bits |= (uint64_t)once(q->bits[i]) << 8 * (i - start);
    return bits;
}

static int unary_bit(const quotient *q, uint64_t place) {
    return place / 8 < q->bit_bytes && once(q->bits[place / 8]) >> place % 8 & 1;
}

static uint32_t quotient_rest(const quotient *q, uint64_t rank) {
    return load_bits(q->rests, rank * q->rest_bits, q->rest_bits);
}

int quotient_slot(const quotient *q, uint64_t key, uint32_t *slot) {
    uint64_t number = key >> q->rest_bits;
    uint32_t rest = (uint32_t)(key - (number << q->rest_bits));
    *slot = q->keys;
    if (number >= q->quotients) return 1;
    uint64_t sample = number / QUOTIENT_SAMPLE, end = q->quotients + q->keys,
             place = once(load16(q->before + 2 * sample)) + QUOTIENT_SAMPLE * sample;
    uint32_t skip = number % QUOTIENT_SAMPLE, zeros;
    if (skip) {
        /* It starts behind the zero that has skip - 1 others since the sample. 64 quotients have no
         * more ones than this loop may pass over. */
        uint64_t word = place / 64, last = word + QUOTIENT_KEYS + 2;
        uint64_t bits = ~unary_word(q, word) & ~0ull << place % 64;
        for (skip--; skip >= (zeros = count_ones(bits)); bits = ~unary_word(q, word)) {
            skip -= zeros;
            if (++word > last || 64 * word >= end) return 0;
        }
        place = 64 * word + one_at(bits, skip) + 1;
    }
    for (uint32_t i = 0; unary_bit(q, place); i++, place++) {
        uint64_t rank = place - number;
        if (i == QUOTIENT_KEYS || place >= end || rank >= q->keys) return 0;
        if (quotient_rest(q, rank) == rest) *slot = (uint32_t)rank;
    }
    return 1;
}

const char *quotient_check(const quotient *q, uint64_t first, uint64_t *last) {
    uint64_t number = 0, before = 0;
    uint32_t rank = 0, together = 0;
    for (uint64_t place = 0; place < q->quotients + q->keys; place++) {
        if (number % QUOTIENT_SAMPLE == 0 && !(place && unary_bit(q, place - 1)) &&
            number < q->quotients &&
            load16(q->before + 2 * (number / QUOTIENT_SAMPLE)) != place - number)
            return "keys before a quotient";
        if (!unary_bit(q, place)) {
            number++;
            together = 0;
            continue;
        }
        if (rank >= q->keys || ++together > QUOTIENT_KEYS) return "keys of the hash";
        uint64_t key = number << q->rest_bits | quotient_rest(q, rank);
        if (rank == 0 && key != first) return "first";
        if (rank > 0 && key <= before) return "order of the keys";
        before = key;
        rank++;
    }
    *last = before;
    if (rank != q->keys || number != q->quotients) return "keys of the hash";
    return before >> q->rest_bits == q->quotients - 1 ? NULL : "quotients";
}

/* ======== texts.c ======== */
/* The texts section (docs/format.md 6.1): whole texts or snippets, in blocks of whole documents, or
 * of pieces of one. */

/* ======== texts.h ======== */
/* The texts section, for container.c and verify.c. */
#ifndef POCKET_TEXTS_FILE_H
#define POCKET_TEXTS_FILE_H


/* Check the section's head and keep its parameters. */
static uint32_t texts_open(pocket_index *x, const section *s, pocket_error *error);
/* Read and check every text. */
static uint32_t texts_verify(const pocket_index *x, pocket_error *error);

/* Reads one text after the other, and keeps the block that it read last: texts that lie together
 * cost one. */
typedef struct text_reader {
    const pocket_index *index;
    content content;     /* of a block of whole documents */
    pocket_text *joined; /* of a document in pieces, or NULL */
} text_reader;

/* Read the text of a document (< documents) of a file that keeps texts; it stays until the next
 * call. */
static uint32_t text_reader_get(text_reader *r, uint32_t number, const uint8_t **bytes, uint32_t *length,
                         pocket_error *error);
static void text_reader_free(text_reader *r);

#endif


#define MAX_ROOM 1048576u
#define MAX_CHARACTERS 10000u

static uint32_t texts_wrong(pocket_error *error, int64_t block, const char *field,
                            uint64_t expected, uint64_t found) {
    return fail(error, POCKET_DAMAGED_FIELD, POCKET_TEXTS, block, field, expected, found);
}

/* ---- opening ---- */

static uint32_t document_of(uint64_t first) { return (uint32_t)(first >> 32); }
static uint32_t piece_of(uint64_t first) { return (uint32_t)first; }

/* Documents follow each other without a gap after pieces, and pieces within their document. */
static uint32_t open_text_blocks(const pocket_index *x, const section *s, pocket_error *error) {
    uint64_t before = 0;
    for (uint32_t i = 0; i <= s->blocks; i++) {
        uint64_t first = i < s->blocks ? block_first(s, i) : (uint64_t)x->documents << 32;
        uint32_t document = document_of(first), piece = piece_of(first),
                 least = i ? document_of(before) + 1 : 0;
        uint32_t most_pieces = (MOST_TEXT - 1) / x->text_room + 1;
        int64_t block = i < s->blocks ? (int64_t)i : -1;
        int after_piece = i > 0 && piece_of(before) > 0, alone = i == 0 || after_piece;
        uint64_t next_piece = after_piece ? before + 1 : (uint64_t)least << 32;
        if (piece > 1 && first != next_piece)
            return texts_wrong(error, block, "first", next_piece, first);
        if (piece > most_pieces)
            return allowing(error, "1 .. %",
                            texts_wrong(error, block, "piece", most_pieces, piece));
        if (piece <= 1 && alone && document != least)
            return texts_wrong(error, block, "document of the first", least, document);
        if (piece <= 1 && document < least)
            return allowing(
                error, "more than %",
                texts_wrong(error, block, "document of the first", document_of(before), document));
        if (i < s->blocks && document >= x->documents)
            return allowing(
                error, "less than %",
                texts_wrong(error, block, "document of the first", x->documents, document));
        before = first;
    }
    return POCKET_OK;
}

uint32_t texts_open(pocket_index *x, const section *s, pocket_error *error) {
    const uint8_t *b = s->bytes;
    if (s->parameters != 16)
        return texts_wrong(error, -1, "length of the parameters", 16, s->parameters);
    uint32_t documents = load32(b);
    x->text_kept = load32(b + 4);
    x->text_characters = load32(b + 8);
    x->text_room = load32(b + 12);
    if (documents != x->documents)
        return texts_wrong(error, -1, "number of documents", x->documents, documents);
    if (x->text_kept < POCKET_WHOLE || x->text_kept > POCKET_SNIPPET)
        return allowing(error, "1 .. %",
                        texts_wrong(error, -1, "kept", POCKET_SNIPPET, x->text_kept));
    if (x->text_kept != POCKET_SNIPPET && x->text_characters != 0)
        return texts_wrong(error, -1, "characters of a snippet", 0, x->text_characters);
    if (x->text_kept == POCKET_SNIPPET &&
        (x->text_characters < 1 || x->text_characters > MAX_CHARACTERS))
        return allowing(
            error, "1 .. %",
            texts_wrong(error, -1, "characters of a snippet", MAX_CHARACTERS, x->text_characters));
    if (x->text_room < 1 || x->text_room > MAX_ROOM)
        return allowing(error, "1 .. %", texts_wrong(error, -1, "room", MAX_ROOM, x->text_room));
    return open_text_blocks(x, s, error);
}

/* ---- reading ---- */

/* Documents first .. end - 1 of a block, or of as many blocks as the one document has pieces. */
typedef struct span {
    const pocket_index *index;
    uint32_t number, block, first, end, pieces;
} span;

static void read_span(span *a) {
    const section *s = a->index->by_kind[POCKET_TEXTS];
    uint64_t first = block_first(s, a->block);
    a->first = document_of(first);
    a->pieces = 0;
    if (piece_of(first) > 0)
        while (a->block + a->pieces < s->blocks &&
               document_of(block_first(s, a->block + a->pieces)) == a->first)
            a->pieces++;
    uint32_t next = a->block + (a->pieces ? a->pieces : 1);
    a->end = next < s->blocks ? document_of(block_first(s, next)) : a->index->documents;
}

/* A text with room for so many bytes and a zero. */
static pocket_text *text_alloc(const span *s, uint64_t room, pocket_error *error) {
    pocket_text *t = pocket_malloc(sizeof *t + (size_t)room + 1);
    if (t)
        *t = (pocket_text){(char *)(t + 1), 0, s->index->text_kept};
    else
        fail(error, POCKET_NO_MEMORY, POCKET_TEXTS, s->block, NULL, 0, 0);
    return t;
}

static void text_add(pocket_text *t, const uint8_t *bytes, uint32_t length) {
    char *to = (char *)(t + 1) + t->length;
    if (length > 0) memcpy(to, bytes, length);
    to[length] = 0;
    t->length += length;
}

/* The text of a document in pieces; no_cache: see block_get. */
static uint32_t join_pieces(const span *s, int no_cache, pocket_text **text, pocket_error *error) {
    const pocket_index *x = s->index;
    uint32_t status = POCKET_OK;
    pocket_text *t = *text = text_alloc(s, (uint64_t)s->pieces * x->text_room, error);
    if (!t) return POCKET_NO_MEMORY;
    meter steps = meter_of(x);
    int incomplete = 0; /* a piece was not at hand; the others are asked for too, so that all are
                           missed at once */
    for (uint32_t i = s->block, last = i + s->pieces - 1, length; i <= last && !status; i++) {
        uint8_t *content;
        if ((status = interrupted(&steps, steps_of(x->text_room)))) break;
        status = content_get(x, POCKET_TEXTS, i, x->text_room, no_cache, &content, &length, error);
        if (status == POCKET_NOT_AT_HAND) {
            incomplete = 1;
            status = POCKET_OK;
            continue;
        }
        if (status) break;
        if (i < last && length != x->text_room)
            status = texts_wrong(error, i, "length of a piece", x->text_room, length);
        else if (length > MOST_TEXT - t->length)
            status =
                allowing(error, "at most %",
                         texts_wrong(error, i, "length of a piece", MOST_TEXT - t->length, length));
        else
            text_add(t, content, length);
        pocket_free(content);
    }
    return incomplete && !status ? (uint32_t)POCKET_NOT_AT_HAND : status;
}

static uint32_t text_is_utf8(const span *s, const uint8_t *bytes, uint32_t length,
                             pocket_error *error) {
    return is_utf8(bytes, length) ? POCKET_OK : texts_wrong(error, s->block, "UTF-8", 0, 0);
}

/* ---- checking ---- */

/* What stands beside a document's sketch, or in its place: the identity of its text, or its copy
 * key, no_copy_key where it has none. */
typedef struct kept {
    const pocket_index *index;
    uint32_t document;
    uint64_t identity;
    pocket_error *error;
} kept;

static const uint64_t no_copy_key = UINT64_MAX;

static uint32_t read_identity(void *argument) {
    kept *a = argument;
    if (copies_has(a->index, a->document))
        return copies_get(a->index, a->document, &a->identity, a->error);
    if (a->document >= a->index->sketched) return POCKET_OK;
    uint32_t own, status = identity_get(a->index, a->document, &own, a->error);
    a->identity = own;
    return status;
}

/* The same, of a text. */
static uint64_t identity_of(const pocket_index *x, uint32_t document, const uint8_t *bytes,
                            uint32_t length, meter *steps) {
    uint64_t key;
    if (document < x->sketched) return murmur(bytes, length) & ((1ull << x->identity_bits) - 1);
    return copy_key_of_text(bytes, length, steps, &key) ? key : no_copy_key;
}

static uint32_t check_text(const span *s, uint32_t document, const uint8_t *bytes, uint32_t length,
                           pocket_error *error) {
    const pocket_index *x = s->index;
    uint32_t characters = 0;
    uint32_t status = text_is_utf8(s, bytes, length, error);
    if (status) return status;
    for (uint32_t i = 0; i < length; i++) characters += (bytes[i] & 0xC0) != 0x80;
    if (x->text_characters > 0)
        return characters <= x->text_characters
                   ? POCKET_OK
                   : allowing(error, "0 .. %",
                              texts_wrong(error, s->block, "characters of a snippet",
                                          x->text_characters, characters));
    kept a = {x, document, no_copy_key, error};
    meter steps = meter_of(x);
    uint64_t identity = identity_of(x, document, bytes, length, &steps);
    status = steps.ended ? (uint32_t)POCKET_INTERRUPTED : guarded(x, read_identity, &a);
    return status || a.identity == identity
               ? status
               : texts_wrong(error, s->block, "identity of a text", a.identity, identity);
}

/* Check a block of whole documents. */
static uint32_t check_texts(const span *s, pocket_error *error) {
    uint8_t *content;
    uint32_t length, status = content_get(s->index, POCKET_TEXTS, s->block, s->index->text_room, 1,
                                          &content, &length, error);
    if (status) return status;
    const uint8_t *at = content, *end = content + length;
    for (uint32_t i = s->first; i < s->end && !status; i++) {
        field f;
        status = field_next(&at, end, length, &f) ? check_text(s, i, f.bytes, f.length, error)
                                                  : texts_wrong(error, s->block, "record", 0, 0);
    }
    if (!status && at != end)
        status = texts_wrong(error, s->block, "bytes after the last text", 0, (uint64_t)(end - at));
    pocket_free(content);
    return status;
}

uint32_t texts_verify(const pocket_index *x, pocket_error *error) {
    span s = {.index = x};
    meter steps = meter_of(x);
    uint32_t status = POCKET_OK, blocks = x->text_kept ? x->by_kind[POCKET_TEXTS]->blocks : 0;
    for (; s.block < blocks && !status; s.block += s.pieces ? s.pieces : 1) {
        pocket_text *t = NULL;
        if ((status = interrupted(&steps, steps_of(16 * x->text_room))))
            break; /* what checks the text, too */
        read_span(&s);
        if (!s.pieces)
            status = check_texts(&s, error);
        else if (!(status = join_pieces(&s, 1, &t, error)))
            status = check_text(&s, s.first, (const uint8_t *)t->bytes, t->length, error);
        pocket_free(t);
    }
    return status;
}

/* ---- the calls ---- */

uint32_t pocket_text_kept(const pocket_index *x) { return x->text_kept; }

void text_reader_free(text_reader *r) {
    content_close(&r->content);
    pocket_free(r->joined);
    r->joined = NULL;
}

/* The text of the span's number in its block of whole documents. */
static uint32_t read_record(text_reader *r, const span *s, field *f, pocket_error *error) {
    content *c = &r->content;
    uint32_t status = POCKET_OK;
    c->index = r->index;
    if (!c->bytes || c->block != s->block)
        status = content_open(c, POCKET_TEXTS, s->block, s->index->text_room, error);
    if (status) return status;
    const uint8_t *at = c->bytes, *end = c->bytes + c->length;
    for (uint32_t i = s->first; i <= s->number; i++) {
        /* The length has three bytes at most. */
        if ((status = content_until(c, (uint32_t)(at - c->bytes) + 3, error))) break;
        if (!field_next(&at, end, c->length, f)) {
            status = texts_wrong(error, s->block, "record", 0, 0);
            break;
        }
    }
    if (!status) status = content_until(c, (uint32_t)(at - c->bytes), error);
    if (status) content_close(c);
    return status;
}

uint32_t text_reader_get(text_reader *r, uint32_t number, const uint8_t **bytes, uint32_t *length,
                         pocket_error *error) {
    span s = {.index = r->index, .number = number};
    const section *texts = r->index->by_kind[POCKET_TEXTS];
    field f = {0};
    uint32_t status;
    s.block = block_find(texts, 0, texts->blocks, (uint64_t)number << 32 | 1);
    read_span(&s);
    if (s.pieces) {
        pocket_free(r->joined);
        r->joined = NULL;
        status = join_pieces(&s, 0, &r->joined, error);
        if (!status) f = (field){(const uint8_t *)r->joined->bytes, r->joined->length};
    } else {
        status = read_record(r, &s, &f, error);
    }
    if (status) return status;
    *bytes = f.bytes;
    *length = f.length;
    return text_is_utf8(&s, f.bytes, f.length, error);
}

pocket_status pocket_text_get(const pocket_index *x, uint32_t number, pocket_text **text,
                              pocket_error *error) {
    text_reader r = {.index = x};
    const uint8_t *bytes;
    uint32_t length;
    *text = NULL;
    clear(error);
    if (!x->text_kept) return fail(error, POCKET_NOT_FOUND, POCKET_TEXTS, -1, "texts", 0, 0);
    if (number >= x->documents) return no_document(error, POCKET_TEXTS, x->documents, number);
    uint32_t status = text_reader_get(&r, number, &bytes, &length, error);
    if (!status && r.joined) {
        *text = r.joined;
        r.joined = NULL;
    } else if (!status) {
        span s = {.index = x};
        if ((*text = text_alloc(&s, length, error)))
            text_add(*text, bytes, length);
        else
            status = POCKET_NO_MEMORY;
    }
    text_reader_free(&r);
    return fail_as(error, status);
}

void pocket_text_free(pocket_text *text) { pocket_free(text); }

/* ======== titles.c ======== */
/* The titles section (docs/format.md 6.2): titles found by their beginnings. */

/* ======== titles.h ======== */
/* The titles section, for container.c and verify.c. */
#ifndef POCKET_TITLES_FILE_H
#define POCKET_TITLES_FILE_H


#define TITLE_BYTES 255u /* of a title and of its key: more do not count */

/* The title key of a text; returns its length, at most TITLE_BYTES. */
static uint32_t title_key(const uint8_t *text, uint64_t length, uint8_t *key);
/* Check the section's head and keep its parameters. */
static uint32_t titles_open(pocket_index *x, const section *s, pocket_error *error);
/* A number for a document and its title, 0 where it has no entry: their sum over all documents is
 * that over all entries. */
static uint64_t titles_mark(const uint8_t *title, uint32_t length, uint32_t document);
/* Read and check every entry. sum: of the marks of all documents. */
static uint32_t titles_verify(const pocket_index *x, uint64_t sum, pocket_error *error);

#endif


/* ======== byte_strings.h ======== */
/* Strings of bytes in their order, as vocabularies and titles are sorted. */
#ifndef POCKET_BYTE_STRINGS_H
#define POCKET_BYTE_STRINGS_H

#include <stdint.h>


/* The first eight bytes as a number of which the first byte is the highest, zeros after a shorter
 * string: what a directory has of it. */
static inline uint64_t first_eight(const uint8_t *bytes, uint32_t length) {
    uint64_t first = 0;
    for (uint32_t i = 0; i < 8; i++) first = first << 8 | (i < length ? bytes[i] : 0);
    return first;
}

/* Below 0, 0, above 0, as a string lies to another; a beginning comes before what it begins. */
static inline int compare_bytes(const uint8_t *bytes, uint32_t length, const uint8_t *other,
                                uint32_t other_length) {
    int order = memcmp(bytes, other, length < other_length ? length : other_length);
    return order ? order : (length > other_length) - (length < other_length);
}

#endif

#define MOST_TITLES 10000u /* of an answer */
#define MOST_ROOM 65536u

static uint32_t titles_wrong(pocket_error *error, int64_t block, const char *field,
                             uint64_t expected, uint64_t found) {
    return fail(error, POCKET_DAMAGED_FIELD, POCKET_TITLES, block, field, expected, found);
}

/* How many bytes of a title count. */
static uint32_t counted(const uint8_t *title, uint64_t length) {
    uint32_t most = TITLE_BYTES;
    if (length <= most) return (uint32_t)length;
    while (most > 0 && (title[most] & 0xC0) == 0x80) most--;
    return most;
}

uint32_t title_key(const uint8_t *text, uint64_t length, uint8_t *key) {
    return terms_folded(text, length, key, TITLE_BYTES);
}

uint64_t titles_mark(const uint8_t *title, uint32_t length, uint32_t document) {
    uint8_t key[TITLE_BYTES];
    length = counted(title, length);
    return title_key(title, length, key) ? mix64(murmur(title, length) + document) : 0;
}

uint32_t titles_open(pocket_index *x, const section *s, pocket_error *error) {
    const uint8_t *b = s->bytes;
    if (s->parameters != 16)
        return titles_wrong(error, -1, "length of the parameters", 16, s->parameters);
    uint32_t documents = load32(b), reserved = load32(b + 12);
    x->titles = load32(b + 4);
    x->title_room = load32(b + 8);
    if (documents != x->documents)
        return titles_wrong(error, -1, "number of documents", x->documents, documents);
    if (x->titles > documents)
        return allowing(error, "0 .. %",
                        titles_wrong(error, -1, "number of entries", documents, x->titles));
    if (x->title_room < 1 || x->title_room > MOST_ROOM)
        return allowing(error, "1 .. %", titles_wrong(error, -1, "room", MOST_ROOM, x->title_room));
    if (reserved != 0) return titles_wrong(error, -1, "reserved", 0, reserved);
    if ((s->blocks == 0) != (x->titles == 0))
        return allowing(error, x->titles ? "1 .. %" : NULL,
                        titles_wrong(error, -1, "number of blocks", x->titles, s->blocks));
    for (uint32_t i = 1; i < s->blocks; i++)
        if (block_first(s, i) < block_first(s, i - 1))
            return allowing(
                error, "at least %",
                titles_wrong(error, i, "first", block_first(s, i - 1), block_first(s, i)));
    return POCKET_OK;
}

/* ---- a block, entry by entry ---- */

typedef struct titles_block {
    const pocket_index *index;
    uint8_t *content;
    uint32_t number, count, bits, at; /* at: entries taken */
    const uint8_t *documents, *shared, *lengths, *bytes, *end;
    uint8_t title[TITLE_BYTES], key[TITLE_BYTES]; /* of the entry taken last */
    uint32_t length, key_length, document;
    meter steps;
    pocket_error *error;
} titles_block;

static void titles_close(titles_block *b) {
    pocket_free(b->content);
    b->content = NULL;
}

static uint32_t take_title(titles_block *b) {
    if (interrupted(&b->steps, 8)) return POCKET_INTERRUPTED;
    uint32_t i = b->at++, shared = b->shared[i], more = b->lengths[i];
    uint64_t left = (uint64_t)(b->end - b->bytes);
    if (shared > b->length)
        return allowing(b->error, "0 .. %",
                        titles_wrong(b->error, b->number, "shared bytes", b->length, shared));
    if (more > left)
        return allowing(b->error, "0 .. %",
                        titles_wrong(b->error, b->number, "bytes of a title", left, more));
    if (shared + more > TITLE_BYTES)
        return allowing(
            b->error, "0 .. %",
            titles_wrong(b->error, b->number, "length of a title", TITLE_BYTES, shared + more));
    memcpy(b->title + shared, b->bytes, more);
    b->bytes += more;
    b->length = shared + more;
    b->document = load_bits(b->documents, (uint64_t)i * b->bits, b->bits);
    if (b->document >= b->index->documents)
        return allowing(
            b->error, "0 .. %",
            titles_wrong(b->error, b->number, "document", b->index->documents - 1, b->document));
    b->key_length = title_key(b->title, b->length, b->key);
    return POCKET_OK;
}

static uint32_t title_is_utf8(const titles_block *b) {
    return is_utf8(b->title, b->length) ? POCKET_OK
                                        : titles_wrong(b->error, b->number, "UTF-8", 0, 0);
}

/* Go to a block and take its first entry. */
static uint32_t go_to(titles_block *b, uint32_t number, int no_cache) {
    uint32_t length;
    titles_close(b);
    uint32_t status = content_get(b->index, POCKET_TITLES, number, b->index->title_room, no_cache,
                                  &b->content, &length, b->error);
    if (status) return status;
    b->number = number;
    b->at = b->length = 0;
    b->count = length < 4 ? 0 : load32(b->content);
    for (b->bits = 1; b->bits < 32 && (b->index->documents - 1) >> b->bits; b->bits++) {
    }
    uint64_t fixed = 4 + 2 * (uint64_t)b->count + ((uint64_t)b->count * b->bits + 7) / 8;
    if (fixed > length)
        return allowing(b->error, "at least %",
                        titles_wrong(b->error, number, "size of the content", fixed, length));
    if (b->count < 1)
        return allowing(b->error, "at least %",
                        titles_wrong(b->error, number, "entries", 1, b->count));
    b->documents = b->content + 4;
    b->bytes = b->content + fixed;
    b->end = b->content + length;
    b->lengths = b->bytes - b->count;
    b->shared = b->lengths - b->count;
    if ((status = take_title(b))) return status;
    uint64_t first = block_first(b->index->by_kind[POCKET_TITLES], number),
             found = first_eight(b->key, b->key_length);
    return first == found ? POCKET_OK : titles_wrong(b->error, number, "first", found, first);
}

/* ---- looking up ---- */

typedef struct range {
    const pocket_index *index;
    uint64_t first;
    uint32_t below, to, blocks; /* below: the last block whose first is less, or 0; to: behind the
                                   last whose first is not more */
} range;

static void find_range(range *a) {
    const section *s = a->index->by_kind[POCKET_TITLES];
    a->blocks = s->blocks;
    a->below = a->first ? block_find(s, 0, s->blocks, a->first - 1) : s->blocks;
    if (a->below == s->blocks) a->below = 0;
    a->to = block_find(s, 0, s->blocks, a->first);
    a->to = a->to == s->blocks ? 0 : a->to + 1;
}

/* Go to the last block whose first key is less than this one, or to the first block of all. Many
 * may begin with the same eight bytes. */
static uint32_t go_before(titles_block *b, range *r, const uint8_t *key, uint32_t length) {
    uint32_t low = r->below, high = length > 8 ? r->to : low + 1, status;
    while (high > low + 1) {
        uint32_t middle = low + (high - low) / 2;
        if ((status = go_to(b, middle, 0))) return status;
        if (compare_bytes(b->key, b->key_length, key, length) < 0)
            low = middle;
        else
            high = middle;
    }
    return go_to(b, low, 0);
}

uint32_t pocket_title_count(const pocket_index *x) {
    return x->by_kind[POCKET_TITLES] ? x->titles : 0;
}

/* The next entry, if need be of the next block; 0 where none is left, or *status is set. */
static int next_title(titles_block *b, uint32_t blocks, uint32_t *status) {
    if (b->at == b->count && b->number + 1 == blocks) return 0;
    *status = b->at < b->count ? take_title(b) : go_to(b, b->number + 1, 0);
    return !*status;
}

/* The answer to a look-up: the first `exact` titles are the text itself. */
typedef struct titles_answer {
    pocket_title *list;
    uint32_t room, count, exact;
} titles_answer;

/* Put the entry taken last at its place. Where there is no room the last one goes, whose bytes are
 * free then. */
static void add_title(titles_answer *a, const titles_block *b, int is_exact) {
    uint32_t last = a->count < a->room ? a->count++ : a->room - 1,
             place = is_exact ? a->exact++ : last;
    char *to = (char *)(a->list + a->room) + (size_t)last * (TITLE_BYTES + 1);
    if (a->list[last].bytes) to = (char *)(uintptr_t)a->list[last].bytes;
    memmove(a->list + place + 1, a->list + place, (last - place) * sizeof *a->list);
    memcpy(to, b->title, b->length);
    to[b->length] = 0;
    a->list[place] = (pocket_title){to, b->length, b->document};
}

pocket_status pocket_titles_find(const pocket_index *x, const char *text, uint64_t length,
                                 pocket_title **titles, uint32_t *count, pocket_error *error) {
    titles_block b = {.index = x, .steps = meter_of(x), .error = error};
    range r = {.index = x};
    uint8_t key[TITLE_BYTES];
    titles_answer a = {.room = *count < x->titles ? *count : x->titles};
    uint32_t looked_at = 0, status;
    /* As much counts as of a title: so a title finds itself, however long it is. */
    uint32_t own = counted((const uint8_t *)text, length),
             key_length = title_key((const uint8_t *)text, own, key);
    *titles = NULL;
    *count = 0;
    clear(error);
    if (!x->by_kind[POCKET_TITLES])
        return fail(error, POCKET_NOT_FOUND, POCKET_TITLES, -1, "titles", 0, 0);
    if (a.room > MOST_TITLES) a.room = MOST_TITLES;
    size_t size = a.room * (sizeof *a.list + TITLE_BYTES + 1) + 1;
    a.list = pocket_malloc(size);
    if (!a.list) return fail(error, POCKET_NO_MEMORY, POCKET_TITLES, -1, NULL, 0, 0);
    memset(a.list, 0, a.room * sizeof *a.list);
    r.first = first_eight(key, key_length);
    find_range(&r);
    status = POCKET_OK;
    if (a.room > 0 && !(status = go_before(&b, &r, key, key_length))) {
        uint32_t began_in = b.number;
        do {
            uint32_t least = b.key_length < key_length ? b.key_length : key_length;
            int order = memcmp(b.key, key, least);
            if (order > 0) break;
            if (order < 0 || least < key_length) {
                if (looked_at == 0 && b.number == began_in) continue;
                status = titles_wrong(error, b.number, "order of the entries", 0,
                                      0); /* or a look-up would go through all blocks */
                break;
            }
            if ((status = title_is_utf8(&b))) break;
            int is_same = b.key_length == key_length,
                is_exact = is_same && b.length == own && !memcmp(b.title, text, own);
            if (a.count == a.room && !is_same) break;
            if (is_exact ? a.exact < a.room : a.count < a.room) add_title(&a, &b, is_exact);
            looked_at++;
        } while ((a.count < a.room || looked_at < MOST_TITLES) &&
                 next_title(&b, r.blocks, &status));
    }
    titles_close(&b);
    if (status) {
        pocket_free(a.list);
        return fail_as(error, status);
    }
    *titles = a.list;
    *count = a.count;
    return POCKET_OK;
}

void pocket_titles_free(pocket_title *titles) { pocket_free(titles); }

/* ---- checking ---- */

/* The entry taken last comes after the one before, whose key this was and whose document *before
 * is. */
static uint32_t check_title(const titles_block *b, const uint8_t *key, uint32_t length,
                            int64_t *before) {
    uint32_t status = title_is_utf8(b);
    if (status) return status;
    if (b->key_length == 0)
        return allowing(b->error, "at least %",
                        titles_wrong(b->error, b->number, "bytes of a title's key", 1, 0));
    int order = compare_bytes(b->key, b->key_length, key, length);
    if (order < 0 || (order == 0 && b->document <= *before))
        return titles_wrong(b->error, b->number, "order of the entries", 0, 0);
    *before = b->document;
    return POCKET_OK;
}

uint32_t titles_verify(const pocket_index *x, uint64_t sum, pocket_error *error) {
    titles_block b = {.index = x, .steps = meter_of(x), .error = error};
    uint32_t status = POCKET_OK, entries = 0, length = 0,
             blocks = x->by_kind[POCKET_TITLES]->blocks;
    uint8_t key[TITLE_BYTES];
    int64_t before = -1;
    uint64_t found = 0;
    for (uint32_t i = 0; i < blocks && !status; i++) {
        status = go_to(&b, i, 1);
        while (!status) {
            if ((status = check_title(&b, key, length, &before))) break;
            memcpy(key, b.key, length = b.key_length);
            found += titles_mark(b.title, b.length, b.document);
            entries++;
            if (b.at == b.count) break;
            status = take_title(&b);
        }
        if (!status && b.bytes != b.end)
            status = titles_wrong(error, i, "bytes after the last title", 0,
                                  (uint64_t)(b.end - b.bytes));
    }
    titles_close(&b);
    if (!status && entries != x->titles)
        status = titles_wrong(error, -1, "number of entries", x->titles, entries);
    if (!status && found != sum)
        status = titles_wrong(error, -1, "titles of the documents", sum, found);
    return status;
}

/* ======== url_template.c ======== */
/* A url out of the id and the title of a record (docs/format.md, section 5). */


static int keeps(uint8_t c) {
    return (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '-' ||
           c == '.' || c == '_' || c == '~' || c == '/';
}

/* Append bytes, percent-encoded; to is NULL to count only. */
static uint32_t percent_encode(const uint8_t *bytes, uint32_t length, char *to) {
    static const char digits[] = "0123456789ABCDEF";
    uint32_t size = 0;
    for (uint32_t i = 0; i < length; i++) {
        if (keeps(bytes[i])) {
            if (to) to[size] = (char)bytes[i];
            size++;
        } else {
            if (to) {
                to[size] = '%';
                to[size + 1] = digits[bytes[i] >> 4];
                to[size + 2] = digits[bytes[i] & 15];
            }
            size += 3;
        }
    }
    return size;
}

uint32_t url_expand(const pocket_index *x, const record *r, char *to) {
    uint32_t size = 0, i = 0;
    while (i < x->template_length) {
        const char *at = x->url_template + i;
        uint32_t left = x->template_length - i;
        if (left >= 4 && !memcmp(at, "{id}", 4)) {
            size += percent_encode(r->id, r->id_length, to ? to + size : NULL);
            i += 4;
        } else if (left >= 7 && !memcmp(at, "{title}", 7)) {
            size += percent_encode(r->title, r->title_length, to ? to + size : NULL);
            i += 7;
        } else {
            if (to) to[size] = *at;
            size++;
            i++;
        }
    }
    return size;
}

/* ======== word_list.c ======== */
/* A word's postings (docs/format.md 6.4): its documents, level by level. */

/* ======== words.h ======== */
/* The words section (docs/format.md 6.4): which documents have a word. */
#ifndef POCKET_WORDS_H
#define POCKET_WORDS_H


/* ======== bit_stream.h ======== */
/* Bits one after the other, from the least significant bit of the first byte on: Elias gamma codes,
 * and gaps whose high part is counted in zeros (docs/format.md 6.4). What is read beyond the end is
 * zero; who reads looks where `at` has come. */
#ifndef POCKET_BIT_STREAM_H
#define POCKET_BIT_STREAM_H


#define MOST_ZEROS 24u /* of a gap; more are a number of 32 bits */

typedef struct bit_stream {
    const uint8_t *bytes;
    uint64_t length; /* in bytes */
    uint64_t at;     /* in bits */
} bit_stream;

/* 57 bits at least from a place on. */
static inline uint64_t bits_from(const bit_stream *s, uint64_t at) {
    uint64_t byte = at >> 3, value = 0;
    if (byte + 8 <= s->length) return load64(s->bytes + byte) >> (at & 7);
    for (uint32_t i = 0; byte + i < s->length && i < 8; i++)
        value |= (uint64_t)s->bytes[byte + i] << (8 * i);
    return value >> (at & 7);
}

/* Were more bits read than there are? */
static inline int bits_overrun(const bit_stream *s) { return s->at > 8 * s->length; }

static inline uint32_t take_number(bit_stream *s, uint32_t width) {
    uint64_t value = bits_from(s, s->at);
    s->at += width;
    return once((uint32_t)(value & ((1ull << width) - 1)));
}

/* 0 where it is none: more than 32 zeros. */
static inline uint64_t take_gamma(bit_stream *s) {
    uint32_t low = once((uint32_t)bits_from(s, s->at)), zeros = low ? lowest_one(low) : 32;
    s->at += zeros;
    if (!take_number(s, 1)) return 0;
    return 1ull << zeros | take_number(s, zeros);
}

/* The high part of a gap. */
static inline uint32_t take_zeros(bit_stream *s) {
    uint32_t low = once((uint32_t)bits_from(s, s->at)), zeros = lowest_one(low | 1u << MOST_ZEROS);
    if (zeros < MOST_ZEROS) {
        s->at += zeros + 1;
        return zeros;
    }
    s->at += MOST_ZEROS;
    return take_number(s, 32);
}

#endif

#define WORD_LEVELS 8u
#define WORD_GOES_ON 20u     /* bytes before the postings of a block in which a word goes on */
#define WORDS_PER_SAMPLE 16u /* words between two places of a block that are known */

/* A block of words, gone through word by word. */
typedef struct words_block {
    const pocket_index *index;
    pocket_error *error;
    uint32_t number, count, at;    /* at: words taken; count 0: a word goes on in it */
    const uint8_t *next, *end;     /* of the vocabulary */
    const uint8_t *samples, *from; /* where the bits of every 16th word begin, and the bits of the
                                      first */
    uint64_t length;               /* of what begins at from */
    uint8_t word[TERM_BYTES];      /* the word taken last */
    uint32_t word_length;
} words_block;

/* A word's postings, read level by level, the highest first. */
typedef struct word_list {
    const pocket_index *index;
    pocket_error *error;
    uint32_t first_block, block;  /* block: the one that is being read */
    uint64_t counted;             /* documents by which the heaviest words were chosen, 0 where all
                                     words count */
    uint64_t documents;           /* that have the word, whether or not they are its postings; 0
                                     where it has none */
    uint32_t counts[WORD_LEVELS]; /* postings by level */
    uint32_t total, read, here;   /* postings: all; read; of this block those that are left */
    uint32_t level, level_left, part; /* level_left: postings of this level that are left; part:
                                         those of them that lie in this block */
    uint32_t low_bits, after;         /* after: 1 + the document before in this level, or 0 */
    uint64_t lows;                    /* where the next low bits are */
    bit_stream bits;                  /* at: where the next high part is */
} word_list;

/* Check the section's head and keep its parameters. */
static uint32_t words_open(pocket_index *x, const section *s, pocket_error *error);

/* A block's bytes, of which there are 4 or more. */
static uint32_t words_block_get(const pocket_index *x, uint32_t number, int no_cache,
                         const uint8_t **bytes, uint64_t *length, pocket_error *error);
/* Go to a block. */
static uint32_t words_block_open(words_block *b, const pocket_index *x, uint32_t number,
                          pocket_error *error);
/* Take the next word; at is less than count. */
static uint32_t words_block_take(words_block *b);

/* Go to this word and take it; *found: is it there? */
static uint32_t words_find(words_block *b, const pocket_index *x, const uint8_t *bytes, uint32_t length,
                    int *found, pocket_error *error);
/* Go to the first word that is not below these bytes, and take it; *found: is there one? */
static uint32_t words_seek(words_block *b, const pocket_index *x, const uint8_t *bytes, uint32_t length,
                    int *found, pocket_error *error);
/* Take the word after the one taken last, if need be of the next block. */
static uint32_t words_next(words_block *b, int *found);

/* Read the counts of the word taken last; its postings come by word_list_take. */
static uint32_t word_list_open(word_list *l, const words_block *b);
/* The same, where the bits of this word begin at `at`. */
static uint32_t word_list_begin(word_list *l, const words_block *b, uint64_t at);
/* Pass over its postings, which end in this block. */
static uint32_t word_list_pass(word_list *l);
/* Take the next postings, room of them at most, all of one level. *count is 0 at the end. */
static uint32_t word_list_take(word_list *l, uint32_t *documents, uint32_t room, uint32_t *level,
                        uint32_t *count);
/* Does the next posting lie in another block, and in which? */
static inline int word_list_goes_on(const word_list *l) {
    return l->here == 0 && l->read < l->total;
}

/* 256 times the logarithm to base 2, rounded down; x is at least 1. */
static uint32_t word_logarithm(uint64_t x);
/* 256 times the logarithm to base 2 of the inverse of the share of documents that have a word. */
static uint32_t word_idf(uint64_t documents, uint64_t having);
/* How many low bits of the gaps of count postings lie apart. */
static uint32_t word_low_bits(uint64_t documents, uint64_t count);

/* Read and check the section, word by word. */
static uint32_t words_verify(const pocket_index *x, pocket_error *error);

#endif

static uint64_t shifted(uint64_t x, uint32_t highest) {
    return highest <= 31 ? x << (31 - highest) : x >> (highest - 31);
}

uint32_t word_logarithm(uint64_t x) {
    uint32_t highest = highest_one(x), result = highest << 8;
    uint64_t y = shifted(x, highest);
    for (uint32_t bit = 128; bit; bit >>= 1) {
        y = y * y >> 31;
        if (y >> 32) {
            y >>= 1;
            result |= bit;
        }
    }
    return result;
}

uint32_t word_idf(uint64_t documents, uint64_t having) {
    uint32_t all = word_logarithm(2 * documents + 2), own = word_logarithm(2 * having + 1);
    return all > own ? all - own : 1;
}

uint32_t word_low_bits(uint64_t documents, uint64_t count) {
    uint64_t apart = 710 * documents / (1024 * count);
    return apart ? highest_one(apart) : 0;
}

static uint32_t damaged_list(const word_list *l, uint32_t block, const char *field,
                             uint64_t expected, uint64_t found) {
    return fail(l->error, POCKET_DAMAGED_FIELD, POCKET_WORDS, block, field, expected, found);
}

static uint32_t overrun(const word_list *l) {
    return allowing(
        l->error, "at most %",
        damaged_list(l, l->block, "end of the postings", 8 * l->bits.length, l->bits.at));
}

/* Begin the postings of a level that lie in this block. */
static uint32_t begin_part(word_list *l) {
    l->part = l->level_left < l->here ? l->level_left : l->here;
    l->lows = l->bits.at;
    l->bits.at += (uint64_t)l->part * l->low_bits;
    return bits_overrun(&l->bits) ? overrun(l) : POCKET_OK;
}

/* Go on to the next level that has postings. */
static uint32_t begin_level(word_list *l) {
    while (l->level > 0 && l->level_left == 0) l->level_left = l->counts[--l->level];
    l->low_bits = l->level_left ? word_low_bits(l->index->documents, l->level_left) : 0;
    l->after = 0;
    return begin_part(l);
}

/* The documents that were counted: as many as the postings, or more for an odd difference, or less.
 */
static uint32_t read_counted(word_list *l, uint64_t difference) {
    uint64_t own = l->total, half = difference / 2, most = l->index->words_counted;
    l->counted = difference % 2 ? own + half + 1 : own > half ? own - half : 0;
    if (l->counted < (own ? 1u : 2u) || l->counted > most)
        return allowing(l->error, own ? "1 .. %" : "2 .. %",
                        damaged_list(l, l->block, "counted documents of a word", most, l->counted));
    if (own && l->counted > own) l->documents = l->counted;
    if (l->documents > l->index->documents) l->documents = l->index->documents;
    return POCKET_OK;
}

static uint32_t read_counts(word_list *l) {
    int heaviest = l->index->words_heaviest != 0;
    uint64_t sum = 0, difference = heaviest ? take_gamma(&l->bits) : 1;
    if (difference == 0) return damaged_list(l, l->block, "gamma", 1, 0);
    for (uint32_t level = WORD_LEVELS; level-- > 0;) {
        uint64_t count = take_gamma(&l->bits);
        if (count == 0) return damaged_list(l, l->block, "gamma", 1, 0);
        sum += count - 1;
        if (sum > l->index->documents) break;
        l->counts[level] = (uint32_t)(count - 1);
    }
    if (sum < !heaviest || sum > l->index->documents)
        return allowing(l->error, heaviest ? "0 .. %" : "1 .. %",
                        damaged_list(l, l->block, "documents of a word", l->index->documents, sum));
    l->documents = sum;
    l->total = (uint32_t)sum;
    return heaviest ? read_counted(l, difference - 1) : POCKET_OK;
}

static uint32_t open_list(word_list *l) {
    uint32_t status = read_counts(l);
    if (status) return status;
    l->here = l->total;
    if (take_number(&l->bits, 1)) {
        uint64_t here = take_gamma(&l->bits);
        if (here < 1 || here > l->total)
            return allowing(l->error, "1 .. %",
                            damaged_list(l, l->block, "postings of a block", l->total, here));
        l->here = (uint32_t)here - 1;
    }
    if (bits_overrun(&l->bits)) return overrun(l);
    l->level = WORD_LEVELS;
    l->level_left = 0;
    return l->here ? begin_level(l) : POCKET_OK;
}

uint32_t word_list_pass(word_list *l) {
    for (uint32_t level = WORD_LEVELS; level-- > 0;) {
        uint32_t count = l->counts[level];
        if (count == 0) continue;
        if (level != l->level) /* the highest one has begun */
            l->bits.at += (uint64_t)count * word_low_bits(l->index->documents, count);
        for (uint32_t i = 0; i < count && !bits_overrun(&l->bits); i++) take_zeros(&l->bits);
        if (bits_overrun(&l->bits)) return overrun(l);
    }
    return POCKET_OK;
}

uint32_t word_list_begin(word_list *l, const words_block *b, uint64_t at) {
    *l = (word_list){.index = b->index, .error = b->error, .first_block = b->number};
    l->block = b->number;
    l->bits = (bit_stream){b->from, b->length, at};
    uint32_t status = bits_overrun(&l->bits) ? overrun(l) : open_list(l);
    if (!status && l->here < l->total && b->count != 1)
        status = damaged_list(l, l->block, "words", 1, b->count);
    return status;
}

uint32_t word_list_open(word_list *l, const words_block *b) {
    uint32_t number = b->at - 1, sample = number / WORDS_PER_SAMPLE, status;
    uint64_t at = sample ? once(load32(b->samples + 4 * (sample - 1))) : 0;
    for (uint32_t i = sample * WORDS_PER_SAMPLE; i < number; i++, at = l->bits.at)
        if ((status = word_list_begin(l, b, at)) || (status = word_list_pass(l))) return status;
    return word_list_begin(l, b, at);
}

/* Go on in the next block. */
static uint32_t next_block(word_list *l) {
    const section *s = l->index->by_kind[POCKET_WORDS];
    const uint8_t *bytes;
    uint64_t length;
    uint32_t number = l->block + 1;
    if (number == s->blocks)
        return damaged_list(l, l->block, "postings of a word", l->total, l->read);
    uint32_t status = words_block_get(l->index, number, 0, &bytes, &length, l->error);
    if (status) return status;
    l->block = number;
    if (length < WORD_GOES_ON)
        return allowing(l->error, "at least %",
                        damaged_list(l, number, "size of the block", WORD_GOES_ON, length));
    uint32_t heads = once(load32(bytes)), back = once(load32(bytes + 4)),
             before = once(load32(bytes + 8)), here = once(load32(bytes + 12)),
             after = once(load32(bytes + 16));
    if (heads) return damaged_list(l, number, "words", 0, heads);
    if (back != number - l->first_block)
        return damaged_list(l, number, "blocks before", number - l->first_block, back);
    if (before != l->read) return damaged_list(l, number, "postings before", l->read, before);
    if (here < 1 || here > l->total - l->read)
        return allowing(l->error, "1 .. %",
                        damaged_list(l, number, "postings of a block", l->total - l->read, here));
    l->here = here;
    l->bits = (bit_stream){bytes + WORD_GOES_ON, length - WORD_GOES_ON, 0};
    if (l->level_left == 0) {
        status = begin_level(l);
    } else {
        status = begin_part(l);
    }
    if (!status && after != l->after)
        status = damaged_list(l, number, "document before", l->after, after);
    return status;
}

uint32_t word_list_take(word_list *l, uint32_t *documents, uint32_t room, uint32_t *level,
                        uint32_t *count) {
    uint32_t status = POCKET_OK;
    *count = 0;
    if (l->read == l->total) return POCKET_OK;
    if (l->here == 0)
        status = next_block(l);
    else if (l->level_left == 0)
        status = begin_level(l);
    if (status) return status;
    uint32_t taken = l->part < room ? l->part : room, k = l->low_bits, most = l->index->documents;
    uint64_t after = l->after, lows = l->lows;
    bit_stream bits = l->bits;
    for (uint32_t i = 0; i < taken; i++, lows += k) {
        uint64_t low = bits_from(&bits, lows) & ((1ull << k) - 1),
                 document = after + ((uint64_t)take_zeros(&bits) << k) + low;
        documents[i] = once((uint32_t)document);
        if (document >= most || documents[i] != document || bits_overrun(&bits))
            return allowing(l->error, "less than %",
                            damaged_list(l, l->block, "posting", most, document));
        after = (uint64_t)documents[i] + 1;
    }
    l->bits = bits;
    l->lows = lows;
    l->after = (uint32_t)after;
    l->part -= taken;
    l->here -= taken;
    l->level_left -= taken;
    l->read += taken;
    *level = l->level;
    *count = taken;
    return POCKET_OK;
}

/* ======== words.c ======== */


#define WORDS_PARAMETERS 40u
#define LEAST_WORDS_ROOM 1024u
#define MOST_WORDS_ROOM 65535u
#define MOST_TITLE_WEIGHT 100u
#define COUNTED_OF "documents that words were counted of"

static uint32_t words_wrong(pocket_error *error, int64_t block, const char *field,
                            uint64_t expected, uint64_t found) {
    return fail(error, POCKET_DAMAGED_FIELD, POCKET_WORDS, block, field, expected, found);
}

static uint32_t open_numbers(pocket_index *x, const section *s, pocket_error *error) {
    const uint8_t *b = s->bytes;
    x->word_room = load32(b + 4);
    x->words = load64(b + 8);
    x->word_postings = load64(b + 16);
    x->words_heaviest = load32(b + 24);
    x->word_average = load32(b + 28);
    x->word_title_weight = load32(b + 32);
    x->words_counted = load32(b + 36);
    if (load32(b) != x->documents)
        return words_wrong(error, -1, "number of documents", x->documents, load32(b));
    if (x->word_room < LEAST_WORDS_ROOM || x->word_room > MOST_WORDS_ROOM)
        return allowing(error, "1024 .. %",
                        words_wrong(error, -1, "room", MOST_WORDS_ROOM, x->word_room));
    if (x->word_average < 1)
        return allowing(error, "at least %", words_wrong(error, -1, "average length", 1, 0));
    if (x->word_title_weight > MOST_TITLE_WEIGHT)
        return allowing(
            error, "0 .. %",
            words_wrong(error, -1, "title weight", MOST_TITLE_WEIGHT, x->word_title_weight));
    if (x->words_heaviest && !x->words_counted)
        return allowing(error, "at least %", words_wrong(error, -1, COUNTED_OF, 1, 0));
    if (!x->words_heaviest && x->words_counted)
        return words_wrong(error, -1, COUNTED_OF, 0, x->words_counted);
    return POCKET_OK;
}

uint32_t words_open(pocket_index *x, const section *s, pocket_error *error) {
    if (s->parameters != WORDS_PARAMETERS)
        return words_wrong(error, -1, "length of the parameters", WORDS_PARAMETERS, s->parameters);
    uint32_t status = open_numbers(x, s, error);
    if (status) return status;
    if ((s->blocks == 0) != (x->words == 0))
        return allowing(error, x->words ? "1 .. %" : NULL,
                        words_wrong(error, -1, "number of blocks", x->words, s->blocks));
    for (uint32_t i = 1; i < s->blocks; i++)
        if (block_first(s, i) < block_first(s, i - 1))
            return allowing(
                error, "at least %",
                words_wrong(error, i, "first", block_first(s, i - 1), block_first(s, i)));
    return POCKET_OK;
}

/* ---- a block, word by word ---- */

uint32_t words_block_get(const pocket_index *x, uint32_t number, int no_cache,
                         const uint8_t **bytes, uint64_t *length, pocket_error *error) {
    uint32_t status =
        block_get(x, x->by_kind[POCKET_WORDS], number, no_cache, bytes, length, error);
    if (status) return status;
    if (*length < 4)
        return allowing(error, "at least %",
                        words_wrong(error, number, "size of the block", 4, *length));
    return *length <= x->word_room
               ? POCKET_OK
               : allowing(error, "at most %",
                          words_wrong(error, number, "size of the block", x->word_room, *length));
}

static uint32_t open_block(words_block *b, int no_cache) {
    const uint8_t *bytes;
    uint64_t length;
    uint32_t status = words_block_get(b->index, b->number, no_cache, &bytes, &length, b->error);
    if (status) return status;
    b->at = b->word_length = 0;
    b->count = once(load16(bytes));
    uint32_t vocabulary = once(load16(bytes + 2));
    uint64_t fixed =
        4 + (uint64_t)vocabulary + (b->count ? (b->count - 1) / WORDS_PER_SAMPLE * 4 : 0);
    if (b->count && fixed > length)
        return allowing(b->error, "at least %",
                        words_wrong(b->error, b->number, "size of the block", fixed, length));
    b->next = bytes + 4;
    b->samples = b->end = b->next + (b->count ? vocabulary : 0);
    b->from = b->count ? bytes + fixed : bytes;
    b->length = b->count ? length - fixed : length;
    return POCKET_OK;
}

uint32_t words_block_open(words_block *b, const pocket_index *x, uint32_t number,
                          pocket_error *error) {
    b->index = x;
    b->error = error;
    b->number = number;
    return open_block(b, 0);
}

/* A half of a word's first byte, or the byte that it stands for. */
static uint32_t take_half(words_block *b, uint32_t half) {
    return half < 15 || b->next == b->end ? half : once(*b->next++);
}

uint32_t words_block_take(words_block *b) {
    if (b->next == b->end)
        return allowing(b->error, "at least %",
                        words_wrong(b->error, b->number, "words", b->count, b->at));
    uint32_t halves = once(*b->next++), shared = take_half(b, halves & 15),
             more = take_half(b, halves >> 4);
    if (shared > b->word_length)
        return allowing(b->error, "0 .. %",
                        words_wrong(b->error, b->number, "shared bytes", b->word_length, shared));
    if (more > (uint64_t)(b->end - b->next))
        return allowing(b->error, "0 .. %",
                        words_wrong(b->error, b->number, "bytes of a word",
                                    (uint64_t)(b->end - b->next), more));
    if (shared + more < 1 || shared + more > TERM_BYTES)
        return allowing(
            b->error, "1 .. %",
            words_wrong(b->error, b->number, "length of a word", TERM_BYTES, shared + more));
    memcpy(b->word + shared, b->next, more);
    b->next += more;
    b->word_length = shared + more;
    b->at++;
    return POCKET_OK;
}

/* ---- finding a word ---- */

/* Where a word goes on in this block: how many blocks before it its first one is. */
static uint32_t blocks_back(const words_block *b, uint32_t *back) {
    if (b->length < WORD_GOES_ON)
        return allowing(
            b->error, "at least %",
            words_wrong(b->error, b->number, "size of the block", WORD_GOES_ON, b->length));
    *back = once(load32(b->from + 4));
    return *back >= 1 && *back <= b->number
               ? POCKET_OK
               : allowing(b->error, "1 .. %",
                          words_wrong(b->error, b->number, "blocks before", b->number, *back));
}

/* Go to a block, or to the one in which the word begins that goes on in it, and take its first
 * word. */
static uint32_t go_to_head(words_block *b, uint32_t number) {
    uint32_t back = 0, status = words_block_open(b, b->index, number, b->error);
    if (!status && b->count == 0 && !(status = blocks_back(b, &back))) {
        status = words_block_open(b, b->index, number - back, b->error);
        if (!status && b->count != 1)
            status = words_wrong(b->error, b->number, "words", 1, b->count);
    }
    if (status || (status = words_block_take(b))) return status;
    uint64_t first = block_first(b->index->by_kind[POCKET_WORDS], b->number),
             found = first_eight(b->word, b->word_length);
    return first == found ? POCKET_OK : words_wrong(b->error, b->number, "first", found, first);
}

/* Go to the last block whose first word is not above these bytes, or to the first block of all.
 * Only words of eight bytes or more share what the directory has of them. */
static uint32_t go_near(words_block *b, const uint8_t *bytes, uint32_t length) {
    const section *s = b->index->by_kind[POCKET_WORDS];
    uint64_t first = first_eight(bytes, length);
    uint32_t below = first ? block_find(s, 0, s->blocks, first - 1) : s->blocks,
             high = block_find(s, 0, s->blocks, first), low = below == s->blocks ? 0 : below;
    if (high == s->blocks) high = 0;
    /* A shorter word is the first of the blocks that have its bytes; it goes on in the others. */
    if (length < 8 && low < high && block_first(s, high) == first)
        low = high = block_first(s, low) < first ? low + 1 : low;
    while (low < high) {
        uint32_t middle = low + (high - low + 1) / 2, status = go_to_head(b, middle);
        if (status) return status;
        if (b->number <= low || compare_bytes(b->word, b->word_length, bytes, length) <= 0)
            low = middle;
        else
            high = b->number - 1;
    }
    return go_to_head(b, low);
}

uint32_t words_find(words_block *b, const pocket_index *x, const uint8_t *bytes, uint32_t length,
                    int *found, pocket_error *error) {
    *found = 0;
    b->index = x;
    b->error = error;
    if (x->by_kind[POCKET_WORDS]->blocks == 0) return POCKET_OK;
    uint32_t status = go_near(b, bytes, length);
    int order = -1;
    while (!status && (order = compare_bytes(b->word, b->word_length, bytes, length)) < 0 &&
           b->at < b->count)
        status = words_block_take(b);
    *found = !status && order == 0;
    return status;
}

uint32_t words_next(words_block *b, int *found) {
    const section *s = b->index->by_kind[POCKET_WORDS];
    uint64_t first = block_first(s, b->number);
    *found = 1;
    if (b->at < b->count) return words_block_take(b);
    for (uint32_t i = b->number + 1; i < s->blocks; i++) {
        /* In blocks with the first of a short word this word goes on. */
        if (b->word_length < 8 && block_first(s, i) == first) continue;
        uint32_t status = words_block_open(b, b->index, i, b->error);
        if (status) return status;
        if (b->count) return words_block_take(b);
    }
    *found = 0;
    return POCKET_OK;
}

uint32_t words_seek(words_block *b, const pocket_index *x, const uint8_t *bytes, uint32_t length,
                    int *found, pocket_error *error) {
    uint32_t status = words_find(b, x, bytes, length, found, error), began_in = b->number;
    if (status || *found || x->by_kind[POCKET_WORDS]->blocks == 0) return status;
    *found = 1;
    while (!status && *found && compare_bytes(b->word, b->word_length, bytes, length) < 0) {
        if (b->number > began_in) /* or a look-up would go through all blocks */
            return words_wrong(error, b->number, "order of the words", 0, 0);
        status = words_next(b, found);
    }
    return status;
}

/* ======== words_check.c ======== */
/* Everything that docs/format.md 6.4 says of the words section, checked. */

#define POSTINGS_AT_ONCE 256u /* postings */

typedef struct word_check {
    words_block block;
    word_list list;
    uint8_t *seen; /* a bit a document */
    uint8_t before[TERM_BYTES];
    uint32_t before_length;
    uint64_t words, postings;
    meter steps;
    pocket_error *error;
} word_check;

static uint32_t word_wrong(const word_check *c, uint32_t block, const char *field,
                           uint64_t expected, uint64_t found) {
    return fail(c->error, POCKET_DAMAGED_FIELD, POCKET_WORDS, block, field, expected, found);
}

/* No more bytes than the postings need, and zeros behind them. */
static uint32_t check_end(const word_check *c, uint32_t block, const bit_stream *bits) {
    if ((bits->at + 7) / 8 != bits->length)
        return word_wrong(c, block, "bytes of the postings", (bits->at + 7) / 8, bits->length);
    uint64_t rest = bits_from(bits, bits->at);
    return rest == 0 ? POCKET_OK : word_wrong(c, block, "padding", 0, rest);
}

/* Mark the documents of a word, or take the marks back: none may have it in two levels. */
static uint32_t mark_documents(word_check *c, int set) {
    uint32_t documents[POSTINGS_AT_ONCE], count = 1, level, status = POCKET_OK;
    while (!status && count) {
        if (word_list_goes_on(&c->list) && (status = check_end(c, c->list.block, &c->list.bits)))
            break;
        status = word_list_take(&c->list, documents, POSTINGS_AT_ONCE, &level, &count);
        if (status) break;
        if (interrupted(&c->steps, count)) return POCKET_INTERRUPTED;
        for (uint32_t i = 0; i < count; i++) {
            uint8_t *byte = &c->seen[documents[i] >> 3], bit = (uint8_t)(1u << (documents[i] & 7));
            if (set && (*byte & bit))
                return word_wrong(c, c->list.block, "levels of a posting", 1, 2);
            *byte = set ? (uint8_t)(*byte | bit) : (uint8_t)(*byte & ~bit);
        }
    }
    return status;
}

static uint32_t check_word(word_check *c, uint64_t *at) {
    words_block *b = &c->block;
    uint32_t sample = b->at / WORDS_PER_SAMPLE, status = words_block_take(b);
    if (status) return status;
    if (!is_utf8(b->word, b->word_length)) return word_wrong(c, b->number, "UTF-8", 0, 0);
    if (compare_bytes(b->word, b->word_length, c->before, c->before_length) <= 0)
        return word_wrong(c, b->number, "order of the words", 0, 0);
    memcpy(c->before, b->word, c->before_length = b->word_length);
    if (sample && (b->at - 1) % WORDS_PER_SAMPLE == 0 &&
        load32(b->samples + 4 * (sample - 1)) != *at)
        return word_wrong(c, b->number, "place of a word", *at,
                          load32(b->samples + 4 * (sample - 1)));
    if ((status = word_list_begin(&c->list, b, *at))) return status;
    word_list again = c->list;
    if ((status = mark_documents(c, 1))) return status;
    *at = c->list.bits.at;
    c->words++;
    c->postings += c->list.total;
    uint32_t last = c->list.block;
    uint64_t length = c->list.bits.length;
    const uint8_t *bytes = c->list.bits.bytes;
    c->list = again;
    if ((status = mark_documents(c, 0))) return status;
    c->list.block = last;
    c->list.bits = (bit_stream){bytes, length, *at};
    return POCKET_OK;
}

/* The blocks in which the last word goes on, up to the one where it ends. */
static uint32_t check_going_on(const word_check *c, uint32_t from, uint32_t last) {
    const section *s = c->block.index->by_kind[POCKET_WORDS];
    for (uint32_t i = from + 1; i <= last; i++)
        if (block_first(s, i) != block_first(s, from))
            return word_wrong(c, i, "first", block_first(s, from), block_first(s, i));
    return POCKET_OK;
}

static uint32_t check_block(word_check *c, const pocket_index *x, uint32_t *number) {
    const uint8_t *bytes;
    uint64_t length, at = 0;
    words_block *b = &c->block;
    uint32_t status = words_block_get(x, *number, 1, &bytes, &length, c->error);
    if (status || (status = words_block_open(b, x, *number, c->error))) return status;
    if (b->count == 0)
        return allowing(c->error, "at least %", word_wrong(c, *number, "words", 1, 0));
    while (!status && b->at < b->count) {
        status = check_word(c, &at);
        if (!status && b->at == 1 &&
            first_eight(b->word, b->word_length) != block_first(x->by_kind[POCKET_WORDS], *number))
            status = word_wrong(c, *number, "first", first_eight(b->word, b->word_length),
                                block_first(x->by_kind[POCKET_WORDS], *number));
    }
    if (status) return status;
    if (b->next != b->end)
        return word_wrong(c, *number, "bytes after the last word", 0, (uint64_t)(b->end - b->next));
    if ((status = check_going_on(c, *number, c->list.block))) return status;
    *number = c->list.block + 1;
    return check_end(c, c->list.block, &c->list.bits);
}

uint32_t words_verify(const pocket_index *x, pocket_error *error) {
    word_check c = {.steps = meter_of(x), .error = error};
    uint32_t status = POCKET_OK, number = 0, blocks = x->by_kind[POCKET_WORDS]->blocks;
    size_t size = (size_t)x->documents / 8 + 1;
    c.seen = pocket_malloc(size);
    if (!c.seen) return fail(error, POCKET_NO_MEMORY, POCKET_WORDS, -1, NULL, 0, 0);
    memset(c.seen, 0, size);
    while (number < blocks && !status) status = check_block(&c, x, &number);
    pocket_free(c.seen);
    if (!status && c.words != x->words)
        status = fail(error, POCKET_DAMAGED_FIELD, POCKET_WORDS, -1, "number of words", x->words,
                      c.words);
    if (!status && c.postings != x->word_postings)
        status = fail(error, POCKET_DAMAGED_FIELD, POCKET_WORDS, -1, "number of postings",
                      x->word_postings, c.postings);
    return status;
}

/* ======== alignment.c ======== */
/* The place of a document where most of a unit stands, and what of it stands there in order. */

/* ======== alignment.h ======== */
/* A unit of the asked text beside the text of a document (docs/format.md, section 9). */
#ifndef POCKET_ALIGNMENT_H
#define POCKET_ALIGNMENT_H


/* ======== segment.h ======== */
/* A piece of the asked text: its terms, its sentences, and the units that are looked for. */
#ifndef POCKET_SEGMENT_H
#define POCKET_SEGMENT_H


#define SEGMENT_TERMS 4096u /* a segment ends at the first end of a sentence behind so many */
#define WINDOW_TERMS 64u    /* of a window of sentences, at most */
#define STRETCH_TERMS 256u  /* of a longer one */
#define SENTENCE_TERMS 32u  /* a longer sentence is cut, so that windows have two pieces of it */
#define LEAST_UNIT_TERMS 5u /* a shorter sentence goes with the next one */
#define SEGMENT_ROOM (SEGMENT_TERMS + SENTENCE_TERMS)
#define SEGMENT_SLOTS 16384u /* of the table of its distinct terms */
#define NO_TERM UINT32_MAX

/* A distinct term. */
typedef struct segment_term {
    uint64_t hash;
    uint64_t documents;      /* that have it, 0 where none has or the file has no words */
    uint32_t idf;            /* in 1/256 bit */
    uint32_t first;          /* its first place in the segment */
    int looked, listed;      /* looked: documents and idf are known; listed: it has postings */
    uint32_t list, list_end; /* where its postings are, once they are read */
} segment_term;

/* A sentence, or a piece of a long one; a window of several; a longer stretch, in which the order
 * of words does not count. */
enum { SENTENCE, WINDOW, STRETCH };

/* Terms first .. last - 1 of the segment. */
typedef struct unit {
    uint32_t first, last, kind;
} unit;

typedef struct segment {
    uint64_t base;                                     /* terms of the text before it */
    uint32_t count;                                    /* its terms */
    uint32_t starts[SEGMENT_ROOM], ends[SEGMENT_ROOM]; /* their bytes in the text */
    uint32_t ids[SEGMENT_ROOM];                        /* their distinct terms */
    uint32_t breaks[SEGMENT_ROOM + 1]; /* where sentences begin, and the end; break_count + 1 */
    uint32_t break_count;
    segment_term terms[SEGMENT_ROOM];
    uint32_t term_count;
    uint32_t slots[SEGMENT_SLOTS]; /* 1 + number of a distinct term, or 0 */
    unit units[3 * SEGMENT_ROOM];
    uint32_t unit_count;
} segment;

/* Reads a text segment by segment. */
typedef struct segment_reader {
    term_stream stream;
    const uint8_t *text;
    uint64_t before;  /* terms of the segments before */
    int ahead, ended; /* ahead: the stream holds a term that is not taken yet */
} segment_reader;

static void segment_reader_begin(segment_reader *r, const uint8_t *text, uint64_t length, meter *steps);
/* Read the next segment; 0 at the end of the text. */
static int segment_read(segment_reader *r, segment *s);
/* Is a unit all of the text, as far as is known? */
static inline int unit_is_alone(const segment *s, const unit *u) {
    return s->base == 0 && u->first == 0 && u->last == s->count;
}
/* The number of a distinct term with this hash, or NO_TERM. */
static uint32_t segment_find(const segment *s, uint64_t hash);

#endif

#define MOST_PLACED 256u /* distinct terms by which a window is looked for */

/* A term of a document that the segment has, too. */
typedef struct text_hit {
    uint32_t place; /* among the document's terms */
    uint32_t next;  /* 1 + the hit before it with the same term, or 0 */
} text_hit;

/* A document's text as terms of the segment. */
typedef struct document_terms {
    uint64_t *hashes; /* of each of its terms */
    uint32_t *ids;    /* that of the segment, or NO_TERM */
    uint32_t *starts, *ends;
    text_hit *hits;
    uint64_t room;
    uint32_t count, hit_count;
    uint32_t last[SEGMENT_ROOM];  /* of each term of the segment, 1 + its last hit, or 0 */
    uint32_t times[SEGMENT_ROOM]; /* how many it has */
    uint64_t *order;              /* scratch: places of a unit's terms */
    uint64_t order_room;
    meter *steps;
} document_terms;

/* Where and how a unit stands in a document. first .. last - 1: terms of the segment, own_first ..
 * own_last - 1: terms of the document, with their bytes. same: terms of the unit in the same order;
 * dense: those of them from first up to last; beyond: word for word outside of the unit; run: the
 * most in a row; share: of the unit's idf, what these have, in 1/1024; mass: their idf; bag: the
 * share that the unit's words have in the window, in whatever order, each counted once, and the
 * window; whole: the unit stands there word for word. */
typedef struct alignment {
    uint32_t first, last, own_first, own_last, own_start, own_end;
    uint32_t same, dense, beyond, run, share, mass, bag, whole;
    uint32_t bag_first, bag_last, bag_start, bag_end;
} alignment;

/* Read a text. 0 where memory ran out or the call was interrupted. */
static int document_terms_read(document_terms *d, const uint8_t *text, uint64_t length);
/* Find the terms that a segment has, too. */
static void document_terms_find(document_terms *d, const segment *s);
static void document_terms_free(document_terms *d);
/* Find a unit that stands in the document word for word, and let its place go on beyond it. */
static int align_whole(const document_terms *d, const segment *s, const unit *u, alignment *found);
/* Align a unit. words: the terms by which a window is looked for. 0 where memory ran out. */
static int align(document_terms *d, const segment *s, const unit *u, const uint32_t *words,
          uint32_t word_count, alignment *found);

#endif


#define MOST_PLACES 160u /* terms of a document beside which a unit is laid */

void document_terms_free(document_terms *d) {
    pocket_free(d->hashes);
    pocket_free(d->order);
}

/* One piece of memory for all arrays of terms. */
static int make_terms_room(document_terms *d) {
    uint64_t room = d->room ? 2 * d->room : 4096;
    size_t each = sizeof *d->hashes + 3 * sizeof(uint32_t) + sizeof(text_hit);
    if (room > SIZE_MAX / each) return 0;
    uint64_t *hashes = pocket_malloc((size_t)room * each);
    if (!hashes) return 0;
    text_hit *hits = (text_hit *)(hashes + room);
    uint32_t *starts = (uint32_t *)(hits + room), *ends = starts + room;
    if (d->count) {
        memcpy(hashes, d->hashes, (size_t)d->count * sizeof *hashes);
        memcpy(starts, d->starts, (size_t)d->count * sizeof *starts);
        memcpy(ends, d->ends, (size_t)d->count * sizeof *ends);
    }
    pocket_free(d->hashes);
    d->hashes = hashes;
    d->hits = hits;
    d->starts = starts;
    d->ends = ends;
    d->ids = ends + room;
    d->room = room;
    return 1;
}

int document_terms_read(document_terms *d, const uint8_t *text, uint64_t length) {
    term_stream t;
    d->count = d->hit_count = 0;
    term_stream_begin(&t, text, length, STREAM_EVERY_WORD);
    t.meter = d->steps;
    while (term_stream_next(&t)) {
        if (d->count == d->room && !make_terms_room(d)) return 0;
        d->hashes[d->count] = murmur(t.bytes, t.length);
        d->starts[d->count] = (uint32_t)(t.term - text);
        d->ends[d->count++] = (uint32_t)(t.term_end - text);
    }
    return !d->steps->ended;
}

void document_terms_find(document_terms *d, const segment *s) {
    d->hit_count = 0;
    memset(d->last, 0, s->term_count * sizeof *d->last);
    memset(d->times, 0, s->term_count * sizeof *d->times);
    for (uint32_t place = 0; place < d->count; place++) {
        uint32_t id = d->ids[place] = segment_find(s, d->hashes[place]);
        if (id == NO_TERM) continue;
        d->hits[d->hit_count++] = (text_hit){place, d->last[id]};
        d->last[id] = d->hit_count;
        d->times[id]++;
    }
}

/* ---- word for word ---- */

static uint32_t same_forward(const document_terms *d, const segment *s, uint32_t i, uint32_t j) {
    uint32_t n = 0;
    while (i + n < s->count && j + n < d->count && s->ids[i + n] == d->ids[j + n]) n++;
    return n;
}

static uint32_t same_back(const document_terms *d, const segment *s, uint32_t i, uint32_t j) {
    uint32_t n = 0;
    while (n < i && n < j && s->ids[i - n - 1] == d->ids[j - n - 1]) n++;
    return n;
}

/* Let a place go on as long as both texts have the same words. */
static void extend_alignment(const document_terms *d, const segment *s, alignment *a) {
    uint32_t back = same_back(d, s, a->first, a->own_first),
             on = same_forward(d, s, a->last, a->own_last);
    a->first -= back;
    a->own_first -= back;
    a->last += on;
    a->own_last += on;
    a->beyond = back + on;
}

/* Does the unit stand in the document word for word? Looked for at the places of the term of it
 * that the document has least often. */
static int find_whole(const document_terms *d, const segment *s, const unit *u, alignment *found) {
    uint32_t rarest = u->first, n = u->last - u->first;
    for (uint32_t i = u->first; i < u->last; i++) {
        if (!d->times[s->ids[i]]) return 0;
        if (d->times[s->ids[i]] < d->times[s->ids[rarest]]) rarest = i;
    }
    for (uint32_t hit = d->last[s->ids[rarest]]; hit; hit = d->hits[hit - 1].next) {
        uint32_t place = d->hits[hit - 1].place, before = rarest - u->first;
        if (place < before || same_forward(d, s, u->first, place - before) < n) continue;
        *found = (alignment){.first = u->first,
                             .last = u->last,
                             .own_first = place - before,
                             .own_last = place - before + n,
                             .same = n,
                             .dense = n,
                             .run = n,
                             .share = 1024,
                             .bag = 1024,
                             .whole = 1};
        for (uint32_t i = u->first; i < u->last; i++) found->mass += s->terms[s->ids[i]].idf;
        return 1;
    }
    return 0;
}

int align_whole(const document_terms *d, const segment *s, const unit *u, alignment *found) {
    if (!find_whole(d, s, u, found)) return 0;
    extend_alignment(d, s, found);
    return 1;
}

/* ---- the best place ---- */

/* The last place of the window of this width that has most of the words' idf, each counted once,
 * and that. The document has each of them. 0 where memory ran out. */
static int find_window(document_terms *d, const segment *s, const uint32_t *words,
                       uint32_t word_count, uint32_t width, uint32_t *end, uint64_t *best) {
    uint64_t count = 0, mass = 0, most = 0;
    uint32_t inside[MOST_PLACED] = {0};
    for (uint32_t k = 0; k < word_count; k++) count += d->times[words[k]];
    if (2 * count > d->order_room) {
        pocket_free(d->order);
        d->order_room = 2 * count;
        d->order = pocket_malloc((size_t)d->order_room * sizeof *d->order);
        if (!d->order) {
            d->order_room = 0;
            return 0;
        }
    }
    uint64_t *order = d->order, n = 0;
    for (uint32_t k = 0; k < word_count; k++)
        for (uint32_t hit = d->last[words[k]]; hit; hit = d->hits[hit - 1].next)
            order[n++] = (uint64_t)d->hits[hit - 1].place << 8 | k;
    if (n < 64)
        sort64(order, (uint32_t)n);
    else
        radix_sort64(order, order + count, (uint32_t)n, 8, 40);
    for (uint64_t i = 0, low = 0; i < n; i++) {
        uint32_t place = (uint32_t)(order[i] >> 8), k = order[i] & 255;
        if (!inside[k]++) mass += s->terms[words[k]].idf;
        for (; place - (uint32_t)(order[low] >> 8) >= width; low++) {
            uint32_t out = order[low] & 255;
            if (!--inside[out]) mass -= s->terms[words[out]].idf;
        }
        if (mass > most) {
            most = mass;
            *end = place;
        }
    }
    *best = most;
    return 1;
}

/* A common subsequence under way. */
typedef struct chain {
    uint32_t mass, same;
} chain;

static int is_heavier(const chain *a, const chain *b) {
    return a->mass != b->mass ? a->mass > b->mass : a->same > b->same;
}

enum { ABOVE, LEFT, BOTH };

/* Of the pairs of a chain, which rise, those from first up to last that are densest: each counts
 * one, and each term of either text between two of them counts one less. */
static void find_dense(uint8_t (*pairs)[2], uint32_t count, uint32_t *first, uint32_t *last) {
    int32_t sum = 0, most = 0;
    uint32_t start = 0;
    *first = *last = 0;
    for (uint32_t i = 0; i < count; i++) {
        uint32_t own = i ? (uint32_t)(pairs[i][0] - pairs[i - 1][0]) - 1 : 0,
                 other = i ? (uint32_t)(pairs[i][1] - pairs[i - 1][1]) - 1 : 0;
        sum -= (int32_t)(own > other ? own : other);
        if (sum <= 0) {
            sum = 0;
            start = i;
        }
        if (++sum <= most) continue;
        most = sum;
        *first = start;
        *last = i;
    }
}

/* The common subsequence of most idf of a unit and terms from .. to - 1 of a document, and where it
 * is dense. */
static void find_chain(const document_terms *d, const segment *s, const unit *u, uint32_t from,
                       uint32_t to, alignment *found) {
    chain row[MOST_PLACES + 1] = {{0}};
    uint8_t steps[WINDOW_TERMS][MOST_PLACES], pairs[WINDOW_TERMS][2];
    uint16_t runs[MOST_PLACES + 1] = {0};
    uint32_t n = u->last - u->first, m = to - from, run = 0, count = 0, first, last;
    uint64_t whole = 0;
    for (uint32_t i = 0; i < n; i++) {
        uint32_t id = s->ids[u->first + i], idf = s->terms[id].idf;
        chain diagonal = {0};
        uint16_t diagonal_run = 0;
        whole += idf;
        for (uint32_t j = 0; j < m; j++) {
            chain above = row[j + 1], best = above;
            uint16_t above_run = runs[j + 1];
            runs[j + 1] = 0;
            steps[i][j] = ABOVE;
            if (is_heavier(&row[j], &best)) {
                best = row[j];
                steps[i][j] = LEFT;
            }
            if (d->ids[from + j] == id) {
                chain own = {diagonal.mass + idf, diagonal.same + 1};
                if (is_heavier(&own, &best)) {
                    best = own;
                    steps[i][j] = BOTH;
                }
                runs[j + 1] = (uint16_t)(diagonal_run + 1);
                if (runs[j + 1] > run) run = runs[j + 1];
            }
            diagonal = above;
            diagonal_run = above_run;
            row[j + 1] = best;
        }
    }
    *found = (alignment){.first = u->first,
                         .last = u->first,
                         .same = row[m].same,
                         .run = run,
                         .share = whole ? (uint32_t)(1024ull * row[m].mass / whole) : 0,
                         .mass = row[m].mass};
    if (!row[m].same) return;
    count = row[m].same;
    for (uint32_t i = n, j = m, k = count; k;) {
        uint32_t step = steps[i - 1][j - 1];
        if (step == BOTH) {
            pairs[--k][0] = (uint8_t)(i - 1);
            pairs[k][1] = (uint8_t)(j - 1);
        }
        if (step != LEFT) i--;
        if (step != ABOVE) j--;
    }
    find_dense(pairs, count, &first, &last);
    found->first = u->first + pairs[first][0];
    found->last = u->first + pairs[last][0] + 1;
    found->own_first = from + pairs[first][1];
    found->own_last = from + pairs[last][1] + 1;
    found->dense = last - first + 1;
}

/* The idf of a unit's terms, each counted once. */
static uint64_t bag_mass(const segment *s, const unit *u) {
    uint64_t mass = 0;
    for (uint32_t i = u->first; i < u->last; i++) {
        uint32_t first = u->first;
        while (s->ids[first] != s->ids[i]) first++;
        if (first == i) mass += s->terms[s->ids[i]].idf;
    }
    return mass;
}

int align(document_terms *d, const segment *s, const unit *u, const uint32_t *words,
          uint32_t word_count, alignment *found) {
    uint32_t n = u->last - u->first, width = n + (n / 3 > 2 ? n / 3 : 2), end = 0;
    uint64_t mass = 0, whole;
    *found = (alignment){.first = u->first, .last = u->last};
    if (u->kind == STRETCH || !find_whole(d, s, u, found)) {
        if (!word_count) return 1;
        if (!find_window(d, s, words, word_count, width, &end, &mass)) return 0;
        uint32_t from = end + 1 > width ? end + 1 - width : 0, to = end + (n / 3 > 3 ? n / 3 : 3);
        if (to > d->count) to = d->count;
        if (u->kind != STRETCH) find_chain(d, s, u, from, to, found);
        whole = bag_mass(s, u);
        found->bag = whole ? (uint32_t)(1024 * mass / whole) : 0;
        found->bag_first = from;
        found->bag_last = end + 1;
        if (u->kind == STRETCH) found->mass = (uint32_t)mass;
    }
    if (found->same && u->kind != STRETCH) extend_alignment(d, s, found);
    return 1;
}

/* ======== by_shingles.c ======== */
/* What shingles say of a segment: with texts, the documents that have sentences of it word for
 * word; without them, passages that may end half a window too early or too late. */

/* ======== by_shingles.h ======== */
/* What shingles say of a segment. */
#ifndef POCKET_BY_SHINGLES_H
#define POCKET_BY_SHINGLES_H


/* ======== trace.h ======== */
/* The trace of a segment of the asked text: what is known, and the passages that were found. */
#ifndef POCKET_TRACE_H
#define POCKET_TRACE_H


/* ======== passages_found.h ======== */
/* Pieces of the asked text that documents have. */
#ifndef POCKET_PASSAGES_FOUND_H
#define POCKET_PASSAGES_FOUND_H


/* first .. last - 1: terms of the text; start, end: its bytes; own_start, own_end: bytes of the
 * document's text, where it was looked into (verified). same: terms in the same order. documents:
 * that have all of it word for word, as far as was looked. */
typedef struct found_passage {
    uint32_t document, first, last, start, end, own_start, own_end, own_first, own_last;
    uint32_t same, evidence, documents;
    uint32_t verified;
    uint32_t bag; /* 1: its terms are the document's in whatever order */
} found_passage;

/* A passage that very many documents have, and some of these. */
typedef struct frequent_found {
    pocket_frequent_passage passage;
    uint32_t examples[SHINGLE_EXAMPLES];
} frequent_found;

typedef struct passages_found {
    found_passage *passages;
    uint32_t count, room;
    frequent_found *frequent;
    uint32_t frequent_count, frequent_room;
} passages_found;

#endif

/* ======== judge.h ======== */
/* When a unit of the asked text counts as taken from a document (docs/format.md, section 9). */
#ifndef POCKET_JUDGE_H
#define POCKET_JUDGE_H


/* ======== word_candidates.h ======== */
/* Which documents may have a unit of the asked text, by its rarest words. */
#ifndef POCKET_WORD_CANDIDATES_H
#define POCKET_WORD_CANDIDATES_H


#define SENTENCE_WORDS 12u /* the rarest words of a sentence that are asked for */
#define WINDOW_WORDS 25u   /* of a window of sentences */
#define LEAST_ASKED 6u     /* words that decide between candidates, however common they are */
#define MOST_CANDIDATES 20u
#define MOST_OF_MORE 8u     /* candidates of a unit that is not all of the text */
#define MOST_COMPLETE 1024u /* of those that have all the words of a text of one sentence */

/* A document that has words of a unit. share: of the idf of the unit's asked words, the part that
 * the document has, in 1/1024; length: of the document, in 1/4 of the average, as far as the levels
 * of its words tell. */
typedef struct candidate {
    uint32_t document, unit, share, length;
    uint32_t mask;
} candidate;

/* What a document has of the unit that is being looked for. */
typedef struct document_sum {
    uint32_t document; /* 1 + its number, or 0 */
    uint32_t mask;     /* of the unit's asked words */
    uint32_t mass;     /* their idf, more for higher levels */
    uint32_t level;    /* the lowest */
} document_sum;

typedef struct word_candidates {
    const pocket_index *index;
    segment *segment;
    const uint8_t *text;
    meter *steps;
    pocket_error *error;
    int cold;     /* as few texts as will do */
    int any_word; /* also those that no document of the file has */
    int missed, capped;
    /* Postings that were read for this segment. */
    uint32_t *documents;
    uint8_t *levels;
    uint32_t count, room;
    candidate found[MOST_COMPLETE]; /* of the unit, best first */
    uint32_t best[MOST_COMPLETE], found_count;
    document_sum *sums; /* a table: size is a power of two */
    uint32_t *touched;
    uint32_t size, touched_count;
    uint32_t words[WINDOW_WORDS];     /* of the unit: distinct terms, the rarest first */
    uint32_t makers;                  /* of the words, those whose documents are candidates */
    uint32_t word_count, spare_count; /* those that are asked for, and all that were chosen */
} word_candidates;

static void word_candidates_free(word_candidates *w);
/* Forget the postings of the segment before. */
static void word_candidates_begin(word_candidates *w, segment *s);
/* Choose the rarest words of a unit; of common ones no more than are needed. */
static uint32_t choose_words(word_candidates *w, const unit *u);
/* What is known of a term: in how many documents it is, and its idf. */
static uint32_t term_look(word_candidates *w, uint32_t term);
/* Find the candidates of a unit: MOST_CANDIDATES, or of those that have all the words of a text
 * that is one unit MOST_COMPLETE. */
static uint32_t word_candidates_of(word_candidates *w, uint32_t unit);

#endif

#define WHOLE_SHARE 1024u
#define OTHERS 5u /* what the document behind so many has as well is no evidence */

/* A document that may have a unit, and what its text says of that, or its words and shingles do
 * where no texts are kept: estimate, in 1/1024. */
typedef struct claim {
    candidate candidate;
    alignment alignment;
    uint32_t estimate;
} claim;

/* Is the share of the asked words' idf enough for a candidate of a unit of this kind? */
static int has_enough(uint32_t kind, uint32_t share);
/* Is it worth to read the text of a candidate? */
static int is_worth_reading(const word_candidates *w, const candidate *c);
/* How a unit counts: not, by words in the same order, by words in whatever order. */
enum { NOT_TAKEN, IN_ORDER, AS_A_BAG };
/* Does a unit that was aligned count? others, others_bag: the shares of the document behind OTHERS.
 */
static int is_taken(const segment *s, const unit *u, const alignment *a, uint32_t others,
             uint32_t others_bag);
/* What a document's words and shingles say of a unit. evidence: of its shingles in the unit. */
static uint32_t estimate_of(const word_candidates *w, const candidate *c, uint32_t evidence);
/* Does a unit that was not aligned count? */
static int is_estimated(const segment *s, const unit *u, uint32_t estimate, uint32_t others);

#endif

/* ======== shingle_matches.h ======== */
/* Documents that have shingles of a segment (docs/format.md, section 9). */
#ifndef POCKET_SHINGLE_MATCHES_H
#define POCKET_SHINGLE_MATCHES_H


#define SHINGLES_AT_ONCE 1024u /* looked up together */
/* Shingles of one document in a neighbourhood are evidence together. In a passage whose words were
 * changed they are far apart. */
#define NEIGHBOURHOOD 80u /* terms */
#define LEAST_EVIDENCE 12u
#define MOST_WEIGHT 7u /* what a shingle says that one document has */

/* A document and the place of a shingle of the segment that it has. */
typedef struct shingle_match {
    uint32_t document;
    uint16_t place;
    uint8_t again;     /* the text had the shingle shortly before */
    uint8_t documents; /* that have it, 127 at most */
} shingle_match;

/* A frequent shingle at a place of the segment: how many documents have it, 0 where the shingle
 * there is not frequent, and examples. */
typedef struct frequent_shingle {
    uint32_t documents, example_count, examples[SHINGLE_EXAMPLES];
} frequent_shingle;

typedef struct shingle_matches {
    const pocket_index *index;
    meter *steps;
    pocket_error *error;
    int cold, missed;
    look_up look_up;
    uint64_t *memory, *hashes, *order, *keys; /* hashes: of the shingle at each place; order: the
                                                 upper bits of one, and its place */
    uint32_t *first;
    frequent_shingle *frequent; /* of each place */
    shingle_match *found;       /* by document and place */
    uint64_t *scratch;
    uint32_t count, room, asked;
} shingle_matches;

static int shingle_matches_alloc(shingle_matches *m, const pocket_index *x);
static void shingle_matches_free(shingle_matches *m);
/* Look the shingles of a segment up. */
static uint32_t shingle_matches_find(shingle_matches *m, const segment *s);
/* The end of the matches of the document at i. */
static uint32_t shingle_matches_end(const shingle_matches *m, uint32_t i);
/* What the matches from first up to last of one document say together: those that overlap say it
 * once, and so does one that the text repeats. */
static uint32_t shingle_evidence(const shingle_matches *m, uint32_t first, uint32_t last);
/* What a document's matches between two places say. */
static uint32_t shingle_evidence_between(const shingle_matches *m, uint32_t document, uint32_t from,
                                  uint32_t to);

#endif

#define MOST_CLAIMS 65536u
#define MOST_SHINGLE_DOCUMENTS 256u /* that are looked into, those of most evidence */

typedef struct trace {
    const pocket_index *index;
    meter *steps;
    pocket_error *error;
    int with_texts, missed, capped;
    segment *segment;
    word_candidates words;
    shingle_matches shingles;
    document_terms document;
    text_reader reader;
    claim *claims;
    uint64_t *order; /* of the claims, and as much again */
    uint32_t claim_count, claim_room;
    int exhausted; /* there was no memory for a claim */
    uint32_t
        *explained; /* of each term of the segment, 1 + a document that has it, 0 where none has */
    uint64_t best[MOST_SHINGLE_DOCUMENTS]; /* what a document's shingles say, and the complement of
                                              its first match */
    uint32_t best_count;
    passages_found *found;
    pocket_words_only words_only; /* of the longest sentence so far, of so many terms */
    uint32_t words_only_terms;
    uint32_t found_before;   /* of the segments before */
    uint32_t found_in_order; /* when bags are judged, all but bags */
} trace;

static int trace_alloc(trace *t);
static void trace_free(trace *t);
/* Keep a passage. 0 where there is no memory. */
static int add_found(trace *t, const found_passage *own);
/* A passage of the segment, without what is known of the document's text. */
static found_passage passage_of(const trace *t, uint32_t document, uint32_t first, uint32_t last);
/* Note that a document has terms of the segment word for word. */
static void explain(trace *t, uint32_t first, uint32_t last, uint32_t document);
/* Are enough terms of a unit explained? */
static int is_explained(const trace *t, const unit *u);

#endif

/* Look the segment's shingles up, and choose the documents whose shingles say most; without texts,
 * add their passages. argument is the trace. */
static uint32_t find_by_shingles(void *argument);
/* Look into the texts of the chosen documents, and claim the units that they touch. */
static uint32_t look_into_best(trace *t);
/* Take the claims that are whole. Of the others those stay whose units are not explained. */
static uint32_t take_wholes(trace *t);

#endif


/* ======== claims.h ======== */
/* Documents that may have units of a segment, kept, and aligned by their texts. */
#ifndef POCKET_CLAIMS_H
#define POCKET_CLAIMS_H


/* Keep a claim. Where there is no memory, the trace is exhausted. */
static void add_claim(trace *t, const claim *c);
/* Read the text of a document into t->document, and find the segment's terms in it; these are none
 * where it is not at hand. */
static uint32_t read_document(trace *t, uint32_t document);
/* Say where an alignment stands in the document that was read, in bytes. */
static void place_alignment(const trace *t, alignment *a);
/* Align a unit, or the unit of a claim, with the document that was read. */
static uint32_t align_unit(trace *t, const unit *u, alignment *a);
static uint32_t align_claim(trace *t, claim *c);
/* Align all claims, document by document. */
static uint32_t align_claims(trace *t);

#endif

/* ======== judge_claims.h ======== */
/* Claims to passages (docs/format.md, section 9). */
#ifndef POCKET_JUDGE_CLAIMS_H
#define POCKET_JUDGE_CLAIMS_H


/* Judge the claims of each unit beside each other, by what was found in texts or is estimated, and
 * forget them. */
static uint32_t judge_claims(trace *t);

#endif

#define MOST_SHINGLE_DOCUMENTS_COLD 4u
#define MOST_NEIGHBOURHOODS (SEGMENT_ROOM / NEIGHBOURHOOD + 1) /* of a document in a segment */

/* What a document's shingles say, where that is enough for a neighbourhood of them: its first and
 * last match. 0 at the end. */
static int next_neighbourhood(const shingle_matches *m, uint32_t *first, uint32_t *last,
                              uint32_t end, uint32_t *evidence) {
    for (*first = *last; *first < end; *first = *last) {
        for (*last = *first + 1;
             *last < end && m->found[*last].place - m->found[*last - 1].place <= (int)NEIGHBOURHOOD;
             ++*last) {
        }
        *evidence = shingle_evidence(m, *first, *last);
        if (*evidence >= LEAST_EVIDENCE) return 1;
    }
    return 0;
}

/* Choose the documents whose shingles say most: the first match of each, and what they say. */
static void choose_by_shingles(trace *t) {
    const shingle_matches *m = &t->shingles;
    uint32_t most = t->shingles.cold ? MOST_SHINGLE_DOCUMENTS_COLD : MOST_SHINGLE_DOCUMENTS;
    t->best_count = 0;
    for (uint32_t i = 0, end, k; i < m->count; i = end) {
        uint32_t first, last = i, evidence, sum = 0;
        end = shingle_matches_end(m, i);
        while (next_neighbourhood(m, &first, &last, end, &evidence)) sum += evidence;
        if (!sum) continue;
        uint64_t own = (uint64_t)sum << 32 | (UINT32_MAX - i);
        if (t->best_count == most) {
            t->capped = 1;
            if (own < t->best[most - 1]) continue;
        } else {
            t->best_count++;
        }
        for (k = t->best_count - 1; k > 0 && own > t->best[k - 1]; k--) t->best[k] = t->best[k - 1];
        t->best[k] = own;
    }
}

/* Is each neighbourhood of a document's shingles, those of its matches from i up to end, in what
 * another document explains that has twice as many of the shingles there? */
static int is_told(const trace *t, uint32_t i, uint32_t end) {
    const shingle_matches *m = &t->shingles;
    uint32_t first, last = i, evidence;
    while (next_neighbourhood(m, &first, &last, end, &evidence)) {
        uint32_t from = m->found[first].place, to = m->found[last - 1].place + 1;
        for (uint32_t k = first; k < last; k++)
            if (!t->explained[m->found[k].place]) return 0;
        if (shingle_evidence_between(m, t->explained[from] - 1, from, to) < 2 * evidence) return 0;
    }
    return 1;
}

/* The sentences that a document's neighbourhoods touch, those of its matches from i up to end,
 * explain the text where the document at hand has them word for word; other units are claimed, each
 * once. */
static void claim_touched(trace *t, uint32_t i, uint32_t end) {
    const shingle_matches *m = &t->shingles;
    uint32_t from[MOST_NEIGHBOURHOODS], to[MOST_NEIGHBOURHOODS], count = 0, first, last = i,
                                                                 evidence;
    while (next_neighbourhood(m, &first, &last, end, &evidence)) {
        from[count] = m->found[first].place;
        to[count++] = m->found[last - 1].place + t->index->shingle_terms;
    }
    for (uint32_t k = 0; k < t->segment->unit_count; k++) {
        const unit *u = &t->segment->units[k];
        claim own = {.candidate = {m->found[i].document, k, WHOLE_SHARE, 4, 0}};
        uint32_t at = 0;
        while (at < count && (u->first >= to[at] || u->last <= from[at])) at++;
        if (at == count) continue;
        if (u->kind == SENTENCE && align_whole(&t->document, t->segment, u, &own.alignment)) {
            /* How common its words are was not looked up. */
            own.alignment.mass =
                shingle_evidence_between(m, m->found[i].document, u->first, u->last) << 8;
            place_alignment(t, &own.alignment);
            explain(t, own.alignment.first, own.alignment.last, own.candidate.document);
        }
        add_claim(t, &own);
    }
}

uint32_t look_into_best(trace *t) {
    const shingle_matches *m = &t->shingles;
    for (uint32_t k = 0; k < t->best_count; k++) {
        uint32_t i = UINT32_MAX - (uint32_t)t->best[k], end = shingle_matches_end(m, i);
        if (is_told(t, i, end)) continue;
        uint32_t status = read_document(t, m->found[i].document);
        if (status) return status;
        if (t->document.count) claim_touched(t, i, end);
    }
    return POCKET_OK;
}

/* A passage by shingles alone: winnowing kept none of those at its ends, half a window on average.
 */
static int add_by_shingles(trace *t, uint32_t first, uint32_t last, uint32_t evidence) {
    const shingle_matches *m = &t->shingles;
    uint32_t margin = t->index->shingle_window / 2, size = t->index->shingle_terms,
             gap = t->index->shingle_window + size, start = first;
    for (uint32_t i = first; i < last; i++) {
        if (i + 1 < last && m->found[i + 1].place - m->found[i].place <= (int)gap) continue;
        uint32_t from = m->found[start].place, to = m->found[i].place + size + margin;
        found_passage own = passage_of(t, m->found[i].document, from > margin ? from - margin : 0,
                                       to < t->segment->count ? to : t->segment->count);
        own.same = own.last - own.first;
        own.evidence = evidence;
        explain(t, from, m->found[i].place + size, m->found[i].document);
        if (!add_found(t, &own)) return 0;
        start = i + 1;
    }
    return 1;
}

static int estimate_by_shingles(trace *t) {
    const shingle_matches *m = &t->shingles;
    for (uint32_t i = 0, end; i < m->count; i = end) {
        uint32_t first, last = i, evidence;
        end = shingle_matches_end(m, i);
        while (next_neighbourhood(m, &first, &last, end, &evidence))
            if (!add_by_shingles(t, first, last, evidence)) return 0;
    }
    return 1;
}

uint32_t find_by_shingles(void *argument) {
    trace *t = argument;
    uint32_t status = shingle_matches_find(&t->shingles, t->segment);
    if (status) return status;
    if (!t->with_texts) return estimate_by_shingles(t) ? POCKET_OK : POCKET_NO_MEMORY;
    choose_by_shingles(t);
    return POCKET_OK;
}

uint32_t take_wholes(trace *t) {
    uint32_t n = t->claim_count, wholes = 0, rest = 0;
    claim *claims = t->claims;
    if (n == 0) return POCKET_OK;
    for (uint32_t i = 0; i < n; i++) {
        int stays = !claims[i].alignment.whole &&
                    !is_explained(t, &t->segment->units[claims[i].candidate.unit]);
        if (stays || claims[i].alignment.whole) claims[rest++] = claims[i];
    }
    for (uint32_t i = 0; i < rest; i++)
        if (claims[i].alignment.whole) {
            claim own = claims[i];
            claims[i] = claims[wholes];
            claims[wholes++] = own;
        }
    t->claim_count = wholes;
    uint32_t status = judge_claims(t);
    memmove(claims, claims + wholes, (rest - wholes) * sizeof *claims);
    t->claim_count = rest - wholes;
    return status;
}

/* ======== candidates.c ======== */
/* Sketch to candidates: by keys, by cells, or by a scan. */

/* ======== scan.h ======== */
/* The stored sketches nearest to a text's by Hamming distance, out of some runs of them or all, in
 * one pass (docs/format.md, section 8). Only where all intervals are two. */
#ifndef POCKET_SCAN_H
#define POCKET_SCAN_H


/* Sketches that a scan looks at closely: at least so many, and so many times the hits asked for;
 * both for each whole coarse code that a sketch has, because a wider one is to rank finer. */
#ifndef SCAN_LEAST /* tests with few documents look at fewer */
#define SCAN_LEAST 512u
#endif
#define SCAN_TIMES 4u

/* A file is scanned by default up to so many bits of sketches, where they are in memory: from there
 * on cells, or tables where there are none, find nearly as much in less time (docs/decisions.md,
 * 14). */
#define SCANNED_BITS (1ull << 27)
#define SCANNED_BITS_WITH_CELLS (1ull << 25)
/* From far away a first answer of a file without cells: 2 MB of sketches and a read or two. */
#define SCANNED_BITS_FIRST (1ull << 24)

/* How deep a scan for so many hits goes: all documents at most. */
static uint32_t scan_depth(const pocket_index *index, uint32_t hits);
/* Entries that nearest needs room for. */
static uint32_t scan_room(uint32_t depth);
/* Of the documents in count stretches, which rise, put the depth nearest to the packed sketch own
 * (of equal ones those with lower numbers), or all there are, into nearest as distance << 32 |
 * document, rising by document; *found becomes their number. A block that is not at hand is passed
 * over, and POCKET_NOT_AT_HAND returned in the end. */
static uint32_t scan_run(const pocket_index *index, const uint8_t *own, uint32_t depth,
                  const stretch *stretches, uint32_t count, uint64_t *nearest, uint32_t *found,
                  meter *steps, pocket_error *error);

#endif

/* ======== stages.h ======== */
/* A query on its way through the stages (docs/format.md, section 8). */
#ifndef POCKET_STAGES_H
#define POCKET_STAGES_H


#ifndef MAX_CANDIDATES /* the harnesses that ask millions of times take less memory a query */
#define MAX_CANDIDATES 65536u
#endif

#define MOST_LOOKED_AT 262144u /* postlists of which the first document's sketch is looked at */

typedef struct query {
    const pocket_index *index;
    const uint8_t *text; /* NULL: the query is a stored document */
    uint64_t length;
    uint32_t document, probes, identity;
    sketch sketch;
    uint64_t *keys;
    uint32_t *masks;
    look_up look_up;
    ranking ranking;
    meter steps;
    uint64_t *candidates; /* document << 32 | agreement << 8 | table */
    uint64_t *nearest;    /* room for a scan, and for what sorts */
    uint64_t *best;       /* the heap of hits */
    stretch *stretches;
    uint32_t candidate_count, looked_at, best_count, room, depth;
    uint32_t cells,
        pruning; /* so many of the nearest are compared, of those within the pruning threshold */
    int scans;
    int incomplete; /* a block was not at hand; the stage goes on, so that all its blocks are missed
                       at once */
    uint32_t *count;
    pocket_hit *hits;
    pocket_report *report;
    pocket_error *error;
} query;

static inline uint32_t damaged(const query *q, uint32_t section, uint32_t block, const char *field,
                               uint64_t expected, uint64_t found) {
    return fail(q->error, POCKET_DAMAGED_FIELD, section, block, field, expected, found);
}

/* A block that is not at hand ends the query after the stage, any other failure at once. */
static inline uint32_t unless_missed(query *q, uint32_t status) {
    if (status != POCKET_NOT_AT_HAND) return status;
    q->incomplete = 1;
    return POCKET_OK;
}

/* The documents whose keys match: each probe of each table looked up. */
static uint32_t find_by_keys(query *q);
/* The nearest documents of the nearest cells. */
static uint32_t find_by_cells(query *q);
/* The nearest of all documents, by a scan. */
static uint32_t find_by_scan(query *q);

/* Rank the candidates, or every document where digits are no bits. */
static uint32_t rank_candidates(query *q);
static uint32_t rank_all(query *q);
/* The best as hits, best first, and the tables that each was found in. */
static uint32_t take_hits(query *q);

#endif

/* Ask memory for a sketch that will be looked at. */
static void fetch_sketch(const profile *p, packed_sketch stored) {
    FETCH(stored.coarse);
    if (sketch_bytes(p) > COARSE_BYTES) FETCH(stored.rest);
}

/* ---- matches -> candidates, each ranked while its sketch is at hand ---- */

/* A document and how far its sketch agrees with the query's. */
static uint32_t add_candidate(query *q, uint32_t table, uint32_t document, packed_sketch stored) {
    uint32_t agreement;
    if (!ranking_agreement(&q->ranking, stored, &agreement))
        return damaged(q, POCKET_SKETCHES, document / q->index->block_documents, "digit", 0, 0);
    q->candidates[q->candidate_count++] = (uint64_t)document << 32 | agreement << 8 | table;
    return POCKET_OK;
}

/* All of a postlist, of whose first document the sketch is at hand. */
static uint32_t add_postlist(query *q, uint32_t table, const match *m, packed_sketch stored) {
    const pocket_index *x = q->index;
    for (uint32_t i = 0; i < m->count; i++) {
        uint32_t document = match_posting(m, &x->tables, i);
        if (document >= x->sketched)
            return allowing(q->error, "less than %",
                            damaged(q, POCKET_TABLES, m->part, "posting", x->sketched, document));
        if (q->candidate_count == MAX_CANDIDATES) {
            q->report->capped = 1;
            return POCKET_OK;
        }
        if (interrupted(&q->steps, steps_of(x->stride))) return POCKET_INTERRUPTED;
        uint32_t status = i > 0 ? sketch_get(x, document, &stored, q->error) : POCKET_OK;
        if (status == POCKET_OK)
            status = add_candidate(q, table, document, stored);
        else
            status = unless_missed(q, status);
        if (status) return status;
    }
    return POCKET_OK;
}

/* So many stored sketches are asked for before the first of them is looked at: a query's time is
 * that of its misses to memory. */
#define SKETCHES_AT_ONCE 32u

/* A key that is not in the index can meet a slot whose checksum agrees by chance: the first
 * posting's sketch tells. */
static uint32_t confirm(query *q, uint32_t table, const uint32_t *ranked, uint32_t count) {
    const pocket_index *x = q->index;
    packed_sketch sketches[SKETCHES_AT_ONCE];
    uint8_t room[MOST_SKETCH_BYTES];
    if (interrupted(&q->steps, 4 * SKETCHES_AT_ONCE)) return POCKET_INTERRUPTED;
    for (uint32_t i = 0; i < count; i++) {
        const match *m = &q->look_up.matches[ranked[i]];
        uint32_t document = match_posting(m, &x->tables, 0);
        if (document >= x->sketched)
            return allowing(q->error, "less than %",
                            damaged(q, POCKET_TABLES, m->part, "posting", x->sketched, document));
        sketches[i].coarse = NULL;
        uint32_t status = sketch_get(x, document, &sketches[i], q->error);
        if (status == POCKET_OK) {
            fetch_sketch(&x->profile, sketches[i]);
        } else if ((status = unless_missed(q, status))) {
            return status;
        }
    }
    for (uint32_t i = 0; i < count && !q->report->capped; i++) {
        const match *m = &q->look_up.matches[ranked[i]];
        uint64_t stored;
        if (q->looked_at == MOST_LOOKED_AT) {
            q->report->capped = 1;
            break;
        }
        q->looked_at++;
        if (!sketches[i].coarse) continue;
        if (!sub_key_of_packed(&x->profile, table, sketch_whole(&x->profile, sketches[i], room),
                               &stored))
            return damaged(q, POCKET_SKETCHES, match_posting(m, &x->tables, 0) / x->block_documents,
                           "digit", 0, 0);
        uint32_t status =
            stored == q->keys[m->rank] ? add_postlist(q, table, m, sketches[i]) : POCKET_OK;
        if (status) return status;
    }
    return POCKET_OK;
}

uint32_t find_by_keys(query *q) {
    const pocket_index *x = q->index;
    const look_up *l = &q->look_up;
    for (uint32_t t = 0; t < x->profile.tables && !q->report->capped; t++) {
        uint32_t count = probe_keys(&x->profile, t, &q->sketch, q->probes, q->keys, q->masks);
        q->report->probes += count;
        if (interrupted(&q->steps, 4 * (uint64_t)count)) return POCKET_INTERRUPTED;
        uint32_t status =
            unless_missed(q, look_up_run(&q->look_up, x, &x->tables, t, q->keys, count, q->error));
        for (uint32_t i = 0; !status && i < l->match_count; i += SKETCHES_AT_ONCE)
            status = confirm(q, t, l->ranked + i,
                             l->match_count - i < SKETCHES_AT_ONCE ? l->match_count - i
                                                                   : SKETCHES_AT_ONCE);
        if (status) return status;
    }
    q->report->parts = q->look_up.parts_touched;
    return POCKET_OK;
}

/* ---- nearest sketches -> candidates ---- */

/* So many of the nearest sketches are asked for ahead of the one that is looked at. */
#define AHEAD 16u

/* The nearest of the documents in count stretches; table: what they count as found in. */
static uint32_t add_nearest(query *q, const stretch *stretches, uint32_t count, uint32_t table) {
    const pocket_index *x = q->index;
    uint64_t *nearest = q->nearest;
    uint32_t found,
        status = unless_missed(q, scan_run(x, q->ranking.own, q->depth, stretches, count, nearest,
                                           &found, &q->steps, q->error));
    packed_sketch sketches[AHEAD];
    for (uint32_t i = 0; i < found + AHEAD && !status; i++) {
        packed_sketch *sketch = &sketches[i % AHEAD];
        if (i >= AHEAD && !(status = interrupted(&q->steps, 1)))
            status = add_candidate(q, table, (uint32_t)nearest[i - AHEAD], *sketch);
        if (i < found && !status) {
            status = sketch_get(x, (uint32_t)nearest[i], sketch, q->error);
            if (!status) fetch_sketch(&x->profile, *sketch);
        }
    }
    return status;
}

uint32_t find_by_scan(query *q) {
    stretch all = {0, q->index->sketched};
    return add_nearest(q, &all, 1, 0);
}

/* What lies in the nearest cells counts as found in the last table that there may be: with cells
 * there is none of this number. */
uint32_t find_by_cells(query *q) {
    uint32_t count = q->cells, status = cells_near(q->index, &q->sketch, q->pruning, &count,
                                                   q->nearest, q->stretches, q->error);
    return status ? unless_missed(q, status)
                  : add_nearest(q, q->stretches, count, POCKET_MAX_TABLES - 1);
}

/* ======== choose_sources.c ======== */
/* Passages of documents to sources. */

/* ======== choose_sources.h ======== */
/* The choice among the passages that were found (docs/format.md, section 9). */
#ifndef POCKET_CHOOSE_SOURCES_H
#define POCKET_CHOOSE_SOURCES_H


#define MOST_SOURCES 1000u

/* Join the passages of each document and choose most sources of a text of so many terms. Returns 0
 * where there is no memory, or the call was interrupted. */
static int choose_sources(passages_found *p, uint32_t terms, uint32_t most, meter *steps,
                   pocket_sources_found **found);

#endif


/* ======== cover.h ======== */
/* Sources in the order of what each adds to those before it (docs/format.md, section 9). */
#ifndef POCKET_COVER_H
#define POCKET_COVER_H


/* Candidates and the room to order them in. */
typedef struct cover {
    const pocket_span *spans; /* of places, no two of one candidate on the same place */
    const uint32_t *ends;     /* where the spans of each candidate end */
    const uint32_t *sizes;    /* of each place, or NULL where all have the size 1 */
    uint32_t count;
    uint64_t *heap;   /* room for count */
    uint32_t *others; /* room for count */
    uint8_t *covered; /* of each place, a zero */
} cover;

/* The number of a candidate's first span. */
static inline uint32_t spans_before(const cover *c, uint32_t candidate) {
    return candidate ? c->ends[candidate - 1] : 0;
}
/* The size of what a candidate has: all of it, or what none has that was taken. */
static uint32_t spans_size(const cover *c, uint32_t candidate, int all);
/* Order candidates, at most most: those that add least or more to the ones before them, the one
 * that adds the most first; then the others by what they have. Of equal ones the lower number comes
 * first. Returns how many were ordered, 0 where the call was interrupted; added: the size that each
 * adds, 0 for the others. */
static uint32_t cover_best(cover *c, uint32_t least, uint32_t most, meter *steps, uint32_t *order,
                    uint32_t *added);

#endif

/* A document that explains fewer terms than this beside the sources before it comes behind those
 * that explain more. */
#define LEAST_TERMS 5u
#define MOST_GAP 3u      /* terms of the text between pieces of one passage */
#define MOST_OWN_GAP 24u /* terms of the document between them */

typedef struct choice {
    found_passage *passages; /* of each document by place, none overlaps another of its document */
    uint32_t count;
    pocket_span *spans;
    uint32_t *ends; /* where the passages of each document end */
    uint32_t documents;
} choice;

/* ---- passages ---- */

static uint32_t passage_terms(const found_passage *p) { return p->last - p->first; }

/* Does a passage go on in the document where the one before it ends? */
static int goes_on(const found_passage *p, const found_passage *next) {
    if (next->first > p->last + MOST_GAP) return 0;
    if (!p->verified || !next->verified) return p->verified == next->verified;
    return next->own_first >= p->own_first && next->own_first <= p->own_last + MOST_OWN_GAP;
}

static void join_passages(found_passage *p, const found_passage *next) {
    if (next->evidence > p->evidence) p->evidence = next->evidence;
    if (next->last <= p->last) {
        if (next->same > p->same) p->same = next->same;
        return;
    }
    uint32_t overlap = p->last > next->first ? p->last - next->first : 0,
             size = passage_terms(next);
    p->same += (uint32_t)((uint64_t)next->same * (size - overlap) / size);
    p->last = next->last;
    p->end = next->end;
    if (next->own_last > p->own_last) {
        p->own_last = next->own_last;
        p->own_end = next->own_end;
    }
    if (next->documents > p->documents) p->documents = next->documents;
}

/* Put a passage behind those of its document, which begin at before. */
static void add_passage(choice *c, uint32_t before, const found_passage *next) {
    found_passage *last = c->count > before ? &c->passages[c->count - 1] : NULL;
    if (last && goes_on(last, next))
        join_passages(last, next);
    else if (!last || next->first >= last->last)
        c->passages[c->count++] = *next;
    else if (next->same > last->same)
        *last = *next;
}

static int sort_passages(passages_found *p, found_passage *sorted) {
    uint64_t *keys = pocket_malloc(2 * (size_t)p->count * sizeof *keys);
    if (!keys) return 0;
    for (uint32_t i = 0; i < p->count; i++) keys[i] = (uint64_t)p->passages[i].first << 32 | i;
    radix_sort64(keys, keys + p->count, p->count, 32, 64);
    for (uint32_t i = 0; i < p->count; i++)
        keys[i] = (uint64_t)p->passages[(uint32_t)keys[i]].document << 32 | (uint32_t)keys[i];
    radix_sort64(keys, keys + p->count, p->count, 32, 64);
    for (uint32_t i = 0; i < p->count; i++) sorted[i] = p->passages[(uint32_t)keys[i]];
    pocket_free(keys);
    return 1;
}

/* The documents in the order of what their passages say together, so that of those that explain as
 * much the surer one comes first. order: where the passages of each document begin in sorted. */
static uint32_t order_documents(const found_passage *sorted, uint32_t count, uint64_t *order) {
    uint32_t documents = 0;
    for (uint32_t i = 0, end; i < count; i = end) {
        uint64_t evidence = 0;
        for (end = i; end < count && sorted[end].document == sorted[i].document; end++)
            evidence += sorted[end].evidence;
        if (evidence > UINT32_MAX) evidence = UINT32_MAX;
        order[documents++] = (UINT32_MAX - evidence) << 32 | i;
    }
    sort64(order, documents);
    return documents;
}

/* Does a document have terms of a bag in order? Then these say what it has, and the bag says it for
 * them. sorted: from the passage with the number first on, those of the document are count. */
static int is_told_in_order(const found_passage *sorted, uint32_t first, uint32_t count,
                            const found_passage *bag) {
    for (uint32_t i = first; i < first + count && sorted[i].first < bag->last; i++)
        if (!sorted[i].bag && sorted[i].last > bag->first) return 1;
    return 0;
}

static void join_all(choice *c, const found_passage *sorted, uint32_t count, uint64_t *order) {
    uint32_t documents = order_documents(sorted, count, order);
    for (uint32_t k = 0; k < documents; k++) {
        uint32_t before = c->count, first = (uint32_t)order[k];
        uint32_t end = first;
        while (end < count && sorted[end].document == sorted[first].document) end++;
        for (uint32_t i = first; i < end; i++)
            if (!sorted[i].bag || !is_told_in_order(sorted, first, end - first, &sorted[i]))
                add_passage(c, before, &sorted[i]);
        for (uint32_t i = before; i < c->count; i++)
            c->spans[i] = (pocket_span){c->passages[i].first, c->passages[i].last};
        c->ends[c->documents++] = c->count;
    }
}

/* ---- sources ---- */

static uint32_t share(uint32_t part, uint32_t all) {
    return all ? (uint32_t)((uint64_t)part * 10000 / all) : 0;
}

#define FOUND ((sizeof(pocket_sources_found) + 7) / 8 * 8)

/* Of the longer one of a passage and its place in the document, what the other does not have is
 * edited. */
static pocket_passage written(const found_passage *p) {
    uint32_t terms = passage_terms(p), own = p->own_last - p->own_first;
    if (p->verified && own > terms) terms = own;
    uint32_t same = p->same < terms ? p->same : terms;
    return (pocket_passage){p->start,
                            p->end,
                            p->own_start,
                            p->own_end,
                            p->first,
                            p->last,
                            share(terms - same, terms),
                            p->documents,
                            p->verified};
}

static pocket_source source_of(const choice *c, const cover *own, uint32_t which, uint32_t added,
                               uint32_t terms, uint32_t at) {
    uint32_t first = spans_before(own, which), most = 0;
    for (uint32_t k = first; k < c->ends[which]; k++)
        if (c->passages[k].evidence > most) most = c->passages[k].evidence;
    return (pocket_source){c->passages[first].document,
                           share(spans_size(own, which, 1), terms),
                           share(added, terms),
                           most,
                           at,
                           c->ends[which] - first};
}

static void write_frequent(const passages_found *p, pocket_frequent_passage *frequent,
                           uint32_t *examples) {
    for (uint32_t i = 0; i < p->frequent_count; i++) {
        frequent[i] = p->frequent[i].passage;
        frequent[i].first_example = SHINGLE_EXAMPLES * i;
        memcpy(examples + SHINGLE_EXAMPLES * i, p->frequent[i].examples,
               sizeof p->frequent[i].examples);
    }
}

/* One piece of memory: the head, the passages, the frequent ones, the sources, the examples. */
static pocket_sources_found *write_found(const choice *c, const cover *own, const passages_found *p,
                                         uint32_t terms, const uint32_t *chosen,
                                         const uint32_t *added, uint32_t count) {
    uint32_t spans = 0, at = 0, all = 0;
    for (uint32_t i = 0; i < count; i++) spans += c->ends[chosen[i]] - spans_before(own, chosen[i]);
    pocket_sources_found *found = pocket_malloc(
        FOUND + spans * sizeof(pocket_passage) +
        p->frequent_count * sizeof(pocket_frequent_passage) + count * sizeof(pocket_source) +
        p->frequent_count * sizeof p->frequent->examples);
    if (!found) return NULL;
    pocket_passage *passages = (pocket_passage *)((uint8_t *)found + FOUND);
    pocket_frequent_passage *frequent = (pocket_frequent_passage *)(passages + spans);
    pocket_source *sources = (pocket_source *)(frequent + p->frequent_count);
    uint32_t *examples = (uint32_t *)(sources + count);
    write_frequent(p, frequent, examples);
    for (uint32_t i = 0; i < count; i++) {
        sources[i] = source_of(c, own, chosen[i], added[i], terms, at);
        for (uint32_t k = spans_before(own, chosen[i]); k < c->ends[chosen[i]]; k++)
            passages[at++] = written(&c->passages[k]);
    }
    /* Those that add too little, too. */
    for (uint32_t i = 0; i < c->count; i++)
        memset(own->covered + c->spans[i].first, 1, c->spans[i].last - c->spans[i].first);
    for (uint32_t i = 0; i < terms; i++) all += own->covered[i];
    *found = (pocket_sources_found){sources,  passages,          count, spans,        c->documents,
                                    terms,    share(all, terms), 0,     {0, 0, 0, 0}, frequent,
                                    examples, p->frequent_count};
    return found;
}

int choose_sources(passages_found *p, uint32_t terms, uint32_t most, meter *steps,
                   pocket_sources_found **found) {
    size_t n = p->count;
    choice c = {.count = 0};
    cover own = {0};
    uint8_t *memory = pocket_malloc(
        n * (2 * sizeof *p->passages + sizeof *own.heap + sizeof *c.spans + 4 * sizeof(uint32_t)) +
        terms);
    if (!memory) return 0;
    own.heap = (uint64_t *)memory;
    c.spans = (pocket_span *)(own.heap + n);
    c.passages = (found_passage *)(c.spans + n);
    found_passage *sorted = c.passages + n;
    c.ends = (uint32_t *)(sorted + n);
    own.others = c.ends + n;
    uint32_t *chosen = own.others + n, *added = chosen + n;
    own.covered = (uint8_t *)(added + n);
    memset(own.covered, 0, terms);
    if (sort_passages(p, sorted)) {
        join_all(&c, sorted, p->count, own.heap);
        own.spans = c.spans;
        own.ends = c.ends;
        own.count = c.documents;
        uint32_t least = terms < LEAST_TERMS ? terms : LEAST_TERMS;
        /* All of them, so that the coverage is that of all, whatever is listed. */
        uint32_t count = cover_best(&own, least, own.count, steps, chosen, added);
        if (!steps->ended)
            *found = write_found(&c, &own, p, terms, chosen, added, count < most ? count : most);
    }
    pocket_free(memory);
    return *found != NULL;
}

/* ======== claims.c ======== */
/* Documents that may have units of a segment, kept, and aligned by their texts. */


#define ENOUGH_WHOLES 100u /* documents that have all of a text of one sentence */
#define MANY_TERMS \
    65536u /* in a document of more the frequent words of a unit are not looked for */

/* Make room for a claim more, and for twice as many numbers to order them by. */
static int make_claims_room(trace *t) {
    uint32_t room = t->claim_room, wanted = t->claim_count + 1;
    if (wanted <= room) return 1;
    claim *claims = array_grow(t->claims, &t->claim_room, t->claim_count, wanted, sizeof *claims);
    if (!claims) return 0;
    t->claims = claims;
    pocket_free(t->order);
    t->order = pocket_malloc(2 * (size_t)t->claim_room * sizeof *t->order);
    if (!t->order) t->claim_room = t->claim_count = 0;
    return t->order != NULL;
}

void add_claim(trace *t, const claim *c) {
    if (t->claim_count == MOST_CLAIMS)
        t->capped = 1;
    else if (!make_claims_room(t))
        t->exhausted = 1;
    else
        t->claims[t->claim_count++] = *c;
}

/* Which words a window for a unit is looked for by: all of them, the frequent ones of the document
 * aside where there are others. */
static uint32_t words_of(const trace *t, const unit *u, uint32_t *words) {
    const segment *s = t->segment;
    uint32_t count = 0, most = t->document.count > MANY_TERMS ? WINDOW_WORDS : MOST_PLACED;
    for (uint32_t i = u->first; i < u->last; i++) {
        uint32_t id = s->ids[i], k;
        if (!t->document.times[id]) continue;
        for (k = 0; k < count && words[k] != id; k++) {
        }
        if (k < count) continue;
        if (count == most && s->terms[id].idf <= s->terms[words[count - 1]].idf) continue;
        if (count < most) count++;
        for (k = count - 1; k > 0 && s->terms[words[k - 1]].idf < s->terms[id].idf; k--)
            words[k] = words[k - 1];
        words[k] = id;
    }
    return count;
}

void place_alignment(const trace *t, alignment *a) {
    if (a->same) {
        a->own_start = t->document.starts[a->own_first];
        a->own_end = t->document.ends[a->own_last - 1];
    }
    if (a->bag_last) {
        a->bag_start = t->document.starts[a->bag_first];
        a->bag_end = t->document.ends[a->bag_last - 1];
    }
}

uint32_t align_unit(trace *t, const unit *u, alignment *a) {
    uint32_t words[MOST_PLACED];
    if (interrupted(t->steps, (u->last - u->first) * 4)) return POCKET_INTERRUPTED;
    if (!align(&t->document, t->segment, u, words, words_of(t, u, words), a))
        return POCKET_NO_MEMORY;
    place_alignment(t, a);
    return POCKET_OK;
}

uint32_t align_claim(trace *t, claim *c) {
    return align_unit(t, &t->segment->units[c->candidate.unit], &c->alignment);
}

uint32_t read_document(trace *t, uint32_t document) {
    const uint8_t *bytes;
    uint32_t length, status = text_reader_get(&t->reader, document, &bytes, &length, t->error);
    t->document.count = 0;
    if (status == POCKET_NOT_AT_HAND) {
        t->missed = 1;
        return POCKET_OK;
    }
    if (status) return status;
    if (!document_terms_read(&t->document, bytes, length))
        return t->steps->ended ? POCKET_INTERRUPTED : POCKET_NO_MEMORY;
    document_terms_find(&t->document, t->segment);
    return POCKET_OK;
}

uint32_t align_claims(trace *t) {
    uint32_t n = t->claim_count, status = POCKET_OK, wholes = 0, at_hand = UINT32_MAX;
    if (n == 0) return POCKET_OK;
    for (uint32_t i = 0; i < n; i++)
        t->order[i] = (uint64_t)t->claims[i].candidate.document << 32 | i;
    radix_sort64(t->order, t->order + t->claim_room, n, 32, 64);
    for (uint32_t i = 0; i < n && !status; i++) {
        claim *c = &t->claims[(uint32_t)t->order[i]];
        int alone = unit_is_alone(t->segment, &t->segment->units[c->candidate.unit]);
        if (alone && wholes == ENOUGH_WHOLES) {
            t->capped = 1;
            continue;
        }
        if (c->candidate.document != at_hand)
            status = read_document(t, at_hand = c->candidate.document);
        if (!status && t->document.count) status = align_claim(t, c);
        wholes += alone && c->alignment.whole;
    }
    return status;
}

/* ======== cover.c ======== */


uint32_t spans_size(const cover *c, uint32_t candidate, int all) {
    uint32_t sum = 0;
    for (uint32_t i = spans_before(c, candidate); i < c->ends[candidate]; i++)
        for (uint32_t t = c->spans[i].first; t < c->spans[i].last; t++)
            if (all || !c->covered[t]) sum += c->sizes ? c->sizes[t] : 1;
    return sum;
}

static void cover_spans(cover *c, uint32_t candidate) {
    for (uint32_t i = spans_before(c, candidate); i < c->ends[candidate]; i++)
        memset(c->covered + c->spans[i].first, 1, c->spans[i].last - c->spans[i].first);
}

/* What a candidate adds falls while others are taken and never rises, so the one on top is the best
 * as soon as its own number is up to date. Those that add too little are put behind the heap, and
 * come after all others, by what they have: of two documents that have the same passage both are
 * named. */
uint32_t cover_best(cover *c, uint32_t least, uint32_t most, meter *steps, uint32_t *order,
                    uint32_t *added) {
    uint32_t size = c->count, taken = 0, others = 0;
    for (uint32_t i = 0; i < size; i++)
        c->heap[i] = (uint64_t)spans_size(c, i, 1) << 32 | (UINT32_MAX - i);
    heap64(c->heap, size);
    while (size && taken < most) {
        uint32_t which = UINT32_MAX - (uint32_t)c->heap[0];
        uint32_t now = spans_size(c, which, 0), before = (uint32_t)(c->heap[0] >> 32);
        if (interrupted(steps, steps_of(16 * (uint64_t)before))) return 0;
        if (now == before && now >= least) {
            cover_spans(c, which);
            order[taken] = which;
            added[taken++] = now;
        }
        if (now < least) c->others[others++] = which;
        if (now == before || now < least)
            c->heap[0] = c->heap[--size];
        else
            c->heap[0] = (uint64_t)now << 32 | (UINT32_MAX - which);
        if (size) sift64(c->heap, 0, size);
    }
    for (uint32_t i = 0; i < others; i++)
        c->heap[i] = (uint64_t)(UINT32_MAX - spans_size(c, c->others[i], 1)) << 32 | c->others[i];
    if (taken < most) sort64(c->heap, others);
    for (uint32_t i = 0; i < others && taken < most; i++) {
        order[taken] = (uint32_t)c->heap[i];
        added[taken++] = 0;
    }
    return taken;
}

/* ======== explain.c ======== */
/* Looking at sketches: a text's, and a stored document's. */

pocket_status pocket_sketch(const pocket_index *x, const uint8_t *text, uint64_t length,
                            uint8_t *digits, uint32_t *weights, uint64_t *keys,
                            pocket_report *report) {
    const profile *p = &x->profile;
    uint32_t count = p->component_count;
    sketch s;
    meter steps = meter_of(x);
    if (!sketch_alloc(&s, p, 1)) return POCKET_NO_MEMORY;
    s.meter = &steps;
    uint32_t status = sketch_text(p, text, length, &s);
    for (uint32_t t = 0; !status && keys && t < p->tables; t++)
        keys[t] = sub_key_of_digits(p, t, s.digits);
    if (!status && digits) memcpy(digits, s.digits, count);
    if (!status && weights) memcpy(weights, s.weights, count * sizeof *weights);
    if (report) *report = (pocket_report){s.terms, 0, 0, 0, 0};
    sketch_free(&s);
    return status;
}

pocket_status pocket_classes(const pocket_index *x, const uint8_t *text, uint64_t length,
                             pocket_class *classes, uint64_t *count) {
    const profile *p = &x->profile;
    uint64_t room = *count;
    term_stream terms;
    if (length > MOST_TEXT) return POCKET_TEXT_TOO_LONG;
    meter steps = meter_of(x);
    term_stream_begin(&terms, text, length, p->stream);
    terms.meter = &steps;
    for (*count = 0; term_stream_next(&terms); ++*count)
        if (*count < room) classes[*count] = p->scheme->classify(p, &terms);
    return steps.ended ? POCKET_INTERRUPTED : POCKET_OK;
}

pocket_status pocket_influences(const pocket_index *x, const pocket_class *term,
                                int32_t *influences) {
    const profile *p = &x->profile;
    if (term->number < 0 || (uint32_t)term->number >= p->scheme->classes(p))
        return POCKET_BAD_ARGUMENT;
    for (uint32_t j = 0; j < p->component_count; j++)
        influences[j] = p->scheme->influence(p, term, j);
    return POCKET_OK;
}

struct stored {
    const pocket_index *index;
    uint32_t document;
    uint8_t *digits;
    pocket_error *error;
};

static uint32_t stored_work(void *argument) {
    struct stored *a = argument;
    const profile *p = &a->index->profile;
    packed_sketch stored;
    uint8_t room[MOST_SKETCH_BYTES];
    uint32_t status = sketch_get(a->index, a->document, &stored, a->error);
    if (status ||
        sketch_unpack(p, sketch_whole(p, stored, room), 0, p->component_count, 0, a->digits))
        return status;
    return fail(a->error, POCKET_DAMAGED_FIELD, POCKET_SKETCHES,
                a->document / a->index->block_documents, "digit", 0, 0);
}

pocket_status pocket_digits(const pocket_index *x, uint32_t document, uint8_t *digits,
                            pocket_error *error) {
    clear(error);
    if (document >= x->documents)
        return no_document(error, POCKET_SKETCHES, x->documents, document);
    if (document >= x->sketched)
        return fail(error, POCKET_TEXT_TOO_SHORT, POCKET_SKETCHES, -1, "document", x->sketched,
                    document);
    return fail_as(error, guarded(x, stored_work, &(struct stored){x, document, digits, error}));
}

/* ======== find_words.c ======== */
/* Asked words to words of the file. */

/* ======== word_search.h ======== */
/* A search on its way (docs/format.md, section 10). */
#ifndef POCKET_WORD_SEARCH_H
#define POCKET_WORD_SEARCH_H


/* ======== tally.h ======== */
/* Documents and what their words add up to: an array of all documents, or where few have the words
 * a table of those. */
#ifndef POCKET_TALLY_H
#define POCKET_TALLY_H

#include <stdint.h>

/* A sum: how many words in the bits from 24 on, and the score below them. 64 words of the highest
 * level, that one of 2^32 documents has, are less than 2^24. */
#define TALLY_WORD (1u << 24)
#define TALLY_EXCLUDED (1u << 31)

typedef struct tally {
    uint32_t *sums;      /* size of them */
    uint32_t *documents; /* of each sum 1 + its document, or 0; NULL: sum i is that of document i */
    uint64_t size;
    uint32_t shift;
} tally;

/* Room for postings of so many documents, each of which has at most so many postings in all. 0 when
 * there is no memory. */
static int tally_alloc(tally *t, uint32_t documents, uint64_t postings);
static void tally_free(tally *t);
/* Add the same to each of count documents. */
static void tally_add(tally *t, const uint32_t *documents, uint32_t count, uint32_t sum);
/* Mark those of count documents that have a sum. */
static void tally_exclude(tally *t, const uint32_t *documents, uint32_t count);
/* The sum of a document that has one. */
static uint32_t tally_sum(const tally *t, uint32_t document);
/* The document of sum i. */
static inline uint32_t tally_document(const tally *t, uint64_t i) {
    return t->documents ? t->documents[i] - 1 : (uint32_t)i;
}

#endif

#define MOST_HITS 1000u
#define MOST_TEXTS 1024u /* that are looked into for quotes, and titles for words */
#define MOST_TEXTS_COLD 64u
#define MOST_NEIGHBOURS_COLD 8u /* that are looked into for two words side by side */
#define MOST_GOING_ON 3u        /* blocks in which a word goes on that a first answer reads */

/* A word of the file that an asked one is, or that begins with it. */
typedef struct found_word {
    word_list list;
    uint32_t asked;
} found_word;

#define MOST_REPLACED 4u

/* What is asked instead of some bytes of the text, as POCKET_REPLACED.. says. */
typedef struct replacement {
    uint64_t start, end;
    uint8_t bytes[TERM_BYTES + 1];
    uint32_t length, how;
} replacement;

typedef struct word_search {
    const pocket_index *index;
    const uint8_t *text;
    uint64_t length;
    pocket_search_options options;
    asked_words asked;
    found_word *found;
    uint32_t found_count, found_room;
    uint64_t documents[MOST_ASKED]; /* that have an asked word */
    uint8_t partial[MOST_ASKED];
    tally tally;
    uint8_t *levels; /* of the documents that have a beginning: 1 + the highest, or 0 */
    uint64_t *best;  /* a heap of the complements of hits, the worst on top */
    uint32_t best_count, room;
    uint32_t wanted; /* asked words that some document has */
    uint32_t all, any;
    replacement replacements[MOST_REPLACED];
    uint32_t replaced;
    uint8_t *other_text; /* that is asked instead; NULL: none is */
    /* Are two words, the bytes up to `at` and those behind, neighbours in a title or a kept text?
     */
    uint32_t (*neighbours)(struct word_search *s, const uint8_t *bytes, uint32_t at,
                           uint32_t length, int *found);
    int nested; /* only whether a document has a quote */
    int capped, missed;
    int pieces; /* `all` counts documents that have the pieces of a run */
    meter steps;
    pocket_error *error;
} word_search;

/* Find the asked words in the file. */
static uint32_t find_words(word_search *s);
/* Find what is asked instead of words that no document has. */
static uint32_t find_replacements(word_search *s);
/* Add up what their documents have, and choose the best. */
static uint32_t rank_words(word_search *s);
/* Of the hits, which are in order, those that have the quotes, and the words in their titles, as
 * far as that is asked for; as many as are wanted. */
static uint32_t choose_hits(word_search *s, pocket_word_hit *hits, uint32_t *count);

/* A block that is not at hand ends the search after the stage, any other failure at once. */
static inline uint32_t search_unless_missed(word_search *s, uint32_t status) {
    if (status != POCKET_NOT_AT_HAND) return status;
    s->missed = 1;
    return POCKET_OK;
}

#endif

#define MOST_BEGUN 4096u /* words that begin with an asked one */
#define MOST_BEGUN_COLD 256u

static uint32_t add_found_word(word_search *s, const word_list *list, uint32_t asked) {
    found_word *found =
        array_grow(s->found, &s->found_room, s->found_count, s->found_count + 1, sizeof *found);
    if (!found) return fail(s->error, POCKET_NO_MEMORY, POCKET_WORDS, -1, NULL, 0, 0);
    s->found = found;
    s->found[s->found_count++] = (found_word){*list, asked};
    return POCKET_OK;
}

static uint32_t find_word(word_search *s, uint32_t i) {
    const asked_word *word = &s->asked.words[i];
    words_block b;
    word_list list;
    int found;
    uint32_t status = words_find(&b, s->index, word->bytes, word->length, &found, s->error);
    if (status || !found || (status = word_list_open(&list, &b)) || !list.total) return status;
    s->documents[i] = list.documents;
    return add_found_word(s, &list, i);
}

static uint32_t find_beginnings(word_search *s, uint32_t i) {
    const asked_word *word = &s->asked.words[i];
    words_block b;
    word_list list;
    int found;
    uint32_t most = s->options.cold ? MOST_BEGUN_COLD : MOST_BEGUN,
             status = words_seek(&b, s->index, word->bytes, word->length, &found, s->error);
    for (uint32_t k = 0; !status && found && asked_word_is(word, b.word, b.word_length); k++) {
        if (k == most) {
            s->capped = 1;
            break;
        }
        if (interrupted(&s->steps, 8)) return POCKET_INTERRUPTED;
        if ((status = word_list_open(&list, &b))) return status;
        s->documents[i] += list.documents;
        if (list.total && (status = add_found_word(s, &list, i))) return status;
        status = words_next(&b, &found);
    }
    if (s->documents[i] > s->index->documents) s->documents[i] = s->index->documents;
    return status;
}

uint32_t find_words(word_search *s) {
    uint32_t status = POCKET_OK;
    for (uint32_t i = 0; i < s->asked.count && !status; i++) {
        const asked_word *word = &s->asked.words[i];
        status = search_unless_missed(s, word->prefix ? find_beginnings(s, i) : find_word(s, i));
        if (word->role == WORD_WANTED && s->documents[i]) s->wanted++;
    }
    return status;
}

/* ======== frequent_passages.c ======== */
/* Frequent shingles that stand close together -> stretches of the text -> documents that have a
 * whole stretch, by the examples of its shingles and, where texts are kept, by what these say. */

/* ======== frequent_passages.h ======== */
/* Pieces of the asked text that very many documents have (docs/format.md, section 9). */
#ifndef POCKET_FREQUENT_PASSAGES_H
#define POCKET_FREQUENT_PASSAGES_H


/* Add those of the segment that none of the passages found from number before on explains, as far
 * as few documents have these. */
static uint32_t find_frequent_passages(trace *t, uint32_t before);

#endif


#define LEAST_FREQUENT 9u /* terms of a passage */
#define MOST_VOTED 16u    /* examples that are compared */
#define MOST_READ 64u     /* stretches of a segment whose examples are looked into */

/* An example, and how many shingles of the stretch have it that do not overlap; of one that the
 * text repeats, the first. */
typedef struct vote {
    uint64_t first; /* hash */
    uint32_t document, count, free;
} vote;

/* Terms first .. last - 1 of the segment. documents: the least of its shingles. */
typedef struct frequent_stretch {
    uint32_t first, last, documents, vote_count;
    vote votes[MOST_VOTED];
} frequent_stretch;

/* ---- stretches ---- */

/* Mark what documents have that few others are like. */
static void mark_explained(trace *t, uint32_t before) {
    const segment *s = t->segment;
    memset(t->explained, 0, s->count * sizeof *t->explained);
    for (uint32_t i = before; i < t->found->count; i++) {
        const found_passage *p = &t->found->passages[i];
        if (p->documents > OTHERS) continue;
        for (uint32_t k = p->first; k < p->last; k++) t->explained[k - s->base] = p->document + 1;
    }
}

static int is_at(const trace *t, uint32_t place) {
    uint32_t end = place + t->index->shingle_terms;
    if (!t->shingles.frequent[place].documents) return 0;
    return !t->explained[place] || !t->explained[end - 1];
}

static void add_vote(frequent_stretch *s, uint32_t document, uint64_t hash, uint32_t place,
                     uint32_t size) {
    uint32_t k = 0;
    while (k < s->vote_count && s->votes[k].document != document) k++;
    if (k == MOST_VOTED) return;
    if (k == s->vote_count) s->votes[s->vote_count++] = (vote){hash, document, 0, 0};
    if (place < s->votes[k].free || (s->votes[k].count && hash == s->votes[k].first)) return;
    s->votes[k].count++;
    s->votes[k].free = place + size;
}

/* Does a shingle have an example that the stretch has? */
static int is_shared(const frequent_stretch *s, const frequent_shingle *own) {
    for (uint32_t i = 0; i < own->example_count; i++)
        for (uint32_t k = 0; k < s->vote_count; k++)
            if (s->votes[k].document == own->examples[i]) return 1;
    return 0;
}

/* The next stretch from place on: winnowing keeps one shingle at least of each window, so those of
 * one passage are no further apart; two that follow each other by chance have other examples. 0 at
 * the end. */
static int next_stretch(const trace *t, uint32_t place, frequent_stretch *s) {
    uint32_t size = t->index->shingle_terms, end = t->segment->count + 1;
    if (end <= size) return 0;
    end -= size;
    while (place < end && !is_at(t, place)) place++;
    if (place >= end) return 0;
    *s = (frequent_stretch){.first = place, .last = place, .documents = UINT32_MAX};
    for (; place < end && place <= s->last + t->index->shingle_window; place++) {
        const frequent_shingle *own = &t->shingles.frequent[place];
        if (!is_at(t, place)) continue;
        if (place >= s->last + size && !is_shared(s, own)) break;
        s->last = place;
        if (own->documents < s->documents) s->documents = own->documents;
        for (uint32_t k = 0; k < own->example_count; k++)
            add_vote(s, own->examples[k], t->shingles.hashes[place], place, size);
    }
    s->last += size;
    return 1;
}

/* ---- examples ---- */

/* Those that most shingles have first, then the lower number. */
static void sort_votes(frequent_stretch *s) {
    for (uint32_t i = 1; i < s->vote_count; i++) {
        vote own = s->votes[i];
        uint32_t k = i;
        for (; k > 0 &&
               (own.count > s->votes[k - 1].count ||
                (own.count == s->votes[k - 1].count && own.document < s->votes[k - 1].document));
             k--)
            s->votes[k] = s->votes[k - 1];
        s->votes[k] = own;
    }
}

/* Does the document that was read have a stretch? Piece by piece, as units are aligned. */
static uint32_t has_stretch(trace *t, const frequent_stretch *s, int *has) {
    *has = t->document.count > 0;
    for (uint32_t first = s->first, last; first < s->last && *has; first = last) {
        alignment found;
        last = s->last - first < 2 * WINDOW_TERMS ? s->last : first + WINDOW_TERMS;
        if (s->last - first > WINDOW_TERMS && last == s->last) last = first + (s->last - first) / 2;
        unit own = {first, last, WINDOW};
        uint32_t status = align_unit(t, &own, &found);
        if (status) return status;
        *has = is_taken(t->segment, &own, &found, 0, 0) == IN_ORDER;
    }
    return POCKET_OK;
}

/* Keep those of the first examples that have the whole stretch: by their texts, or without these by
 * two shingles. */
static uint32_t choose_examples(trace *t, const frequent_stretch *s, frequent_found *f) {
    pocket_frequent_passage *p = &f->passage;
    for (uint32_t i = 0; i < s->vote_count && i < SHINGLE_EXAMPLES; i++) {
        int has = s->votes[i].count > 1;
        if (p->verified && has) {
            uint32_t status = read_document(t, s->votes[i].document);
            if (!status) status = has_stretch(t, s, &has);
            if (status) return status;
        }
        if (has) f->examples[p->example_count++] = s->votes[i].document;
    }
    return POCKET_OK;
}

static int add_frequent_passage(passages_found *f, const frequent_found *own) {
    frequent_found *frequent = array_grow(f->frequent, &f->frequent_room, f->frequent_count,
                                          f->frequent_count + 1, sizeof *frequent);
    if (!frequent) return 0;
    f->frequent = frequent;
    f->frequent[f->frequent_count++] = *own;
    return 1;
}

static uint32_t look_all_terms(void *argument) {
    trace *t = argument;
    uint32_t status = POCKET_OK;
    for (uint32_t i = 0; i < t->segment->term_count && !status; i++)
        status = term_look(&t->words, i);
    return status;
}

uint32_t find_frequent_passages(trace *t, uint32_t before) {
    const segment *s = t->segment;
    frequent_stretch own = {.last = 0};
    uint32_t read = 0;
    if (!t->shingles.memory) return POCKET_OK;
    mark_explained(t, before);
    while (next_stretch(t, own.last, &own)) {
        uint32_t status;
        if (interrupted(t->steps, own.last - own.first)) return POCKET_INTERRUPTED;
        if (own.last - own.first < LEAST_FREQUENT) continue;
        if (t->with_texts && read == 0 && (status = guarded(t->index, look_all_terms, t)))
            return status;
        sort_votes(&own);
        frequent_found found = {.passage = {.start = s->starts[own.first],
                                            .end = s->ends[own.last - 1],
                                            .first = (uint32_t)s->base + own.first,
                                            .last = (uint32_t)s->base + own.last,
                                            .documents = own.documents,
                                            .verified = t->with_texts && read < MOST_READ}};
        read++;
        if ((status = choose_examples(t, &own, &found))) return status;
        if (found.passage.example_count && !add_frequent_passage(t->found, &found))
            return POCKET_NO_MEMORY;
    }
    return POCKET_OK;
}

/* ======== given.c ======== */
/* Texts looked for in documents that are given one after the other (docs/format.md, section 9): the
 * texts' rarest words are in a table, and each document is aligned with the units of which it has
 * enough of them. */

/* ======== query.h ======== */
/* How a query is answered where nobody says it, and options of every kind of question. */
#ifndef POCKET_QUERY_H
#define POCKET_QUERY_H


/* Is a text compared with every sketch where nobody says how to ask? */
static int scans_by_default(const pocket_index *index);

/* Is all that the caller's options have beyond those of this version zero? given begins with its
 * size, own is that of this version. */
static int options_fit(const void *given, uint32_t own);

/* Fail with options that do not fit. */
static uint32_t fail_options(pocket_error *error, const void *given, uint32_t own);

#endif

#define MOST_GIVEN_TEXTS 16777216u
#define CLAIMS_KEPT 32u /* of a unit, those of most share */

/* A word of a unit. */
typedef struct given_word {
    uint64_t hash;
    uint32_t unit, bit;
} given_word;

/* A unit of a text. claims: 1 + the number of its first one, or 0. */
typedef struct given_unit {
    uint32_t text, segment, number; /* number: among the units of its segment */
    uint32_t kind;                  /* of the unit */
    uint32_t words, rare;           /* how many, and how many of them make candidates */
    uint32_t whole;                 /* their idf */
    uint32_t claims, claim_count;
    int claims_left_out;
    uint32_t mask, mass; /* of the document at hand */
} given_unit;

typedef struct given_claim {
    claim claim;
    uint32_t next; /* 1 + its number, or 0 */
} given_claim;

/* What is known of a distinct term of all texts. */
typedef struct known_term {
    uint64_t hash; /* 0: a free place */
    uint64_t documents;
    uint32_t idf, first, count; /* first: of its words, when these are sorted */
} known_term;

struct pocket_given {
    trace trace;
    meter steps;
    passages_found found;
    uint8_t **texts;
    uint64_t *lengths;
    uint32_t text_count;
    given_word *words;
    given_unit *units;
    uint32_t *text_units; /* of each text its first unit; text_count + 1 */
    uint32_t word_count, word_room, unit_count, unit_room;
    known_term *known;
    uint32_t known_size, known_count;
    given_claim *claims;
    uint32_t claim_count, claim_room;
    uint64_t noted;    /* how many times a claim was kept */
    uint64_t *touched; /* units that the document at hand has words of */
    uint32_t touched_count;
    uint32_t *hits, hit_room; /* places in known */
    uint32_t text, segment;   /* the segment that is read, segment 0 is the first */
    segment_reader reader;
};

/* ---- terms ---- */

static known_term *known_place(const pocket_given *g, uint64_t hash) {
    uint32_t i = (uint32_t)hash & (g->known_size - 1);
    hash |= hash == 0;
    while (g->known[i].hash && g->known[i].hash != hash) i = (i + 1) & (g->known_size - 1);
    return &g->known[i];
}

static int grow_known(pocket_given *g) {
    uint32_t before = g->known_size, size = before ? 2 * before : 4096;
    known_term *old = g->known;
    g->known = pocket_malloc(size * sizeof *g->known);
    if (!g->known) {
        g->known = old;
        return 0;
    }
    memset(g->known, 0, size * sizeof *g->known);
    g->known_size = size;
    for (uint32_t i = 0; i < before; i++)
        if (old[i].hash) *known_place(g, old[i].hash) = old[i];
    pocket_free(old);
    return 1;
}

/* Terms that are known need no look-up in the file. */
static uint32_t know_terms(pocket_given *g) {
    segment *s = g->trace.segment;
    uint32_t status = POCKET_OK;
    for (uint32_t i = 0; i < s->term_count && !status; i++) {
        if (2 * g->known_count >= g->known_size && !grow_known(g)) return POCKET_NO_MEMORY;
        segment_term *term = &s->terms[i];
        known_term *own = known_place(g, term->hash);
        if (!own->hash) {
            status = term_look(&g->trace.words, i);
            *own = (known_term){term->hash | (term->hash == 0), term->documents, term->idf, 0, 0};
            g->known_count++;
        }
        term->documents = own->documents;
        term->idf = own->idf;
        term->looked = 1;
    }
    return status;
}

static uint32_t know_terms_guarded(void *argument) { return know_terms(argument); }

/* ---- the texts ---- */

/* Go to a segment of a text. */
static uint32_t read_segment(pocket_given *g, uint32_t text, uint32_t segment) {
    trace *t = &g->trace;
    if (g->text == text && g->segment == segment) return POCKET_OK;
    if (g->text != text || g->segment > segment) {
        segment_reader_begin(&g->reader, g->texts[text], g->lengths[text], &g->steps);
        g->text = text;
        g->segment = UINT32_MAX;
        t->words.text = g->texts[text];
    }
    do {
        g->segment++;
        int read = segment_read(&g->reader, t->segment);
        if (!read || g->steps.ended) {
            g->text = UINT32_MAX;
            return g->steps.ended ? POCKET_INTERRUPTED : POCKET_NOT_FOUND;
        }
    } while (g->segment != segment);
    word_candidates_begin(&t->words, t->segment);
    return guarded(t->index, know_terms_guarded, g);
}

static uint32_t add_unit(pocket_given *g, uint32_t number) {
    const trace *t = &g->trace;
    const segment *s = t->segment;
    uint32_t status = choose_words(&g->trace.words, &s->units[number]);
    if (status) return status;
    given_unit *units =
        array_grow(g->units, &g->unit_room, g->unit_count, g->unit_count + 1, sizeof *units);
    if (!units) return POCKET_NO_MEMORY;
    g->units = units;
    uint32_t words = t->words.word_count > LEAST_ASKED ? t->words.word_count : LEAST_ASKED;
    if (words > t->words.spare_count) words = t->words.spare_count;
    given_unit *u = &g->units[g->unit_count];
    *u = (given_unit){.text = g->text,
                      .segment = g->segment,
                      .number = number,
                      .kind = s->units[number].kind,
                      .words = words,
                      .rare = t->words.word_count};
    for (uint32_t k = 0; k < words; k++) {
        const segment_term *term = &s->terms[t->words.words[k]];
        given_word *own =
            array_grow(g->words, &g->word_room, g->word_count, g->word_count + 1, sizeof *own);
        if (!own) return POCKET_NO_MEMORY;
        g->words = own;
        g->words[g->word_count++] = (given_word){term->hash | (term->hash == 0), g->unit_count, k};
        u->whole += term->idf;
    }
    g->unit_count++;
    return POCKET_OK;
}

static uint32_t add_text(pocket_given *g, uint32_t text) {
    uint32_t status = POCKET_OK;
    for (uint32_t segment = 0; !status; segment++) {
        status = read_segment(g, text, segment);
        for (uint32_t i = 0; !status && i < g->trace.segment->unit_count; i++)
            status = add_unit(g, i);
    }
    return status == POCKET_NOT_FOUND ? (uint32_t)POCKET_OK : status;
}

/* The words by their hashes, so that those of a term stand together. */
static uint32_t sort_words(pocket_given *g) {
    uint32_t n = g->word_count;
    uint64_t *order = pocket_malloc(2 * ((size_t)n + 1) * sizeof *order);
    given_word *sorted = pocket_malloc(((size_t)n + 1) * sizeof *sorted);
    if (!order || !sorted) {
        pocket_free(order);
        pocket_free(sorted);
        return POCKET_NO_MEMORY;
    }
    for (uint32_t i = 0; i < n; i++)
        order[i] = (uint64_t)(known_place(g, g->words[i].hash) - g->known) << 32 | i;
    radix_sort64(order, order + n, n, 32, 64);
    for (uint32_t i = 0; i < n; i++) {
        known_term *own = &g->known[order[i] >> 32];
        sorted[i] = g->words[(uint32_t)order[i]];
        if (!own->count++) own->first = i;
    }
    pocket_free(g->words);
    pocket_free(order);
    g->words = sorted;
    g->word_room = n + 1;
    return POCKET_OK;
}

static uint32_t add_texts(pocket_given *g, const uint8_t *const *texts, const uint64_t *lengths) {
    uint32_t status = POCKET_OK;
    for (uint32_t i = 0; i < g->text_count && !status; i++) {
        if (lengths[i] > MOST_TEXT) return text_too_long(g->trace.error, lengths[i]);
        g->texts[i] = pocket_malloc((size_t)lengths[i]);
        if (!g->texts[i]) return POCKET_NO_MEMORY;
        if (lengths[i]) memcpy(g->texts[i], texts[i], (size_t)lengths[i]);
        g->lengths[i] = lengths[i];
        g->text_units[i] = g->unit_count;
        status = add_text(g, i);
    }
    g->text_units[g->text_count] = g->unit_count;
    if (status) return status;
    g->touched = pocket_malloc(((size_t)g->unit_count + 1) * sizeof *g->touched);
    return g->touched ? sort_words(g) : POCKET_NO_MEMORY;
}

/* ---- documents ---- */

/* Add up what the document has of the units: of their rare words first. */
static void touch_units(pocket_given *g, const known_term *own, int rare) {
    for (uint32_t i = own->first; i < own->first + own->count; i++) {
        const given_word *w = &g->words[i];
        given_unit *u = &g->units[w->unit];
        if (rare != (w->bit < u->rare) || u->mask >> w->bit & 1 || (!rare && !u->mask)) continue;
        if (!u->mask) g->touched[g->touched_count++] = w->unit;
        u->mask |= 1u << w->bit;
        u->mass += own->idf;
    }
}

static uint32_t find_units(pocket_given *g) {
    const document_terms *d = &g->trace.document;
    uint32_t hits = 0;
    g->touched_count = 0;
    for (uint32_t i = 0; i < d->count; i++) {
        const known_term *own = known_place(g, d->hashes[i]);
        if (!own->hash || !own->count) continue;
        uint32_t *grown = array_grow(g->hits, &g->hit_room, hits, hits + 1, sizeof *grown);
        if (!grown) return POCKET_NO_MEMORY;
        g->hits = grown;
        g->hits[hits++] = (uint32_t)(own - g->known);
        touch_units(g, own, 1);
    }
    for (uint32_t i = 0; i < hits; i++) touch_units(g, &g->known[g->hits[i]], 0);
    return interrupted(&g->steps, hits / 2 + 1);
}

static uint32_t kept_share(const given_unit *u, const claim *c) {
    return u->kind == STRETCH ? c->alignment.bag : c->alignment.share;
}

/* Keep a claim, or of too many those of most share, of equal ones the first. */
static uint32_t keep_claim(pocket_given *g, given_unit *u, const claim *c) {
    if (u->claim_count == CLAIMS_KEPT) {
        claim *least = &g->claims[u->claims - 1].claim;
        for (uint32_t i = u->claims; i; i = g->claims[i - 1].next)
            if (kept_share(u, &g->claims[i - 1].claim) < kept_share(u, least))
                least = &g->claims[i - 1].claim;
        u->claims_left_out = 1;
        if (kept_share(u, least) >= kept_share(u, c)) return POCKET_OK;
        *least = *c;
        g->noted++;
        return POCKET_OK;
    }
    given_claim *claims =
        array_grow(g->claims, &g->claim_room, g->claim_count, g->claim_count + 1, sizeof *claims);
    if (!claims) return POCKET_NO_MEMORY;
    g->claims = claims;
    g->claims[g->claim_count++] = (given_claim){*c, u->claims};
    u->claims = g->claim_count;
    u->claim_count++;
    g->noted++;
    return POCKET_OK;
}

/* The words that a unit is asked by, for is_worth_reading. */
static void restore_words(pocket_given *g, const given_unit *u) {
    word_candidates *w = &g->trace.words;
    choose_words(w, &g->trace.segment->units[u->number]);
    w->word_count = u->words;
}

static uint32_t look_at_unit(pocket_given *g, uint32_t number, uint32_t document, int *read) {
    given_unit *u = &g->units[number];
    trace *t = &g->trace;
    candidate own = {document, u->number, (uint32_t)(1024ull * u->mass / (u->whole ? u->whole : 1)),
                     4, u->mask};
    if (!has_enough(u->kind, own.share)) return POCKET_OK;
    if (!*read || g->text != u->text || g->segment != u->segment) {
        uint32_t status = read_segment(g, u->text, u->segment);
        if (status) return status;
        document_terms_find(&t->document, t->segment);
        *read = 1;
    }
    restore_words(g, u);
    if (!is_worth_reading(&t->words, &own)) return POCKET_OK;
    claim c = {.candidate = own};
    uint32_t status = align_claim(t, &c);
    return status || !(c.alignment.same | c.alignment.bag) ? status : keep_claim(g, u, &c);
}

static uint32_t look(pocket_given *g, uint32_t document, const uint8_t *text, uint64_t length) {
    trace *t = &g->trace;
    int read = 0;
    if (!document_terms_read(&t->document, text, length))
        return g->steps.ended ? POCKET_INTERRUPTED : POCKET_NO_MEMORY;
    uint32_t status = find_units(g);
    /* Units of one text beside each other. */
    sort64(g->touched, g->touched_count);
    for (uint32_t i = 0; i < g->touched_count; i++) {
        uint32_t number = (uint32_t)g->touched[i];
        given_unit *u = &g->units[number];
        if (!status) status = look_at_unit(g, number, document, &read);
        u->mask = u->mass = 0;
    }
    return status;
}

/* ---- what was found ---- */

static uint32_t judge_text(pocket_given *g, uint32_t text) {
    trace *t = &g->trace;
    uint32_t status = POCKET_OK, segment = UINT32_MAX;
    g->found.count = t->found_before = 0;
    t->claim_count = 0;
    t->capped = t->exhausted = 0;
    for (uint32_t i = g->text_units[text]; i < g->text_units[text + 1] && !status; i++) {
        const given_unit *u = &g->units[i];
        if (u->segment != segment) {
            status = judge_claims(t);
            t->found_before = g->found.count;
            if (!status) status = read_segment(g, text, u->segment);
            segment = u->segment;
        }
        t->capped |= u->claims_left_out;
        for (uint32_t k = u->claims; k && !status; k = g->claims[k - 1].next)
            add_claim(t, &g->claims[k - 1].claim);
    }
    if (!status && t->exhausted) status = POCKET_NO_MEMORY;
    return status ? status : judge_claims(t);
}

static uint32_t count_given_terms(pocket_given *g, uint32_t text, uint32_t *count) {
    term_stream t;
    *count = 0;
    term_stream_begin(&t, g->texts[text], g->lengths[text], STREAM_EVERY_WORD);
    t.meter = &g->steps;
    while (term_stream_next(&t)) ++*count;
    return g->steps.ended ? POCKET_INTERRUPTED : POCKET_OK;
}

/* A call begins: it may be ended, whatever became of the one before. */
static void begin_given(pocket_given *g, pocket_error *error) {
    g->steps = meter_of(g->trace.index);
    g->trace.error = g->trace.words.error = error;
    clear(error);
}

/* ---- the calls ---- */

pocket_status pocket_given_new(const pocket_index *x, const uint8_t *const *texts,
                               const uint64_t *lengths, uint32_t count, pocket_given **given,
                               pocket_error *error) {
    *given = NULL;
    clear(error);
    if (count > MOST_GIVEN_TEXTS)
        return allowing(error, "at most %",
                        fail(error, POCKET_BAD_ARGUMENT, 0, -1, "texts", MOST_GIVEN_TEXTS, count));
    pocket_given *g = pocket_malloc(sizeof *g);
    if (!g) return fail(error, POCKET_NO_MEMORY, 0, -1, NULL, 0, 0);
    memset(g, 0, sizeof *g);
    g->steps = meter_of(x);
    g->text = UINT32_MAX;
    g->text_count = count;
    g->texts = pocket_malloc(((size_t)count + 1) * sizeof *g->texts);
    g->lengths = pocket_malloc(((size_t)count + 1) * sizeof *g->lengths);
    g->text_units = pocket_malloc(((size_t)count + 1) * sizeof *g->text_units);
    trace *t = &g->trace;
    t->index = x;
    t->steps = &g->steps;
    t->error = error;
    t->with_texts = 1;
    t->found = &g->found;
    t->words.any_word = 1;
    uint32_t status = POCKET_NO_MEMORY;
    if (g->texts) memset(g->texts, 0, ((size_t)count + 1) * sizeof *g->texts);
    if (g->texts && g->lengths && g->text_units && trace_alloc(t) && grow_known(g))
        status = add_texts(g, texts, lengths);
    if (!status && t->words.missed) status = POCKET_NOT_AT_HAND;
    if (!status) {
        *given = g;
        return POCKET_OK;
    }
    pocket_given_free(g);
    return fail_as(error, status);
}

pocket_status pocket_given_look(pocket_given *g, uint32_t document, const uint8_t *text,
                                uint64_t length, pocket_error *error) {
    static const uint8_t none[1] = {0};
    begin_given(g, error);
    if (length > MOST_TEXT) return text_too_long(error, length);
    return fail_as(error, look(g, document, text ? text : none, length));
}

uint64_t pocket_given_noted(const pocket_given *g) { return g->noted; }

pocket_status pocket_given_found(pocket_given *g, uint32_t text,
                                 const pocket_sources_options *given, pocket_sources_found **found,
                                 pocket_error *error) {
    uint32_t terms;
    *found = NULL;
    begin_given(g, error);
    if (given && !options_fit(given, sizeof *given))
        return fail_options(error, given, sizeof *given);
    uint32_t most = given && given->most ? given->most : 10;
    if (most > MOST_SOURCES)
        return allowing(
            error, "0 .. %",
            fail(error, POCKET_BAD_ARGUMENT, 0, -1, "most sources", MOST_SOURCES, most));
    if (text >= g->text_count)
        return allowing(
            error, "less than %",
            fail(error, POCKET_BAD_ARGUMENT, 0, -1, "number of a text", g->text_count, text));
    uint32_t status = judge_text(g, text);
    if (!status) status = count_given_terms(g, text, &terms);
    if (!status && !choose_sources(&g->found, terms, most, &g->steps, found))
        status = g->steps.ended ? POCKET_INTERRUPTED : POCKET_NO_MEMORY;
    if (!status) (*found)->capped = (uint32_t)g->trace.capped;
    return fail_as(error, status);
}

void pocket_given_free(pocket_given *g) {
    if (!g) return;
    for (uint32_t i = 0; g->texts && i < g->text_count; i++) pocket_free(g->texts[i]);
    trace_free(&g->trace);
    pocket_free(g->texts);
    pocket_free(g->lengths);
    pocket_free(g->text_units);
    pocket_free(g->words);
    pocket_free(g->units);
    pocket_free(g->known);
    pocket_free(g->claims);
    pocket_free(g->touched);
    pocket_free(g->hits);
    pocket_free(g->found.passages);
    pocket_free(g);
}

/* ======== group.c ======== */
/* Hits grouped by their sketches (docs/format.md, section 10): the collisions of parts of sketches
 * say which documents are compared, so that the work grows with the hits alone (Stein & Potthast,
 * DIR 2007, section 4: grouping by hash collisions). */

#define GROUPED 6000u /* the similarity to a group's first document, in ten-thousandths */

typedef struct grouping {
    const pocket_index *index;
    const uint32_t *documents;
    uint32_t count, *groups;
    uint32_t bytes;  /* of a sketch */
    uint8_t *digits; /* of each document */
    uint32_t *heads; /* of each byte of a sketch and each value, 1 + the first document that began a
                        group and has it there, or 0 */
    uint32_t *nexts; /* of each document and byte, the next one so */
    uint32_t *looked; /* of each document, 1 + the one that it was last compared with */
    pocket_error *error;
} grouping;

static int is_similar(const grouping *g, uint32_t i, uint32_t j) {
    const profile *p = &g->index->profile;
    uint32_t components = p->component_count, equal = 0;
    const uint8_t *a = g->digits + (size_t)i * components, *b = g->digits + (size_t)j * components;
    for (uint32_t k = 0; k < components; k++) equal += a[k] == b[k];
    return similarity_of(p, (uint32_t)(((uint64_t)equal << 16) / components), 0) >= GROUPED;
}

/* The first group with a part of its sketch in common that document i is similar to, or its own. */
static uint32_t group_of(grouping *g, uint32_t i, const uint8_t *sketch) {
    uint32_t group = i;
    for (uint32_t k = 0; k < g->bytes; k++)
        for (uint32_t j = g->heads[256 * k + sketch[k]]; j;
             j = g->nexts[(size_t)(j - 1) * g->bytes + k]) {
            if (j - 1 >= group || g->looked[j - 1] == i + 1) continue;
            g->looked[j - 1] = i + 1;
            if (is_similar(g, i, j - 1)) group = j - 1;
        }
    return group;
}

static uint32_t group_all(void *argument) {
    grouping *g = argument;
    const pocket_index *x = g->index;
    uint32_t missing = POCKET_OK;
    uint8_t room[MOST_SKETCH_BYTES];
    for (uint32_t i = 0; i < g->count; i++) {
        packed_sketch stored;
        if (g->documents[i] >= x->documents)
            return no_document(g->error, POCKET_SKETCHES, x->documents, g->documents[i]);
        g->groups[i] = i;
        if (g->documents[i] >= x->sketched) continue;
        uint32_t status = sketch_get(x, g->documents[i], &stored, g->error);
        if (status == POCKET_NOT_AT_HAND) missing = status;
        if (status && status != POCKET_NOT_AT_HAND) return status;
        if (missing) continue; /* on, so that all blocks that are missed are known at once */
        const uint8_t *record = sketch_whole(&x->profile, stored, room);
        uint8_t *digits = g->digits + (size_t)i * x->profile.component_count;
        if (!sketch_unpack(&x->profile, record, 0, x->profile.component_count, 0, digits))
            return fail(g->error, POCKET_DAMAGED_FIELD, POCKET_SKETCHES,
                        g->documents[i] / x->block_documents, "digit", 0, 0);
        g->groups[i] = group_of(g, i, record);
        for (uint32_t k = 0; k < g->bytes && g->groups[i] == i; k++) {
            uint32_t *head = &g->heads[256 * k + record[k]];
            g->nexts[(size_t)i * g->bytes + k] = *head;
            *head = i + 1;
        }
    }
    return missing;
}

pocket_status pocket_group(const pocket_index *x, const uint32_t *documents, uint32_t count,
                           uint32_t *groups, pocket_error *error) {
    grouping g = {.index = x, .documents = documents, .count = count, .groups = groups};
    clear(error);
    if (count > MOST_HITS)
        return allowing(error, "0 .. %",
                        fail(error, POCKET_BAD_ARGUMENT, 0, -1, "documents", MOST_HITS, count));
    g.bytes = sketch_bytes(&x->profile);
    g.error = error;
    size_t numbers = 256 * (size_t)g.bytes + (size_t)count * (g.bytes + 1),
           size = numbers * sizeof(uint32_t) + (size_t)count * x->profile.component_count;
    uint32_t *memory = pocket_malloc(size);
    if (!memory) return fail(error, POCKET_NO_MEMORY, POCKET_SKETCHES, -1, NULL, 0, 0);
    memset(memory, 0, size);
    g.heads = memory;
    g.nexts = g.heads + 256 * (size_t)g.bytes;
    g.looked = g.nexts + (size_t)count * g.bytes;
    g.digits = (uint8_t *)(g.looked + count);
    uint32_t status = guarded(x, group_all, &g);
    pocket_free(memory);
    return fail_as(error, status);
}

/* ======== judge.c ======== */
/* Shares of words to a decision: by the length of the unit, and by what other documents have. */

/* Set on Simple English Wikipedia, Reuters and German Wikipedia (docs/decisions.md). */
#define LEAST_RUN 13u   /* terms in a row that count wherever they stand in a unit */
#define LEAST_EDITED 9u /* terms of a unit that is named when some of them were changed */

/* The threshold for units of up to so many terms. */
typedef struct rule {
    uint32_t terms, least;
} rule;

static const rule taken_alone[] = {{14, 800}, {29, 770}, {39, 680}, {UINT32_MAX, 650}};
static const rule taken_of_more[] = {{14, 950}, {20, 880}, {29, 820}, {39, 700}, {UINT32_MAX, 660}};
/* The same for the words of a unit in whatever order. */
static const rule bags_alone[] = {{24, UINT32_MAX / 2}, {34, 700},  {49, 580},        {64, 450},
                                  {100, 360},           {160, 290}, {UINT32_MAX, 250}};
static const rule bags_of_more[] = {{24, UINT32_MAX / 2}, {34, 720},  {49, 600},        {64, 520},
                                    {100, 420},           {160, 300}, {UINT32_MAX, 250}};
static const rule estimated_alone[] = {{11, 1050}, {14, 950}, {17, 870}, {20, 820},
                                       {29, 740},  {39, 720}, {64, 600}, {UINT32_MAX, 450}};
static const rule estimated_of_more[] = {{11, 1200}, {14, 1100}, {20, 1000},       {29, 900},
                                         {39, 720},  {64, 600},  {UINT32_MAX, 450}};

static uint32_t least_of(const rule *rules, uint32_t terms) {
    while (terms > rules->terms) rules++;
    return rules->least;
}

static uint32_t unit_terms(const unit *u) { return u->last - u->first; }

/* Of a text of many sentences some are like one of a collection by chance. */
static int32_t least_taken(const segment *s, const unit *u) {
    return (int32_t)least_of(unit_is_alone(s, u) ? taken_alone : taken_of_more, unit_terms(u));
}

static int32_t least_bag(const segment *s, const unit *u) {
    return (int32_t)least_of(unit_is_alone(s, u) ? bags_alone : bags_of_more, unit_terms(u));
}

/* In thousandths: half of it from words, half from their idf, and more for words in a row. */
static int32_t score(uint32_t same, uint32_t run, uint32_t share, uint32_t others, uint32_t terms) {
    return (int32_t)((500 * same + 250 * run) / terms + 500 * share / WHOLE_SHARE) -
           (int32_t)(300 * others / WHOLE_SHARE);
}

static int is_missing(const word_candidates *w, const candidate *c, uint32_t term) {
    for (uint32_t k = 0; k < w->word_count; k++)
        if (w->words[k] == term) return !(c->mask >> k & 1);
    return 0;
}

static const uint32_t least_share[] = {512, 350, 200};

int has_enough(uint32_t kind, uint32_t share) { return share >= least_share[kind]; }

int is_taken(const segment *s, const unit *u, const alignment *a, uint32_t others,
             uint32_t others_bag) {
    uint32_t n = unit_terms(u);
    if (a->whole) return IN_ORDER;
    if (n < LEAST_EDITED) return NOT_TAKEN;
    if (u->kind != STRETCH && a->run >= LEAST_RUN) return IN_ORDER;
    if (u->kind != STRETCH && score(a->same, a->run, a->share, others, n) >= least_taken(s, u))
        return IN_ORDER;
    int32_t bag =
        (int32_t)(1000 * a->bag / WHOLE_SHARE) - (int32_t)(300 * others_bag / WHOLE_SHARE);
    return bag >= least_bag(s, u) ? AS_A_BAG : NOT_TAKEN;
}

/* Its text says no more than it would if it had all words of the unit but those that it lacks, in
 * order, and no other document had any. */
int is_worth_reading(const word_candidates *w, const candidate *c) {
    const segment *s = w->segment;
    const unit *u = &s->units[c->unit];
    alignment most = {.same = 0};
    uint32_t run = 0;
    uint64_t own = 0, whole = 0;
    if (!has_enough(u->kind, c->share)) return 0;
    for (uint32_t i = u->first; i < u->last; i++) {
        uint32_t idf = s->terms[s->ids[i]].idf;
        whole += idf;
        run = is_missing(w, c, s->ids[i]) ? 0 : run + 1;
        if (run) own += idf;
        most.same += run > 0;
        if (run > most.run) most.run = run;
    }
    most.whole = most.same == unit_terms(u);
    most.share = most.bag = (uint32_t)(WHOLE_SHARE * own / (whole ? whole : 1));
    return is_taken(s, u, &most, 0, 0) != NOT_TAKEN;
}

/* Of the share that a document has, what it has by chance, because it is long, is no evidence. */
uint32_t estimate_of(const word_candidates *w, const candidate *c, uint32_t evidence) {
    const unit *u = &w->segment->units[c->unit];
    uint64_t whole = 0, own = 0, chance = 0, all = 4ull * w->index->documents;
    for (uint32_t k = 0; k < w->word_count; k++) {
        const segment_term *term = &w->segment->terms[w->words[k]];
        uint64_t likely = 1024 * term->documents * c->length / all;
        whole += term->idf;
        if (c->mask >> k & 1) own += term->idf;
        chance += term->idf * (likely < 1000 ? likely : 1000) / 1024;
    }
    uint64_t shingles = 1024ull * 13 * evidence / (7ull * unit_terms(u)), excess = 0;
    if (own > chance) excess = 1024 * (own - chance) / (whole - chance + 1);
    return (uint32_t)(excess + 6 * (shingles < 1024 ? shingles : 1024) / 10);
}

int is_estimated(const segment *s, const unit *u, uint32_t estimate, uint32_t others) {
    if (unit_terms(u) < LEAST_EDITED) return 0;
    int32_t z = (int32_t)(1000 * estimate / WHOLE_SHARE) - (int32_t)(600 * others / WHOLE_SHARE);
    return z >= (int32_t)least_of(unit_is_alone(s, u) ? estimated_alone : estimated_of_more,
                                  unit_terms(u));
}

/* ======== judge_claims.c ======== */
/* Claims of a unit beside each other to passages (docs/format.md, section 9). */


static found_passage bag_of(const trace *t, const claim *c) {
    const unit *u = &t->segment->units[c->candidate.unit];
    const alignment *a = &c->alignment;
    found_passage own = passage_of(t, c->candidate.document, u->first, u->last);
    own.own_first = a->bag_first;
    own.own_last = a->bag_last;
    own.same = (u->last - u->first) * a->bag / WHOLE_SHARE;
    return own;
}

static found_passage in_order(const trace *t, const claim *c) {
    const alignment *a = &c->alignment;
    found_passage own = passage_of(t, c->candidate.document, a->first, a->last);
    own.own_first = a->own_first;
    own.own_last = a->own_last;
    own.same = a->dense + a->beyond;
    return own;
}

static int add_taken(trace *t, const claim *c, int how, uint32_t documents) {
    const alignment *a = &c->alignment;
    found_passage own = how == AS_A_BAG ? bag_of(t, c) : in_order(t, c);
    own.own_start = how == AS_A_BAG ? a->bag_start : a->own_start;
    own.own_end = how == AS_A_BAG ? a->bag_end : a->own_end;
    own.documents = documents;
    own.evidence = a->mass >> 8;
    own.verified = 1;
    own.bag = how == AS_A_BAG;
    /* An edited copy may have its original. */
    if (how == IN_ORDER && own.same == a->last - a->first)
        explain(t, a->first, a->last, c->candidate.document);
    return add_found(t, &own);
}

/* Is each word of a unit in some document? */
static int is_known(const trace *t, const unit *u) {
    for (uint32_t i = u->first; i < u->last; i++)
        if (!t->segment->terms[t->segment->ids[i]].documents) return 0;
    return 1;
}

/* Of the sentences that nothing explains, the longest whose words documents have in an order that
 * is not known. The claims are in the order of their units. */
static void note_words_only(trace *t) {
    for (uint32_t i = 0, end; i < t->claim_count; i = end) {
        uint32_t number = (uint32_t)(t->order[i] >> 48), documents = 0, first = 0;
        const unit *u = &t->segment->units[number];
        for (end = i; end < t->claim_count && t->order[end] >> 48 == number; end++) {
            const candidate *c = &t->claims[(uint32_t)t->order[end]].candidate;
            if (c->share != WHOLE_SHARE) continue;
            if (!documents++) first = c->document;
        }
        if (!documents || u->kind != SENTENCE || u->last - u->first <= t->words_only_terms)
            continue;
        if (is_explained(t, u) || !is_known(t, u)) continue;
        t->words_only_terms = u->last - u->first;
        t->words_only = (pocket_words_only){t->segment->starts[u->first],
                                            t->segment->ends[u->last - 1], first, documents};
    }
}

/* What a claim says, by which those of a unit are ordered. */
static uint32_t share_of(const trace *t, const claim *c) {
    if (!t->with_texts) return c->estimate;
    const alignment *a = &c->alignment;
    return t->segment->units[c->candidate.unit].kind == STRETCH ? a->bag : a->share;
}

/* The share in bags of the document behind OTHERS among claims from first up to end. */
static uint32_t others_in_bags(const trace *t, uint32_t first, uint32_t end) {
    uint32_t best[OTHERS + 1] = {0};
    for (uint32_t i = first; i < end; i++) {
        uint32_t bag = t->claims[(uint32_t)t->order[i]].alignment.bag, k = OTHERS;
        if (bag <= best[k]) continue;
        for (; k > 0 && bag > best[k - 1]; k--) best[k] = best[k - 1];
        best[k] = bag;
    }
    return best[OTHERS];
}

/* Was a piece of the unit found in the document in order? */
static int has_place(const trace *t, uint32_t document, const unit *u) {
    uint32_t first = (uint32_t)t->segment->base + u->first,
             last = (uint32_t)t->segment->base + u->last;
    for (uint32_t i = t->found_before; i < t->found_in_order; i++) {
        const found_passage *p = &t->found->passages[i];
        if (p->document == document && p->first < last && p->last > first) return 1;
    }
    return 0;
}

static int add_estimated(trace *t, const claim *c, const unit *u) {
    found_passage own = passage_of(t, c->candidate.document, u->first, u->last);
    own.same = u->last - u->first;
    own.evidence = c->estimate * (u->last - u->first) / WHOLE_SHARE;
    explain(t, u->first, u->last, c->candidate.document);
    return add_found(t, &own);
}

/* The most that a document has of a unit as a bag of which a piece was found in order. That says
 * where, and a bag does not: those that have no more count no more. */
static uint32_t most_placed(const trace *t, const unit *u, uint32_t first, uint32_t end) {
    uint32_t most = 0;
    for (uint32_t i = first; i < end; i++) {
        const claim *c = &t->claims[(uint32_t)t->order[i]];
        if (c->alignment.bag > most && has_place(t, c->candidate.document, u))
            most = c->alignment.bag;
    }
    return most;
}

/* Judge the claims of one unit beside each other: those that count so (IN_ORDER, AS_A_BAG). */
static uint32_t judge_unit(trace *t, uint32_t first, uint32_t end, int wanted) {
    const unit *u = &t->segment->units[t->order[first] >> 48];
    uint32_t others = 0, whole = 0, bags = others_in_bags(t, first, end), placed = 0;
    if (wanted == AS_A_BAG) placed = most_placed(t, u, first, end);
    if (end - first > OTHERS) others = share_of(t, &t->claims[(uint32_t)t->order[first + OTHERS]]);
    for (uint32_t i = first; i < end; i++)
        whole += t->claims[(uint32_t)t->order[i]].alignment.whole;
    for (uint32_t i = first; i < end; i++) {
        const claim *c = &t->claims[(uint32_t)t->order[i]];
        int how = IN_ORDER, done = 1;
        if (t->with_texts) {
            how = is_taken(t->segment, u, &c->alignment, others, bags);
            if (how == wanted && (how == IN_ORDER || c->alignment.bag > placed))
                done = add_taken(t, c, how, whole);
        } else if (wanted == IN_ORDER && is_estimated(t->segment, u, c->estimate, others)) {
            done = add_estimated(t, c, u);
        }
        if (!done) return POCKET_NO_MEMORY;
    }
    return POCKET_OK;
}

uint32_t judge_claims(trace *t) {
    uint32_t n = t->claim_count, status = POCKET_OK;
    if (n == 0) return POCKET_OK;
    for (uint32_t i = 0; i < n; i++) {
        const claim *c = &t->claims[i];
        t->order[i] =
            (uint64_t)c->candidate.unit << 48 | (uint64_t)(0xFFFF - share_of(t, c)) << 32 | i;
    }
    radix_sort64(t->order, t->order + t->claim_room, n, 32, 64);
    for (int wanted = IN_ORDER; wanted <= AS_A_BAG; wanted++) {
        for (uint32_t i = 0, end; i < n && !status; i = end) {
            for (end = i; end < n && t->order[end] >> 48 == t->order[i] >> 48; end++) {
            }
            status = judge_unit(t, i, end, wanted);
        }
        t->found_in_order = t->found->count;
    }
    if (!t->with_texts) note_words_only(t);
    t->claim_count = 0;
    return status;
}

/* ======== known_words.c ======== */
/* How common the terms of a text are in the collection. */

struct known {
    const pocket_index *index;
    const uint8_t *text;
    uint64_t length, *documents, room, *count;
    pocket_error *error;
};

/* All blocks that are not at hand are missed at once. */
static uint32_t count_known(void *argument) {
    struct known *a = argument;
    meter steps = meter_of(a->index);
    term_stream terms;
    words_block b;
    uint32_t missing = POCKET_OK;
    term_stream_begin(&terms, a->text, a->length, STREAM_EVERY_WORD);
    terms.meter = &steps;
    for (*a->count = 0; term_stream_next(&terms); ++*a->count) {
        word_list list = {.documents = 0};
        int found;
        if (*a->count >= a->room) continue;
        if (interrupted(&steps, 8)) break;
        uint32_t status = words_find(&b, a->index, terms.bytes, terms.length, &found, a->error);
        if (!status && found) status = word_list_open(&list, &b);
        if (status && status != POCKET_NOT_AT_HAND) return status;
        if (status) missing = status;
        a->documents[*a->count] = list.documents;
    }
    return steps.ended ? (uint32_t)POCKET_INTERRUPTED : missing;
}

pocket_status pocket_known_words(const pocket_index *x, const uint8_t *text, uint64_t length,
                                 uint64_t *documents, uint64_t *count, pocket_error *error) {
    struct known a = {x, text, length, documents, *count, count, error};
    clear(error);
    *count = 0;
    if (!x->by_kind[POCKET_WORDS])
        return fail(error, POCKET_NO_WORDS, POCKET_WORDS, -1, "sections", 1, 0);
    if (length > MOST_TEXT) return text_too_long(error, length);
    return fail_as(error, guarded(x, count_known, &a));
}

/* ======== open.c ======== */
/* Opening a file: everything outside its blocks is copied and checked. */

/* ======== open.h ======== */
/* Opening a file, for the calls that open one: in memory, by path, in pieces; and pocket_verify. */
#ifndef POCKET_OPEN_H
#define POCKET_OPEN_H


/* Open what lies at bytes: a file, or the heads of one in pieces. */
static uint32_t open_bytes(const uint8_t *bytes, uint64_t length, int in_pieces, pocket_index **index,
                    pocket_error *error);
/* Check the blocks of the sections that a file may do without, within guarded(). */
static uint32_t verify_optional(const pocket_index *index, pocket_error *error);

#endif


#define HEADER 32u
#define ENTRY 40u
#define MAX_SECTIONS 64u

static const uint8_t magic[8] = {0x89, 0x50, 0x43, 0x4B, 0x54, 0x0D, 0x0A, 0x1A};

#define FRONT (HEADER + ENTRY * MAX_SECTIONS)

/* b: a copy of the header and the section table, as much of them as is at hand. */
static uint32_t open_header(pocket_index *x, const uint8_t *b, int in_pieces, pocket_error *error) {
    if (x->at_hand < sizeof magic || memcmp(b, magic, sizeof magic))
        return fail(error, POCKET_NOT_POCKET, 0, -1, "magic", 0, 0);
    if (x->at_hand < HEADER)
        return allowing(error, "at least %",
                        fail(error, POCKET_DAMAGED_LENGTH, 0, -1, "file size", HEADER, x->at_hand));
    x->major = load16(b + 8);
    x->minor = load16(b + 10);
    /* Before the seal: a newer header may be sealed in another way. */
    if (x->major != 1) return fail(error, POCKET_TOO_NEW, 0, -1, "major version", 1, x->major);
    x->section_count = load32(b + 12);
    if (x->section_count < 1 || x->section_count > MAX_SECTIONS)
        return allowing(error, "1 .. %",
                        fail(error, POCKET_DAMAGED_HEADER, 0, -1, "number of sections",
                             MAX_SECTIONS, x->section_count));
    x->length = load64(b + 16);
    if (x->length != x->at_hand && !in_pieces)
        return fail(error, POCKET_DAMAGED_LENGTH, 0, -1, "file size", x->length, x->at_hand);
    uint64_t table = (uint64_t)ENTRY * x->section_count;
    if (x->at_hand - HEADER < table)
        return allowing(
            error, "at least %",
            fail(error, POCKET_DAMAGED_LENGTH, 0, -1, "file size", HEADER + table, x->at_hand));
    uint32_t found = crc32c(crc32c(0, b, 28), b + HEADER, (size_t)table);
    if (found != load32(b + 28))
        return fail(error, POCKET_DAMAGED_HEADER, 0, -1, "CRC32C", load32(b + 28), found);
    if (load32(b + 24) != 0) return damaged_head(error, 0, "reserved", 0, load32(b + 24));
    return POCKET_OK;
}

static uint32_t open_directory(const section *s, pocket_error *error) {
    uint64_t room = s->length - s->head, before = 0;
    for (uint32_t i = 0; i < s->blocks; i++) {
        uint64_t end = block_end(s, i);
        /* Ends rise and the last one is room: none lies beyond it. */
        if (end <= before)
            return allowing(
                error, "more than %",
                fail(error, POCKET_DAMAGED_FIELD, s->kind, i, "end of the block", before, end));
        before = end;
    }
    return before == room ? POCKET_OK
                          : damaged_head(error, s->kind, "end of the last block", room, before);
}

static uint32_t copy_head(section *s, const uint8_t *head, pocket_error *error) {
    uint8_t *copy = pocket_malloc((size_t)s->head);
    s->bytes = copy;
    if (!copy) return fail(error, POCKET_NO_MEMORY, s->kind, -1, NULL, 0, 0);
    memcpy(copy, head, (size_t)s->head);
    s->directory = s->bytes + s->parameters;
    uint32_t found = crc32c(0, s->bytes, (size_t)s->head);
    return found == s->seal
               ? POCKET_OK
               : fail(error, POCKET_DAMAGED_CHECKSUM, s->kind, -1, "CRC32C", s->seal, found);
}

/* heads: NULL, or of a file in pieces where the head of this section lies, then that of the next.
 */
static uint32_t open_section(pocket_index *x, uint32_t i, const uint8_t *entry, uint64_t *end,
                             uint64_t *heads, pocket_error *error) {
    section *s = &x->sections[i];
    s->kind = load32(entry);
    s->flags = load32(entry + 4);
    s->offset = load64(entry + 8);
    s->length = load64(entry + 16);
    s->parameters = load32(entry + 24);
    s->blocks = load32(entry + 28);
    s->seal = load32(entry + 32);
    if (s->offset < *end || s->offset != pad8(*end))
        return damaged_head(error, s->kind, "offset", pad8(*end), s->offset);
    if (s->offset > x->length)
        return allowing(error, "at most %",
                        damaged_head(error, s->kind, "offset", x->length, s->offset));
    for (uint64_t at = *end; !heads && at < s->offset; at++)
        if (x->bytes[at] != 0) return damaged_head(error, s->kind, "padding", 0, x->bytes[at]);
    if (s->length > x->length - s->offset)
        return allowing(error, "at most %",
                        damaged_head(error, s->kind, "length", x->length - s->offset, s->length));
    s->head = s->parameters + (uint64_t)POCKET_DIRECTORY_ENTRY * s->blocks;
    if (s->parameters % 8)
        return damaged_head(error, s->kind, "length of the parameters", pad8(s->parameters),
                            s->parameters);
    if (s->head > s->length)
        return allowing(error, "at most %",
                        damaged_head(error, s->kind, "length of the head", s->length, s->head));
    if (load32(entry + 36) != 0)
        return damaged_head(error, s->kind, "reserved", 0, load32(entry + 36));
    if (heads && s->head > x->at_hand - *heads)
        return allowing(error, "at least %",
                        fail(error, POCKET_DAMAGED_LENGTH, s->kind, -1, "length of the heads",
                             *heads + s->head, x->at_hand));
    const uint8_t *head = x->bytes + (heads ? *heads : s->offset);
    if (heads)
        *heads += s->head;
    else
        s->body = head + s->head;
    s->first_block = x->blocks;
    x->blocks += s->blocks;
    *end = s->offset + s->length;
    uint32_t status = copy_head(s, head, error);
    if (!status) status = open_directory(s, error);
    if (status) return status;
    if (s->flags > 1)
        return allowing(error, "0 or %", damaged_head(error, s->kind, "flags", 1, s->flags));
    for (uint32_t k = 0; k < i; k++)
        if (x->sections[k].kind == s->kind)
            return damaged_head(error, s->kind, "number of sections", 1, 2);
    if (s->kind == 0 || s->kind >= POCKET_SECTION_KINDS) {
        if (s->flags & 1)
            return allowing(error, "1 .. %",
                            fail(error, POCKET_TOO_NEW, s->kind, -1, "required section",
                                 POCKET_SECTION_KINDS - 1, s->kind));
        return POCKET_OK;
    }
    x->by_kind[s->kind] = s;
    return POCKET_OK;
}

static uint32_t open_sections(pocket_index *x, const uint8_t *table, int in_pieces,
                              pocket_error *error) {
    uint64_t end = HEADER + (uint64_t)ENTRY * x->section_count, heads = end;
    for (uint32_t i = 0; i < x->section_count; i++) {
        uint32_t status =
            open_section(x, i, table + ENTRY * i, &end, in_pieces ? &heads : NULL, error);
        if (status) return status;
    }
    if (end != x->length) return damaged_head(error, 0, "end of the last section", x->length, end);
    if (in_pieces && heads != x->at_hand)
        return fail(error, POCKET_DAMAGED_LENGTH, 0, -1, "length of the heads", heads, x->at_hand);
    for (uint32_t kind = 1; kind <= POCKET_IDS; kind++)
        if (!x->by_kind[kind]) return damaged_head(error, kind, "number of sections", 1, 0);
    size_t bits = (size_t)(x->blocks / 8 + 1);
    x->checked = pocket_malloc(2 * bits);
    if (in_pieces) x->lent = pocket_malloc((size_t)(x->blocks + 1) * sizeof *x->lent);
    if (!x->checked || (in_pieces && !x->lent))
        return fail(error, POCKET_NO_MEMORY, 0, -1, NULL, 0, 0);
    x->missed = x->checked + bits;
    for (size_t i = 0; i < 2 * bits; i++) atomic_init(&x->checked[i], 0);
    for (uint64_t i = 0; in_pieces && i < x->blocks; i++) x->lent[i] = NULL;
    return POCKET_OK;
}

/* The sections that a file may do without. verify: NULL where pocket_verify has what it needs: a
 * table's look-ups, or work that guards itself. */
static const struct {
    uint32_t kind;
    uint32_t (*open)(pocket_index *x, const section *s, pocket_error *error);
    uint32_t (*verify)(const pocket_index *x, pocket_error *error);
} optional[] = {
    {POCKET_COPIES, copies_open, copies_verify}, {POCKET_TEXTS, texts_open, NULL},
    {POCKET_CELLS, cells_open, cells_verify},    {POCKET_PASSAGES, passages_open, NULL},
    {POCKET_WORDS, words_open, words_verify},    {POCKET_LABELS, labels_open, NULL},
    {POCKET_TITLES, titles_open, NULL},
};

static uint32_t open_optional(pocket_index *x, pocket_error *error) {
    uint32_t status = POCKET_OK;
    for (size_t i = 0; i < sizeof optional / sizeof *optional && !status; i++) {
        const section *s = x->by_kind[optional[i].kind];
        if (s) status = optional[i].open(x, s, error);
    }
    return status;
}

uint32_t verify_optional(const pocket_index *x, pocket_error *error) {
    uint32_t status = POCKET_OK;
    for (size_t i = 0; i < sizeof optional / sizeof *optional && !status; i++)
        if (optional[i].verify && x->by_kind[optional[i].kind])
            status = optional[i].verify(x, error);
    return status;
}

static uint32_t open_all(pocket_index *x, int in_pieces, pocket_error *error) {
    uint8_t front[FRONT];
    if (x->at_hand) memcpy(front, x->bytes, x->at_hand < FRONT ? (size_t)x->at_hand : FRONT);
    uint32_t status = open_header(x, front, in_pieces, error);
    if (status) return status;
    x->sections = pocket_malloc(x->section_count * sizeof *x->sections);
    if (!x->sections) return fail(error, POCKET_NO_MEMORY, 0, -1, NULL, 0, 0);
    memset(x->sections, 0, x->section_count * sizeof *x->sections);
    if ((status = open_sections(x, front + HEADER, in_pieces, error))) return status;
    const section *p = x->by_kind[POCKET_PROFILE], *ids = x->by_kind[POCKET_IDS];
    const char *field;
    if (p->blocks != 0) return damaged_head(error, p->kind, "number of blocks", 0, p->blocks);
    status = profile_open(&x->profile, p->bytes, p->parameters, &field);
    if (status) return fail(error, status, p->kind, -1, field, 0, 0);
    x->fingerprint = murmur(p->bytes, p->parameters);
    if ((status = tables_open(&x->tables, x->by_kind[POCKET_TABLES], x->profile.tables, 0,
                              &x->most_parts, error)))
        return status;
    if ((status = tables_open(&x->ids, ids, 1, 0, &x->most_parts, error))) return status;
    if (x->ids.mph != POCKET_MPH_PILOT)
        return damaged_head(error, ids->kind, "minimal perfect hash", POCKET_MPH_PILOT, x->ids.mph);
    if (x->ids.default_probes != 1)
        return damaged_head(error, ids->kind, "default probes", 1, x->ids.default_probes);
    if (x->ids.checksum_bits != 8)
        return damaged_head(error, ids->kind, "checksum bits", 8, x->ids.checksum_bits);
    if ((status = sketches_open(x, x->by_kind[POCKET_SKETCHES], error))) return status;
    if ((status = documents_open(x, x->by_kind[POCKET_DOCUMENTS], error))) return status;
    return open_optional(x, error);
}

uint32_t open_bytes(const uint8_t *bytes, uint64_t length, int in_pieces, pocket_index **index,
                    pocket_error *error) {
    *index = NULL;
    clear(error);
    if (!bytes && length) return fail(error, POCKET_BAD_ARGUMENT, 0, -1, "bytes", length, 0);
    if (length > SIZE_MAX)
        return fail(error, POCKET_NO_MEMORY, 0, -1, "file size", SIZE_MAX, length);
    pocket_index *x = pocket_malloc(sizeof *x);
    if (!x) return fail(error, POCKET_NO_MEMORY, 0, -1, NULL, 0, 0);
    memset(x, 0, sizeof *x);
    /* Already here: whoever guards this call closes it when the file is lost half way. */
    *index = x;
    x->bytes = bytes;
    x->counting = hamming_counting();
    x->at_hand = length;
    uint32_t status = open_all(x, in_pieces, error);
    if (status) {
        pocket_close(x);
        *index = NULL;
    }
    return status;
}

pocket_status pocket_open(const uint8_t *bytes, uint64_t length, pocket_index **index,
                          pocket_error *error) {
    return open_bytes(bytes, length, 0, index, error);
}

void pocket_close(pocket_index *x) {
    if (!x) return;
    if (x->unmap) x->unmap(x->mapping);
    pocket_free((void *)x->checked);
    pocket_free((void *)x->lent);
    for (uint32_t i = 0; x->sections && i < x->section_count; i++)
        pocket_free((void *)(uintptr_t)x->sections[i].bytes);
    pocket_free(x->sections);
    pocket_free(x);
}

void pocket_attach_mph(pocket_index *index, pocket_slots slots) { index->slots = slots; }

void pocket_on_interrupt(pocket_index *index, pocket_interrupt interrupt, void *argument) {
    index->interrupt = interrupt;
    index->interrupt_argument = argument;
}

/* ======== open_path.c ======== */
/* A file opened by its path: mapped, and every call that reads it guarded. */

#if !defined(POCKET_FREESTANDING) && !defined(POCKET_NO_FILES)

struct opening {
    const mapping *mapping;
    pocket_index **index;
    pocket_error *error;
};

static uint32_t open_mapped(void *argument) {
    struct opening *o = argument;
    return pocket_open(o->mapping->bytes, o->mapping->length, o->index, o->error);
}

static uint32_t guard_index(const void *mapped, uint32_t (*work)(void *), void *argument) {
    return mapping_guard(mapped, work, argument);
}

void pocket_expect_cold(const pocket_index *index) {
    if (index->mapping) mapping_sparse(index->mapping, 1);
}

static void unmap_index(void *mapped) {
    mapping_close(mapped);
    pocket_free(mapped);
}

pocket_status pocket_open_path(const char *path, pocket_index **index, pocket_error *error) {
    *index = NULL;
    clear(error);
    mapping *m = pocket_malloc(sizeof *m);
    if (!m) return fail(error, POCKET_NO_MEMORY, 0, -1, NULL, 0, 0);
    uint32_t status = mapping_open(path, m, error);
    if (status) {
        pocket_free(m);
        return status;
    }
    /* Heads lie far apart: what is read ahead of them would be most of what opening reads. */
    mapping_sparse(m, 1);
    status = mapping_guard(m, open_mapped, &(struct opening){m, index, error});
    if (status) {
        if (*index) pocket_close(*index);
        *index = NULL;
        unmap_index(m);
        return fail_as(error, status);
    }
    mapping_sparse(m, 0);
    (*index)->mapping = m;
    (*index)->guard = guard_index;
    (*index)->unmap = unmap_index;
    return POCKET_OK;
}

#endif

/* ======== order_sources.c ======== */
/* The sources of one text that several files gave, or that were looked for in texts, in one order.
 */

#define MOST_ORDERED 16777216u /* spans, and sources */

/* A text may have many million code points, and spans few ends: between two neighbouring ends all
 * places are covered by the same sources, and count as one. */
typedef struct ordering {
    uint64_t *ends;     /* all ends of spans, rising, each once */
    pocket_span *spans; /* the spans, in numbers of these */
    uint32_t *sizes;    /* up to the next end */
    uint32_t end_count;
} ordering;

static uint32_t number_of_end(const ordering *o, uint32_t end) {
    uint32_t low = 0, high = o->end_count;
    while (high - low > 1) {
        uint32_t middle = (low + high) / 2;
        if (o->ends[middle] <= end)
            low = middle;
        else
            high = middle;
    }
    return low;
}

/* ends: first and last of all spans, count in all. */
static void number_ends(ordering *o, const uint32_t *ends, uint32_t count) {
    for (uint32_t i = 0; i < count; i++) o->ends[i] = ends[i];
    sort64(o->ends, count);
    for (uint32_t i = 0; i < count; i++)
        if (i == 0 || o->ends[i] != o->ends[o->end_count - 1]) o->ends[o->end_count++] = o->ends[i];
    for (uint32_t i = 0; i + 1 < o->end_count; i++)
        o->sizes[i] = (uint32_t)(o->ends[i + 1] - o->ends[i]);
    for (uint32_t i = 0; i < count; i++) ((uint32_t *)o->spans)[i] = number_of_end(o, ends[i]);
}

/* Do the ends rise, and the spans of each source? */
static int spans_rise(const pocket_span *spans, const uint32_t *ends, uint32_t count) {
    for (uint32_t i = 0, at = 0; i < count; i++) {
        if (ends[i] < at || ends[i] > MOST_ORDERED) return 0;
        for (uint32_t before = 0; at < ends[i]; before = spans[at++].last)
            if (spans[at].first < before || spans[at].last < spans[at].first) return 0;
    }
    return 1;
}

pocket_status pocket_order_sources(const pocket_span *spans, const uint32_t *ends, uint32_t *count,
                                   uint32_t least, uint32_t most, uint32_t *order, uint32_t *added,
                                   pocket_error *error) {
    uint32_t all = *count;
    *count = 0;
    clear(error);
    if (all > MOST_ORDERED || !spans_rise(spans, ends, all))
        return fail(error, POCKET_BAD_ARGUMENT, 0, -1, "spans", 0, 0);
    size_t total = all ? ends[all - 1] : 0;
    uint64_t *memory =
        pocket_malloc(2 * total * (sizeof(uint64_t) + sizeof(uint32_t) + 1) +
                      total * sizeof *spans + all * (sizeof(uint64_t) + sizeof(uint32_t)));
    if (!memory) return fail(error, POCKET_NO_MEMORY, 0, -1, NULL, 0, 0);
    ordering o = {.ends = memory};
    cover c = {.ends = ends, .count = all, .heap = memory + 2 * total};
    o.spans = (pocket_span *)(c.heap + all);
    o.sizes = (uint32_t *)(o.spans + total);
    c.others = o.sizes + 2 * total;
    c.covered = (uint8_t *)(c.others + all);
    memset(c.covered, 0, 2 * total);
    number_ends(&o, (const uint32_t *)spans, (uint32_t)(2 * total));
    c.spans = o.spans;
    c.sizes = o.sizes;
    meter steps = {0};
    *count = cover_best(&c, least, most, &steps, order, added);
    pocket_free(memory);
    return POCKET_OK;
}

/* ======== pieces.c ======== */
/* A file of which blocks come when they are asked for: a page has its bytes from scripts, over HTTP
 * or by slices of a picked file. */

pocket_status pocket_open_pieces(const uint8_t *heads, uint64_t length, pocket_index **index,
                                 pocket_error *error) {
    return open_bytes(heads, length, 1, index, error);
}

static const section *find_section(const pocket_index *x, uint32_t kind) {
    for (uint32_t i = 0; x->lent && i < x->section_count; i++)
        if (x->sections[i].kind == kind) return &x->sections[i];
    return NULL;
}

static void mark(_Atomic unsigned char *bits, uint64_t number, int set) {
    unsigned char bit = (unsigned char)(1u << (number & 7));
    if (set)
        atomic_fetch_or_explicit(&bits[number >> 3], bit, memory_order_relaxed);
    else
        atomic_fetch_and_explicit(&bits[number >> 3], (unsigned char)~bit, memory_order_relaxed);
}

void pocket_missed(const pocket_index *x, pocket_block *blocks, uint32_t *count) {
    uint32_t room = *count;
    *count = 0;
    for (uint32_t i = 0; x->lent && i < x->section_count; i++) {
        const section *s = &x->sections[i];
        for (uint32_t block = 0; block < s->blocks && *count < room; block++) {
            uint64_t number = s->first_block + block, start = block_start(s, block);
            if (!(atomic_load_explicit(&x->missed[number >> 3], memory_order_relaxed) >>
                      (number & 7) &
                  1))
                continue;
            blocks[(*count)++] = (pocket_block){s->offset + s->head + start,
                                                block_end(s, block) - start, s->kind, block};
        }
    }
}

pocket_status pocket_miss(const pocket_index *x, uint32_t kind) {
    const section *s = find_section(x, kind);
    if (!s) return POCKET_BAD_ARGUMENT;
    for (uint32_t block = 0; block < s->blocks; block++)
        if (!x->lent[s->first_block + block]) mark(x->missed, s->first_block + block, 1);
    return POCKET_OK;
}

pocket_status pocket_lend(pocket_index *x, uint32_t kind, uint32_t block, const uint8_t *bytes) {
    const section *s = find_section(x, kind);
    if (!s || block >= s->blocks) return POCKET_BAD_ARGUMENT;
    uint64_t number = s->first_block + block;
    if (block_end(s, block) - block_start(s, block) > SIZE_MAX) return POCKET_NO_MEMORY;
    x->lent[number] = bytes;
    mark(x->checked, number, 0);
    mark(x->missed, number, 0);
    return POCKET_OK;
}

/* ======== query.c ======== */
/* A query in stages (docs/format.md, section 8): text -> sketch with margins -> candidates -> hits.
 * Each stage is a function of its own, so that a reader without all the bytes can fetch between
 * them. */


/* ---- text or stored document -> sketch ---- */

static uint32_t begin(query *q) {
    const pocket_index *x = q->index;
    packed_sketch stored;
    uint8_t room[MOST_SKETCH_BYTES];
    if (q->text) {
        uint32_t status = sketch_text(&x->profile, q->text, q->length, &q->sketch);
        q->report->terms = q->sketch.terms;
        q->identity = (uint32_t)murmur(q->text, (size_t)q->length);
        return status;
    }
    if (q->document >= x->sketched) return POCKET_TEXT_TOO_SHORT;
    uint32_t status = sketch_get(x, q->document, &stored, q->error);
    if (status) return status;
    if (!sketch_stored(&x->profile, sketch_whole(&x->profile, stored, room), &q->sketch))
        return damaged(q, POCKET_SKETCHES, q->document / x->block_documents, "digit", 0, 0);
    return identity_get(x, q->document, &q->identity, q->error);
}

/* ---- a text without a sketch -> documents that are copies ---- */

/* Take the documents of a stretch as hits, as far as there is room. */
static void take_copies(query *q, uint32_t first, uint32_t end, uint32_t similarity) {
    q->report->candidates += end - first;
    for (; first < end && *q->count < q->room; first++)
        q->hits[(*q->count)++] = (pocket_hit){first, similarity, 0};
}

#define SAME_WORDS 9999u /* the similarity of the same words, written in another way */

static uint32_t find_copies(query *q) {
    const pocket_index *x = q->index;
    uint64_t key;
    copies found;
    uint32_t status = POCKET_OK;
    *q->count = 0;
    if (!x->by_kind[POCKET_COPIES]) return POCKET_TEXT_TOO_SHORT;
    if (q->text) {
        if (!copy_key_of_text(q->text, q->length, &q->steps, &key)) return POCKET_TEXT_TOO_SHORT;
        if (q->steps.ended) return POCKET_INTERRUPTED;
    } else {
        if (!copies_has(x, q->document)) return POCKET_TEXT_TOO_SHORT;
        status = copies_get(x, q->document, &key, q->error);
    }
    if (!status) status = copies_find(x, key, &found, q->error);
    if (status) return status;
    take_copies(q, found.same.first, found.same.end, 10000);
    take_copies(q, found.alike.first, found.same.first, SAME_WORDS);
    take_copies(q, found.same.end, found.alike.end, SAME_WORDS);
    return q->report->candidates ? POCKET_OK : POCKET_TEXT_TOO_SHORT;
}

static uint32_t run(void *argument) {
    query *q = argument;
    uint32_t status = begin(q);
    if (status == POCKET_TEXT_TOO_SHORT) return find_copies(q);
    if (status) return status;
    ranking_begin(&q->ranking, &q->sketch);
    if (q->scans) {
        status = profile_is_binary(&q->index->profile) ? find_by_scan(q) : rank_all(q);
    } else {
        if (q->probes) status = find_by_keys(q);
        if (!status && q->cells) status = find_by_cells(q);
    }
    if (!status) status = rank_candidates(q);
    if (status) return status;
    if (q->incomplete) return POCKET_NOT_AT_HAND;
    return take_hits(q);
}

/* Is it quick to compare with all coarse codes, which have so many bits at most? */
static int is_small(const pocket_index *x, uint64_t bits) {
    return x->profile.scheme->cosine && profile_is_binary(&x->profile) &&
           (uint64_t)x->sketched * coarse_components(&x->profile) <= bits;
}

int scans_by_default(const pocket_index *x) {
    if (!x->profile.tables && !x->cells) return 1;
    return !x->lent && is_small(x, x->cells ? SCANNED_BITS_WITH_CELLS : SCANNED_BITS);
}

static int scans_first(const pocket_index *x) {
    return !x->cells && (!x->profile.tables || is_small(x, SCANNED_BITS_FIRST));
}

/* Keys looked up in each table of a file without cells for a first answer from few blocks. */
#define COLD_PROBES 64u

/* How a query with these probes is answered: by a scan, or by so many probes in each table, and so
 * many of the nearest cells. */
static void choose_way(query *q) {
    const pocket_index *x = q->index;
    uint32_t asked = q->probes, given = x->tables.default_probes;
    q->scans = asked == POCKET_EXHAUSTIVE || (asked == 0 && scans_by_default(x)) ||
               (asked == POCKET_COLD && scans_first(x));
    if (q->scans) {
        q->probes = 0;
    } else if (asked == POCKET_COLD) {
        q->cells = x->cells_cold;
        q->pruning = x->cells_pruning;
        q->probes = x->cells ? 0 : given < COLD_PROBES ? given : COLD_PROBES;
    } else {
        if (asked == 0) q->probes = given;
        uint64_t cells = ((uint64_t)q->probes * x->cells_asked + given - 1) / given;
        q->cells = cells < x->cells ? (uint32_t)cells : x->cells;
        if (!x->profile.tables && x->cells) q->probes = 0;
    }
}

/* The rest of a query of which index, text or document, probes, hits, count, report and error are
 * there. */
static uint32_t pose(query q) {
    const pocket_index *x = q.index;
    pocket_report unused;
    uint32_t asked = q.probes;
    clear(q.error);
    if (!q.report) q.report = &unused;
    *q.report = (pocket_report){0, 0, 0, 0, 0};
    choose_way(&q);
    uint64_t most = q.scans || x->documents < MAX_CANDIDATES ? x->documents : MAX_CANDIDATES;
    q.room = *q.count < most ? *q.count : (uint32_t)most;
    q.depth = scan_depth(x, q.room);
    if (q.length > MOST_TEXT) {
        *q.count = 0;
        return text_too_long(q.error, q.length);
    }
    if (q.probes > POCKET_MAX_PROBES) {
        *q.count = 0;
        return allowing(
            q.error, "0 .. %",
            fail(q.error, POCKET_BAD_ARGUMENT, 0, -1, "probes", POCKET_MAX_PROBES, asked));
    }
    if (!q.scans && !x->profile.tables && !q.cells) {
        *q.count = 0;
        return fail(q.error, POCKET_NO_TABLES, POCKET_TABLES, -1, "number of tables", 1, 0);
    }
    if (!q.text && q.document >= x->documents) {
        *q.count = 0;
        return no_document(q.error, POCKET_SKETCHES, x->documents, q.document);
    }
    /* All memory is taken here: work that a shortened file abandons holds none. */
    uint32_t found = q.scans || q.cells ? q.depth : 0, by_keys = q.probes ? MAX_CANDIDATES : 0;
    uint32_t room = scan_room(found) > found + by_keys
                        ? scan_room(found)
                        : found + by_keys; /* for a scan, then for what sorts */
    if (q.cells && room < cells_room(x)) room = cells_room(x);
    uint64_t *memory = pocket_malloc(
        ((size_t)found + by_keys + room + q.room + q.cells + q.probes) * sizeof(uint64_t) +
        q.probes * sizeof(uint32_t));
    int sketched = sketch_alloc(&q.sketch, &x->profile, 1),
        ranked = ranking_alloc(&q.ranking, &x->profile);
    int ready = look_up_alloc(&q.look_up, q.probes ? q.probes : 1, x->most_parts);
    uint32_t status = POCKET_NO_MEMORY;
    q.steps = meter_of(x);
    q.sketch.meter = &q.steps;
    if (memory && sketched && ranked && ready) {
        q.candidates = memory;
        q.nearest = q.candidates + found + by_keys;
        q.best = q.nearest + room;
        q.stretches = (stretch *)(q.best + q.room);
        q.keys = q.best + q.room + q.cells;
        q.masks = (uint32_t *)(q.keys + q.probes);
        status = guarded(x, run, &q);
    }
    look_up_free(&q.look_up);
    ranking_free(&q.ranking);
    sketch_free(&q.sketch);
    pocket_free(memory);
    if (status) *q.count = 0;
    return fail_as(q.error, status);
}

#define MOST_OPTIONS 1024u /* bytes: a size that nobody set is mostly more */

static uint32_t size_of_options(const void *given) {
    uint32_t size;
    memcpy(&size, given, sizeof size);
    return size;
}

int options_fit(const void *given, uint32_t own) {
    uint32_t size = size_of_options(given);
    if (size < own || size > MOST_OPTIONS) return 0;
    for (uint32_t i = own; i < size; i++)
        if (((const uint8_t *)given)[i] != 0) return 0;
    return 1;
}

uint32_t fail_options(pocket_error *error, const void *given, uint32_t own) {
    return allowing(error, "%, or up to 1024 with zeros behind",
                    fail(error, POCKET_BAD_ARGUMENT, 0, -1, "size of the options", own,
                         size_of_options(given)));
}

static uint32_t pose_with(query q, const pocket_query_options *given) {
    if (given && !options_fit(given, sizeof *given)) {
        *q.count = 0;
        clear(q.error);
        return fail_options(q.error, given, sizeof *given);
    }
    q.probes = given ? given->probes : 0;
    q.report = given ? given->report : NULL;
    return pose(q);
}

pocket_status pocket_query(const pocket_index *x, const uint8_t *text, uint64_t length,
                           const pocket_query_options *options, pocket_hit *hits, uint32_t *count,
                           pocket_error *error) {
    static const uint8_t none[1] = {0};
    return pose_with((query){.index = x,
                             .text = text ? text : none,
                             .length = length,
                             .hits = hits,
                             .count = count,
                             .error = error},
                     options);
}

pocket_status pocket_query_document(const pocket_index *x, uint32_t document,
                                    const pocket_query_options *options, pocket_hit *hits,
                                    uint32_t *count, pocket_error *error) {
    return pose_with(
        (query){.index = x, .document = document, .hits = hits, .count = count, .error = error},
        options);
}

/* ======== quoted.c ======== */
/* Quotes of a search, looked for in kept texts and titles, and words in titles. */

#define RUNS_SEEN (1u << 31) /* in the words of a hit */

/* The places among the asked words of the last terms of a text, MOST_ASKED for one that is none. */
typedef struct reading {
    uint32_t last[MOST_QUOTED]; /* a ring */
    uint64_t count;
} reading;

static int ends_with(const word_search *s, const reading *r, const asked_quote *q) {
    if (r->count < q->count) return 0;
    for (uint32_t i = 0; i < q->count; i++) {
        const asked_word *own = &s->asked.words[s->asked.terms[q->first + i]];
        uint32_t place = r->last[(r->count - q->count + i) % MOST_QUOTED];
        if (place == MOST_ASKED) return 0;
        const asked_word *other = &s->asked.words[place];
        if (own->length != other->length || memcmp(own->bytes, other->bytes, own->length)) return 0;
    }
    return 1;
}

static uint32_t quoted_place(const word_search *s, const word_stream *t) {
    for (uint32_t i = 0; i < s->asked.count; i++)
        if ((s->asked.words[i].quoted || s->asked.words[i].of_run) &&
            s->asked.words[i].length == t->length &&
            !memcmp(s->asked.words[i].bytes, t->bytes, t->length))
            return i;
    return MOST_ASKED;
}

/* Set the bits of the quotes that stand in a text. */
static void look_into(word_search *s, const char *text, uint64_t length, uint64_t *have) {
    word_stream t;
    reading r = {.count = 0};
    word_stream_begin(&t, (const uint8_t *)text, length, &s->steps);
    while (word_stream_next(&t)) {
        if (t.kind != WORD_WHOLE) continue;
        uint32_t place = quoted_place(s, &t);
        r.last[r.count++ % MOST_QUOTED] = place;
        for (uint32_t i = 0; place != MOST_ASKED && i < s->asked.quote_count; i++)
            if (ends_with(s, &r, &s->asked.quotes[i])) *have |= 1ull << i;
    }
}

/* Are all asked words that some document has in a title? */
static int titled(const word_search *s, const pocket_document *document) {
    uint64_t missing = 0;
    word_stream t;
    for (uint32_t i = 0; i < MOST_ASKED && i < s->asked.count; i++)
        missing |= (uint64_t)(s->asked.words[i].role == WORD_WANTED) << i;
    word_stream_begin(&t, (const uint8_t *)document->title, document->title_length, NULL);
    while (missing && word_stream_next(&t))
        for (uint32_t i = 0; i < s->asked.count; i++)
            if (asked_word_is(&s->asked.words[i], t.bytes, t.length)) missing &= ~(1ull << i);
    return !missing;
}

/* *have: the quotes that a document has; *fits: its title is as it should be. */
static uint32_t look_into_document(word_search *s, uint32_t number, uint64_t *have, int *fits) {
    pocket_document *document;
    pocket_text *text;
    uint32_t status = pocket_document_get(s->index, number, &document, s->error);
    if (!status) {
        *fits = !s->options.titles || titled(s, document);
        look_into(s, document->title, document->title_length, have);
        pocket_document_free(document);
    }
    if (!s->asked.quote_count || s->index->text_kept != POCKET_WHOLE) return status;
    uint32_t text_status = pocket_text_get(s->index, number, &text, s->error);
    if (!text_status) {
        look_into(s, text->bytes, text->length, have);
        pocket_text_free(text);
    }
    return status ? status : text_status;
}

/* Do the quotes ask for all the words, and tell the lists whether a document has them all? */
static int all_are_quoted(const word_search *s) {
    uint64_t quoted = 0;
    if (s->index->words_heaviest || !s->index->word_title_weight) return 0;
    for (uint32_t i = 0; i < s->asked.quote_count; i++) {
        const asked_quote *q = &s->asked.quotes[i];
        for (uint32_t k = 0; k < q->count && !q->negative && !q->run; k++)
            quoted |= 1ull << s->asked.terms[q->first + k];
    }
    for (uint32_t i = 0; i < s->asked.count; i++) {
        const asked_word *word = &s->asked.words[i];
        if (word->role != WORD_WANTED) continue;
        if (!(quoted >> i & 1) || word->prefix || s->partial[i]) return 0;
    }
    return quoted != 0;
}

/* How many hits, from the first on, may have the quotes, or all words in their titles. */
static uint32_t hits_to_look_at(const word_search *s) {
    if (!s->options.titles && !all_are_quoted(s)) return s->any;
    for (uint32_t i = 0; i < s->asked.count; i++)
        if (s->asked.words[i].role == WORD_WANTED && !s->documents[i]) return 0;
    return s->all;
}

/* Put those that have the runs before the others, each as they are; a document that is not known to
 * have them has not all that was asked for. */
static uint32_t put_runs_first(const word_search *s, pocket_word_hit *hits, uint32_t count) {
    pocket_word_hit *others = pocket_malloc((count + 1) * sizeof *others);
    uint32_t seen = 0, rest = 0;
    if (!others) return fail(s->error, POCKET_NO_MEMORY, POCKET_WORDS, -1, NULL, 0, 0);
    for (uint32_t i = 0; i < count; i++) {
        pocket_word_hit hit = hits[i];
        if (hit.words & RUNS_SEEN) {
            hit.words &= ~RUNS_SEEN;
            hits[seen++] = hit;
        } else {
            hit.words -= hit.words == s->wanted;
            others[rest++] = hit;
        }
    }
    memcpy(hits + seen, others, rest * sizeof *others);
    pocket_free(others);
    return POCKET_OK;
}

uint32_t choose_hits(word_search *s, pocket_word_hit *hits, uint32_t *count) {
    uint64_t wanted = 0, negative = 0, runs = 0;
    uint32_t to = 0, seen = 0, missed = 0, i, all = hits_to_look_at(s),
             given = *count < all ? *count : all,
             whole = s->index->text_kept == POCKET_WHOLE || s->nested;
    for (i = 0; i < s->asked.quote_count && whole; i++) {
        const asked_quote *q = &s->asked.quotes[i];
        *(q->negative ? &negative : q->run ? &runs : &wanted) |= 1ull << i;
    }
    int filters = s->options.titles || wanted || negative;
    if (!filters && given > s->all) given = s->all;
    for (i = 0; i < given && seen + missed < s->options.most; i++) {
        uint64_t have = 0;
        int fits = 0;
        uint32_t status = look_into_document(s, hits[i].document, &have, &fits);
        if (s->steps.ended) return POCKET_INTERRUPTED;
        if (status && status != POCKET_NOT_AT_HAND) return status;
        missed += status != POCKET_OK;
        if (status || !fits || (have & wanted) != wanted || have & negative) continue;
        hits[to] = hits[i];
        if ((have & runs) == runs) {
            seen++;
            hits[to].words |= RUNS_SEEN;
        }
        to++;
    }
    if (filters && seen < s->options.most && all > given) s->capped = 1;
    if (runs && !filters && i == s->all) {
        s->all = seen;
        s->pieces = 0;
    }
    for (; !filters && i < *count; i++) hits[to++] = hits[i];
    *count = to;
    return missed ? (uint32_t)POCKET_NOT_AT_HAND : put_runs_first(s, hits, to);
}

/* ======== rank.c ======== */
/* Candidates to hits: each document once, the best of them in order. */

/* The best so far are a heap of 10000 - similarity << 32 | document with the worst on top. */
static void offer(query *q, uint32_t similarity, uint32_t document) {
    uint64_t rank = (uint64_t)(10000 - similarity) << 32 | document;
    if (q->best_count < q->room) {
        uint32_t i = q->best_count++;
        for (; i > 0 && q->best[(i - 1) / 2] < rank; i = (i - 1) / 2)
            q->best[i] = q->best[(i - 1) / 2];
        q->best[i] = rank;
    } else if (q->room > 0 && rank < q->best[0]) {
        q->best[0] = rank;
        sift64(q->best, 0, q->room);
    }
}

/* Is a document that agrees wholly the query's own text, as far as the identity tells? */
static uint32_t is_same(query *q, uint32_t document, int *same) {
    const pocket_index *x = q->index;
    packed_sketch stored;
    uint32_t identity, status = sketch_get(x, document, &stored, q->error);
    if (!status) status = identity_get(x, document, &identity, q->error);
    if (status) return status;
    *same = ranking_is_same(&q->ranking, stored) &&
            identity == (q->identity & ((1ull << x->identity_bits) - 1));
    return POCKET_OK;
}

static uint32_t rank_document(query *q, uint32_t document, uint32_t agreement) {
    const profile *p = &q->index->profile;
    int same = 0;
    uint32_t status = agreement == 65536 ? is_same(q, document, &same) : POCKET_OK;
    if (status) return unless_missed(q, status);
    offer(q, same ? 10000 : similarity_of(p, agreement, q->text != NULL), document);
    return POCKET_OK;
}

/* Every document, as if each were a candidate: for digits that are no bits. */
uint32_t rank_all(query *q) {
    const pocket_index *x = q->index;
    for (uint32_t document = 0; document < x->sketched; document++) {
        packed_sketch stored;
        uint32_t agreement, status = interrupted(&q->steps, steps_of(x->stride));
        if (status) return status;
        status = sketch_get(x, document, &stored, q->error);
        if (status == POCKET_OK && !ranking_agreement(&q->ranking, stored, &agreement))
            return damaged(q, POCKET_SKETCHES, document / x->block_documents, "digit", 0, 0);
        status = status ? unless_missed(q, status) : rank_document(q, document, agreement);
        if (status) return status;
    }
    q->report->candidates = x->sketched;
    return POCKET_OK;
}

uint32_t rank_candidates(query *q) {
    uint64_t *c = q->candidates;
    /* Entries of one document are equal but for the table, and tables come in order: only the
     * documents' bits need sorting. Those of a scan rise. */
    if (!q->scans)
        radix_sort64(c, q->nearest, q->candidate_count, 32, 32 + q->index->tables.posting_bits);
    for (uint32_t i = 0; i < q->candidate_count; i++) {
        if (i > 0 && c[i - 1] >> 32 == c[i] >> 32) continue;
        uint32_t status = rank_document(q, (uint32_t)(c[i] >> 32), (uint32_t)(c[i] >> 8 & 0x1FFFF));
        if (status) return status;
        q->report->candidates++;
    }
    return POCKET_OK;
}

/* The first candidate entry of a document, by bisection (candidates are sorted). */
static uint32_t entry_of(const query *q, uint32_t document) {
    uint32_t low = 0, high = q->candidate_count;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (q->candidates[middle] >> 32 < document)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

static void gather_tables(query *q) {
    for (uint32_t i = 0; i < *q->count; i++)
        for (uint32_t e = entry_of(q, q->hits[i].document);
             e < q->candidate_count && q->candidates[e] >> 32 == q->hits[i].document; e++)
            q->hits[i].tables |= 1ull << (q->candidates[e] & 0xFF);
}

/* Every document may be a hit: ask now and then, which sort64 does not. */
static uint32_t sort_best(query *q) {
    uint32_t size = q->best_count;
    for (uint32_t i = size / 2; i-- > 0; sift64(q->best, i, size))
        if (interrupted(&q->steps, 1)) return POCKET_INTERRUPTED;
    while (size > 1) {
        uint64_t largest = q->best[0];
        if (interrupted(&q->steps, 4)) return POCKET_INTERRUPTED;
        q->best[0] = q->best[--size];
        q->best[size] = largest;
        sift64(q->best, 0, size);
    }
    return POCKET_OK;
}

uint32_t take_hits(query *q) {
    uint32_t status = sort_best(q);
    if (status) return status;
    *q->count = q->best_count;
    for (uint32_t i = 0; i < q->best_count; i++)
        q->hits[i] =
            (pocket_hit){(uint32_t)q->best[i],
                         without_luck(&q->index->profile, 10000 - (uint32_t)(q->best[i] >> 32),
                                      q->index->documents),
                         0};
    if (!q->scans) gather_tables(q);
    return POCKET_OK;
}

/* ======== rank_words.c ======== */
/* The postings of found words to hits in order. */

#define DOCUMENTS_AT_ONCE 512u

/* What a word adds to a document that has it with this level. */
static uint32_t worth(const word_search *s, uint32_t asked, uint32_t level) {
    const uint64_t *having = s->options.having;
    uint32_t idf = having ? word_idf(s->options.all, having[asked])
                          : word_idf(s->index->documents, s->documents[asked]);
    return TALLY_WORD + idf * (2 * level + 1);
}

/* Take what a document has of a beginning: the highest level counts. */
static void raise_levels(word_search *s, const uint32_t *documents, uint32_t count,
                         uint32_t level) {
    for (uint32_t i = 0; i < count; i++)
        if (s->levels[documents[i]] <= level) s->levels[documents[i]] = (uint8_t)(level + 1);
}

/* A first answer reads the beginning of a long list alone. All blocks that it needs are missed at
 * once. */
static int is_enough(word_search *s, const found_word *f) {
    const word_list *l = &f->list;
    if (!s->options.cold || !word_list_goes_on(l) || l->block - l->first_block < MOST_GOING_ON)
        return 0;
    s->partial[f->asked] = 1;
    return 1;
}

static void miss_rest(const word_search *s, const word_list *l) {
    const section *section = s->index->by_kind[POCKET_WORDS];
    const uint8_t *bytes;
    uint64_t length, first = block_first(section, l->first_block);
    uint32_t end = s->options.cold ? l->first_block + MOST_GOING_ON + 1 : section->blocks;
    for (uint32_t i = l->block + 1; i < end && i < section->blocks; i++) {
        if (block_first(section, i) != first) break;
        block_get(s->index, section, i, 0, &bytes, &length, NULL);
    }
}

static uint32_t add_list(word_search *s, found_word *f) {
    uint32_t documents[DOCUMENTS_AT_ONCE], count, level;
    const asked_word *word = &s->asked.words[f->asked];
    while (!is_enough(s, f)) {
        uint32_t status = word_list_take(&f->list, documents, DOCUMENTS_AT_ONCE, &level, &count);
        if (status == POCKET_NOT_AT_HAND) miss_rest(s, &f->list);
        if (status || count == 0) return search_unless_missed(s, status);
        if (interrupted(&s->steps, count / 8 + 1)) return POCKET_INTERRUPTED;
        if (word->role == WORD_EXCLUDED)
            tally_exclude(&s->tally, documents, count);
        else if (word->prefix)
            raise_levels(s, documents, count, level);
        else
            tally_add(&s->tally, documents, count, worth(s, f->asked, level));
    }
    return POCKET_OK;
}

/* Add the levels that the lists of a beginning have raised, and lower them again. */
static void add_levels(word_search *s, uint32_t asked) {
    uint32_t sums[WORD_LEVELS + 1];
    for (uint32_t level = 0; level < WORD_LEVELS; level++) sums[level + 1] = worth(s, asked, level);
    for (uint32_t document = 0; document < s->index->documents; document++)
        if (s->levels[document]) tally_add(&s->tally, &document, 1, sums[s->levels[document]]);
    memset(s->levels, 0, s->index->documents);
}

/* Lists of one asked word come one after the other. */
static uint32_t add_lists(word_search *s, int role) {
    uint32_t status = POCKET_OK;
    for (uint32_t i = 0; i < s->found_count && !status; i++) {
        uint32_t asked = s->found[i].asked;
        const asked_word *word = &s->asked.words[asked];
        if (word->role != role) continue;
        status = add_list(s, &s->found[i]);
        if (word->prefix && (i + 1 == s->found_count || s->found[i + 1].asked != asked))
            add_levels(s, asked);
    }
    return status;
}

/* ---- the best ---- */

/* Higher is better: whether a document has all words, its score, and the lower number. */
static uint64_t word_rank(const word_search *s, uint32_t sum, uint32_t document) {
    uint64_t all = sum / TALLY_WORD == s->wanted;
    return all << 63 | (uint64_t)(sum & (TALLY_WORD - 1)) << 32 | (UINT32_MAX - document);
}

static void offer_document(word_search *s, uint64_t worse) {
    if (s->best_count < s->room) {
        s->best[s->best_count++] = worse;
        if (s->best_count == s->room) heap64(s->best, s->room);
    } else if (worse < s->best[0]) {
        s->best[0] = worse;
        sift64(s->best, 0, s->room);
    }
}

static void choose(word_search *s) {
    for (uint64_t i = 0; i < s->tally.size; i++) {
        uint32_t sum = s->tally.sums[i];
        if (sum == 0 || sum & TALLY_EXCLUDED) continue;
        s->any++;
        s->all += sum / TALLY_WORD == s->wanted;
        offer_document(s, ~word_rank(s, sum, tally_document(&s->tally, i)));
    }
    sort64(s->best, s->best_count);
}

uint32_t rank_words(word_search *s) {
    uint64_t postings = 0;
    uint32_t status;
    int beginnings = 0;
    for (uint32_t i = 0; i < s->found_count; i++) {
        const asked_word *word = &s->asked.words[s->found[i].asked];
        if (word->role == WORD_WANTED) postings += s->found[i].list.total;
        beginnings |= word->prefix;
    }
    size_t levels = beginnings ? s->index->documents : 0;
    s->levels = pocket_malloc(levels + 1);
    s->best = pocket_malloc(s->room * sizeof *s->best);
    if (!s->levels || !s->best || !tally_alloc(&s->tally, s->index->documents, postings))
        return fail(s->error, POCKET_NO_MEMORY, POCKET_WORDS, -1, NULL, 0, 0);
    memset(s->levels, 0, levels);
    if ((status = add_lists(s, WORD_WANTED)) || (status = add_lists(s, WORD_EXCLUDED)))
        return status;
    if (s->missed) return POCKET_NOT_AT_HAND;
    choose(s);
    return POCKET_OK;
}

/* ======== replace.c ======== */
/* What is asked instead of words that no document has (docs/format.md, section 10): two of them in
 * one, one as two neighbours, or another spelling of the file's own words. */

#define LEAST_HALF 3u    /* letters of a half of a word */
#define MOST_SPLITS 4u   /* that are looked for in documents */
#define LEAST_SPELLED 5u /* letters of a word that may be misspelt, by one edit */
#define LEAST_TWICE 8u   /* by two */
#define MOST_SPELLED 32u
#define SURE_TWICE 3u /* documents of a word that is two edits away */
#define MOST_SPELLED_BLOCKS 256u
#define MOST_SPELLED_BLOCKS_COLD 12u
#define EDIT_COSTS 2032 /* 5.5 of the natural logarithm, in 256ths of that to base 2 */
#define LAST_IS_WORTH 369

typedef struct letters {
    uint32_t codes[MOST_SPELLED];
    uint32_t count;
    uint64_t seen; /* a bit for each code, of its lowest six */
} letters;

/* Its letters, where there are few enough and no digit of ASCII. */
static int letters_of(letters *l, const uint8_t *bytes, uint32_t length) {
    const uint8_t *p = bytes, *end = bytes + length;
    l->count = 0;
    l->seen = 0;
    while (p < end) {
        uint32_t code = utf8_decode(&p, end);
        if (l->count == MOST_SPELLED || code < 'a') return 0;
        l->codes[l->count++] = code;
        l->seen |= 1ull << (code & 63);
    }
    return 1;
}

static uint32_t ones(uint64_t x) {
    uint32_t count = 0;
    for (; x; x &= x - 1) count++;
    return count;
}

static uint32_t least(uint32_t a, uint32_t b) { return a < b ? a : b; }

/* The optimal string alignment distance: insertions, deletions, substitutions, and neighbours that
 * change places; most + 1 where it is more than that. */
static uint32_t edits_between(const letters *a, const letters *b, uint32_t most) {
    uint32_t rows[3][MOST_SPELLED + 1], longer = a->count > b->count ? a->count : b->count,
                                        shorter = least(a->count, b->count);
    if (longer - shorter > most || ones(a->seen ^ b->seen) > 2 * most) return most + 1;
    for (uint32_t k = 0; k <= b->count; k++) rows[0][k] = k;
    for (uint32_t i = 1; i <= a->count; i++) {
        uint32_t *row = rows[i % 3], *before = rows[(i + 2) % 3], *two = rows[(i + 1) % 3],
                 lowest = row[0] = i;
        for (uint32_t k = 1; k <= b->count; k++) {
            uint32_t own = before[k - 1] + (a->codes[i - 1] != b->codes[k - 1]);
            own = least(own, least(before[k], row[k - 1]) + 1);
            if (i > 1 && k > 1 && a->codes[i - 1] == b->codes[k - 2] &&
                a->codes[i - 2] == b->codes[k - 1])
                own = least(own, two[k - 2] + 1);
            row[k] = own;
            lowest = least(lowest, own);
        }
        if (lowest > most) return most + 1;
    }
    return rows[a->count % 3][b->count];
}

/* ---- the words of the file ---- */

static uint32_t count_documents(word_search *s, const uint8_t *bytes, uint32_t length,
                                uint64_t *documents) {
    words_block b;
    word_list list;
    int found;
    uint32_t status = words_find(&b, s->index, bytes, length, &found, s->error);
    *documents = 0;
    if (status || !found || (status = word_list_open(&list, &b))) return status;
    *documents = list.documents;
    return POCKET_OK;
}

/* The blocks of the words that begin with these bytes: how many, and the first one. */
static uint32_t blocks_of_beginning(const pocket_index *x, const uint8_t *bytes, uint32_t length,
                                    uint32_t *from) {
    const section *s = x->by_kind[POCKET_WORDS];
    uint64_t first = first_eight(bytes, length),
             last = first | (length < 8 ? UINT64_MAX >> (8 * length) : 0);
    uint32_t below = first ? block_find(s, 0, s->blocks, first - 1) : s->blocks,
             to = block_find(s, 0, s->blocks, last);
    *from = below == s->blocks ? 0 : below;
    return to == s->blocks ? 0 : to - *from + 1;
}

/* Have all of some blocks at hand, or miss all that are not. */
static uint32_t have_blocks(word_search *s, uint32_t from, uint32_t count) {
    const uint8_t *bytes;
    uint64_t length;
    uint32_t missing = POCKET_OK;
    for (uint32_t i = from; i < from + count; i++) {
        uint32_t status = words_block_get(s->index, i, 0, &bytes, &length, s->error);
        if (status && status != POCKET_NOT_AT_HAND) return status;
        if (status) missing = status;
    }
    return missing;
}

typedef struct spelling {
    letters asked;
    uint32_t most;
    int64_t best;
    uint8_t bytes[TERM_BYTES];
    uint32_t length;
} spelling;

static uint32_t consider(word_search *s, spelling *sp, const words_block *b) {
    letters own;
    word_list list;
    if (interrupted(&s->steps, 1)) return POCKET_INTERRUPTED;
    if (!letters_of(&own, b->word, b->word_length) || own.codes[0] != sp->asked.codes[0])
        return POCKET_OK;
    uint32_t edits = edits_between(&sp->asked, &own, sp->most), status;
    if (edits > sp->most) return POCKET_OK;
    if ((status = word_list_open(&list, b))) return status;
    if (list.documents < (edits > 1 ? SURE_TWICE : 1)) return POCKET_OK;
    int same = own.codes[own.count - 1] == sp->asked.codes[sp->asked.count - 1];
    int64_t worth = (int64_t)word_logarithm(list.documents) - (int64_t)edits * EDIT_COSTS +
                    (same ? LAST_IS_WORTH : 0);
    if (sp->length && worth <= sp->best) return POCKET_OK;
    sp->best = worth;
    memcpy(sp->bytes, b->word, sp->length = b->word_length);
    return POCKET_OK;
}

/* The commonest of the words that are an edit or two from this one, and begin as it does: with its
 * first letter, or with two or three, where those with fewer take more than so many blocks. */
static uint32_t find_spelling(word_search *s, const asked_word *word, spelling *sp) {
    uint32_t most = s->options.cold ? MOST_SPELLED_BLOCKS_COLD : MOST_SPELLED_BLOCKS, from, count,
             length = 0, status;
    const uint8_t *p = word->bytes;
    words_block b;
    int found;
    sp->length = 0;
    if (!letters_of(&sp->asked, word->bytes, word->length) || sp->asked.count < LEAST_SPELLED)
        return POCKET_OK;
    sp->most = sp->asked.count < LEAST_TWICE ? 1 : 2;
    for (uint32_t i = 0; i < 3; i++) {
        utf8_decode(&p, word->bytes + word->length);
        length = (uint32_t)(p - word->bytes);
        count = blocks_of_beginning(s->index, word->bytes, length, &from);
        if (count <= most) break;
    }
    if (count > most) return POCKET_OK;
    if ((status = have_blocks(s, from, count)) ||
        (status = words_seek(&b, s->index, word->bytes, length, &found, s->error)))
        return status;
    while (!status && found && b.word_length >= length && !memcmp(b.word, word->bytes, length))
        if (!(status = consider(s, sp, &b))) status = words_next(&b, &found);
    return status;
}

/* ---- one word as two ---- */

typedef struct split {
    uint64_t documents; /* of the rarer half */
    uint32_t at;
} split;

static uint32_t add_split(word_search *s, const asked_word *word, uint32_t at, split *splits,
                          uint32_t *count) {
    uint64_t first, second;
    uint32_t one = count_documents(s, word->bytes, at, &first),
             other = count_documents(s, word->bytes + at, word->length - at, &second);
    if (one || other) return one && one != POCKET_NOT_AT_HAND ? one : other ? other : one;
    uint64_t rarer = first < second ? first : second, commoner = first + second - rarer;
    if (rarer == 0 || commoner > s->index->documents / 4 + 8) return POCKET_OK;
    uint32_t i = *count < MOST_SPLITS ? (*count)++ : MOST_SPLITS;
    for (; i > 0 && splits[i - 1].documents < rarer; i--)
        if (i < MOST_SPLITS) splits[i] = splits[i - 1];
    if (i < MOST_SPLITS) splits[i] = (split){rarer, at};
    return POCKET_OK;
}

/* Where to part a word into two that are neighbours in some document, or 0. */
static uint32_t find_split(word_search *s, const asked_word *word, uint32_t *at) {
    split splits[MOST_SPLITS];
    letters l;
    uint32_t count = 0, missing = POCKET_OK, place = 0;
    const uint8_t *p = word->bytes, *end = word->bytes + word->length;
    *at = 0;
    if (!letters_of(&l, word->bytes, word->length)) return POCKET_OK;
    for (uint32_t i = 0; i + LEAST_HALF <= l.count; i++) {
        if (i >= LEAST_HALF) {
            uint32_t status = add_split(s, word, place, splits, &count);
            if (status && status != POCKET_NOT_AT_HAND) return status;
            if (status) missing = status;
        }
        utf8_decode(&p, end);
        place = (uint32_t)(p - word->bytes);
    }
    for (uint32_t i = 0; i < count && !missing && !*at; i++) {
        int found = 0;
        missing = s->neighbours(s, word->bytes, splits[i].at, word->length, &found);
        if (found) *at = splits[i].at;
    }
    return missing;
}

/* ---- all of them ---- */

static int is_replaceable(const word_search *s, uint32_t i) {
    const asked_word *word = &s->asked.words[i];
    return word->role == WORD_WANTED && word->alone && !word->prefix && !word->quoted;
}

/* The asked word behind this one, where nothing but blanks is between them; MOST_ASKED: none. */
static uint32_t next_word(const word_search *s, uint32_t i) {
    uint64_t at = s->asked.words[i].end;
    while (at < s->length && s->text[at] == ' ') at++;
    for (uint32_t k = 0; k < s->asked.count; k++)
        if (s->asked.words[k].start == at && at > s->asked.words[i].end && is_replaceable(s, k))
            return k;
    return MOST_ASKED;
}

static uint32_t find_joined(word_search *s, uint32_t i, uint32_t other, replacement *r) {
    const asked_word *one = &s->asked.words[i], *next = &s->asked.words[other];
    uint64_t documents;
    if (one->length + next->length > TERM_BYTES) return POCKET_OK;
    memcpy(r->bytes, one->bytes, one->length);
    memcpy(r->bytes + one->length, next->bytes, next->length);
    uint32_t length = one->length + next->length,
             status = count_documents(s, r->bytes, length, &documents);
    if (status || !documents) return status;
    *r = (replacement){one->start, next->end, {0}, length, POCKET_REPLACED_JOINED};
    memcpy(r->bytes, one->bytes, one->length);
    memcpy(r->bytes + one->length, next->bytes, next->length);
    return POCKET_OK;
}

static uint32_t find_other(word_search *s, uint32_t i, replacement *r) {
    const asked_word *word = &s->asked.words[i];
    spelling sp;
    uint32_t at, status = find_split(s, word, &at);
    if (status) return status;
    if (at) {
        r->how = POCKET_REPLACED_PARTED;
        memcpy(r->bytes, word->bytes, at);
        r->bytes[at] = ' ';
        memcpy(r->bytes + at + 1, word->bytes + at, word->length - at);
        r->length = word->length + 1;
    } else {
        if ((status = find_spelling(s, word, &sp)) || !sp.length) return status;
        r->how = POCKET_REPLACED_SPELLED;
        memcpy(r->bytes, sp.bytes, r->length = sp.length);
    }
    r->start = word->start;
    r->end = word->end;
    return POCKET_OK;
}

uint32_t find_replacements(word_search *s) {
    uint32_t missing = POCKET_OK;
    uint64_t used = 0; /* as the second of two */
    for (uint32_t i = 0; i < s->asked.count && s->replaced < MOST_REPLACED; i++) {
        uint32_t other = is_replaceable(s, i) ? next_word(s, i) : MOST_ASKED, status = POCKET_OK;
        replacement *r = &s->replacements[s->replaced];
        if (!is_replaceable(s, i) || used >> i & 1) continue;
        r->how = 0;
        if (other != MOST_ASKED && (!s->documents[i] || !s->documents[other]))
            status = find_joined(s, i, other, r);
        if (!status && r->how) used |= 1ull << other;
        if (!status && !r->how && !s->documents[i]) status = find_other(s, i, r);
        if (status && status != POCKET_NOT_AT_HAND) return status;
        if (status) missing = status;
        s->replaced += !status && r->how;
    }
    return missing;
}

/* ======== scan.c ======== */
/* One pass: distances are taken and compared with a limit at once. There is no limit
 * at first; it falls whenever several times as many documents are kept as are asked for. */


#define AT_ONCE 256u   /* documents between two looks at the room */
#define TIMES_DEPTH 3u /* entries that are waited for before the limit falls */
#define NO_LIMIT (8u * HAMMING_MOST_BYTES + 1)

typedef struct scan {
    const pocket_index *index;
    hamming own;
    uint64_t *nearest;
    const stretch *stretches;
    uint32_t bytes, stretch_count, count, depth,
        limit; /* bytes: of a coarse code; limit: distances from here on are too far */
    meter *steps;
    pocket_error *error;
} scan;

uint32_t scan_depth(const pocket_index *x, uint32_t hits) {
    uint32_t codes = x->profile.component_count / COARSE_COMPONENTS;
    uint64_t depth = hits > SCAN_LEAST / SCAN_TIMES ? (uint64_t)SCAN_TIMES * hits : SCAN_LEAST;
    depth *= codes ? codes : 1;
    return depth < x->sketched ? (uint32_t)depth : x->sketched;
}

uint32_t scan_room(uint32_t depth) { return TIMES_DEPTH * depth + AT_ONCE + HAMMING_SPARE; }

/* Keep the depth nearest, of equal ones the first, in their order. Without branches in the loop:
 * nobody can foretell them. */
static void keep_nearest(scan *s) {
    uint32_t at_distance[NO_LIMIT] = {0}, limit = 0, left = s->depth, kept = 0;
    if (s->count < s->depth) return;
    for (uint32_t i = 0; i < s->count; i++) at_distance[s->nearest[i] >> 32]++;
    while (at_distance[limit] < left) left -= at_distance[limit++];
    for (uint32_t i = 0; i < s->count; i++) {
        uint64_t entry = s->nearest[i];
        uint32_t d = (uint32_t)(entry >> 32), at_limit = (d == limit) & (left > 0);
        s->nearest[kept] = entry;
        kept += (d < limit) | at_limit;
        left -= at_limit;
    }
    s->count = kept;
    s->limit = limit;
}

/* What lies side by side: documents of one stretch in one block. All zeros before the first. */
typedef struct portion {
    const uint8_t *sketches; /* NULL where they are not at hand */
    uint32_t stretch, document, count;
} portion;

/* The portion that follows another; count is 0 after the last one. */
static uint32_t next_portion(const scan *s, const portion *last, portion *p) {
    const pocket_index *x = s->index;
    uint32_t r = last->stretch, at_once = x->block_documents,
             document = last->count ? last->document + last->count : s->stretches[0].first;
    while (r < s->stretch_count && document >= s->stretches[r].end)
        if (++r < s->stretch_count) document = s->stretches[r].first;
    *p = (portion){NULL, r, document, 0};
    if (r == s->stretch_count) return POCKET_OK;
    const uint8_t *block;
    uint64_t length;
    uint32_t number = document / at_once, before = document - number * at_once,
             left = at_once - before, more = s->stretches[r].end - document,
             status =
                 block_get(x, x->by_kind[POCKET_SKETCHES], number, 0, &block, &length, s->error);
    p->count = left < more ? left : more;
    if (!status) p->sketches = block + before * s->bytes;
    return status;
}

/* Compare the documents of a portion, and ask meanwhile for those of the one that follows. */
static uint32_t scan_portion(scan *s, const portion *p, const uint8_t *ahead) {
    for (uint32_t i = 0; i < p->count && p->sketches; i += AT_ONCE) {
        uint32_t some = p->count - i < AT_ONCE ? p->count - i : AT_ONCE;
        if (interrupted(s->steps, steps_of((uint64_t)some * s->bytes))) return POCKET_INTERRUPTED;
        if (s->count > TIMES_DEPTH * s->depth) keep_nearest(s);
        sketches_in_row row = {p->sketches + i * s->bytes, ahead + i * s->bytes, p->document + i,
                               some};
        s->count += hamming_near(&s->own, row, s->limit, s->nearest + s->count);
    }
    return POCKET_OK;
}

static uint32_t scan_stretches(scan *s) {
    uint32_t missing = POCKET_OK, status;
    portion two[2] = {{0}}, *now = two, *ahead = two + 1;
    do {
        status = next_portion(s, now, ahead);
        if (status == POCKET_NOT_AT_HAND) {
            missing = status;
            status = POCKET_OK;
        }
        if (!status)
            status = scan_portion(s, now, ahead->sketches ? ahead->sketches : now->sketches);
        now = ahead;
        ahead = two + (now == two);
    } while (now->count && !status);
    keep_nearest(s);
    return status ? status : missing;
}

uint32_t scan_run(const pocket_index *x, const uint8_t *own, uint32_t depth,
                  const stretch *stretches, uint32_t count, uint64_t *nearest, uint32_t *found,
                  meter *steps, pocket_error *error) {
    scan s = {.index = x,
              .bytes = coarse_bytes(&x->profile),
              .nearest = nearest,
              .stretches = stretches,
              .stretch_count = count,
              .depth = depth,
              .limit = NO_LIMIT,
              .steps = steps,
              .error = error};
    hamming_begin(&s.own, x->counting, own, s.bytes);
    uint32_t status = scan_stretches(&s);
    *found = s.count;
    return status;
}

/* ======== search.c ======== */
/* Words to documents (docs/format.md, section 10): asked words -> words of the file -> sums by
 * document -> the best -> those that have the quotes. */


static int read_search_options(const pocket_search_options *given, pocket_search_options *options) {
    *options = (pocket_search_options){sizeof *options, 10, 0, 0, 0, 0, NULL, 0};
    if (!given) return 1;
    if (given->most > MOST_HITS) return 0;
    if (given->most) options->most = given->most;
    options->prefix = given->prefix;
    options->cold = given->cold;
    options->titles = given->titles;
    options->replace = given->replace;
    options->having = given->having;
    options->all = given->all;
    return 1;
}

static uint32_t find_and_rank(void *argument) {
    word_search *s = argument;
    uint32_t status = find_words(s);
    if (!status && s->missed) status = POCKET_NOT_AT_HAND;
    return status ? status : rank_words(s);
}

static int looks_into_documents(const word_search *s) {
    return s->options.titles || s->nested ||
           (s->asked.quote_count && s->index->text_kept == POCKET_WHOLE);
}

static pocket_word_hit hit_of(const word_search *s, uint64_t worse) {
    uint32_t document = UINT32_MAX - (uint32_t)~worse, sum = tally_sum(&s->tally, document);
    return (pocket_word_hit){document, sum / TALLY_WORD, sum & (TALLY_WORD - 1)};
}

static pocket_asked_word word_of(const word_search *s, uint32_t i) {
    const asked_word *word = &s->asked.words[i];
    uint32_t flags = (word->role != WORD_WANTED ? POCKET_ASKED_EXCLUDED : 0u) |
                     (word->quoted ? POCKET_ASKED_QUOTED : 0u) |
                     (word->prefix ? POCKET_ASKED_PREFIX : 0u) |
                     (s->partial[i] ? POCKET_ASKED_PARTIAL : 0u);
    return (pocket_asked_word){word->start, word->end, s->documents[i], flags, 0};
}

/* Where the replacements stand in the text that was asked instead. */
static void place_replacements(const word_search *s, pocket_replacement *list) {
    uint64_t moved = 0; /* modulo 2^64 */
    for (uint32_t i = 0; i < s->replaced; i++) {
        const replacement *r = &s->replacements[i];
        uint64_t from = r->start + moved;
        list[i] = (pocket_replacement){r->start, r->end, from, from + r->length, r->how, 0};
        moved += r->length - (r->end - r->start);
    }
}

/* One piece of memory: the head, the words, the replacements, the hits, the text. */
static uint32_t answer(word_search *s, pocket_search_found **found) {
    size_t words = s->asked.count * sizeof(pocket_asked_word),
           replacements = s->replaced * sizeof(pocket_replacement),
           hits = s->best_count * sizeof(pocket_word_hit),
           text = s->other_text ? (size_t)s->length : 0;
    uint32_t status = POCKET_OK, whole = s->index->text_kept == POCKET_WHOLE;
    pocket_search_found *f = pocket_malloc(sizeof *f + words + replacements + hits + text + 1);
    if (!f) return fail(s->error, POCKET_NO_MEMORY, POCKET_WORDS, -1, NULL, 0, 0);
    pocket_asked_word *word = (pocket_asked_word *)(f + 1);
    pocket_replacement *replaced = (pocket_replacement *)(word + s->asked.count);
    pocket_word_hit *hit = (pocket_word_hit *)(replaced + s->replaced);
    char *copy = (char *)(hit + s->best_count);
    for (uint32_t i = 0; i < s->asked.count; i++) word[i] = word_of(s, i);
    for (uint32_t i = 0; i < s->best_count; i++) hit[i] = hit_of(s, s->best[i]);
    place_replacements(s, replaced);
    memcpy(copy, s->text, text);
    *f = (pocket_search_found){.hits = hit, .words = word, .count = s->best_count};
    f->replacements = replaced;
    f->replacement_count = s->replaced;
    f->text = text ? copy : NULL;
    f->text_length = text;
    f->word_count = s->asked.count;
    for (uint32_t i = 0; i < s->asked.quote_count; i++) {
        if (s->asked.quotes[i].run)
            s->pieces = 1;
        else
            f->unchecked = !whole;
    }
    for (uint32_t i = 0; i < f->count && s->pieces && !whole; i++)
        hit[i].words -= hit[i].words == s->wanted;
    if (looks_into_documents(s)) status = choose_hits(s, hit, &f->count);
    f->all = s->all;
    f->any = s->any;
    f->pieces = (uint32_t)s->pieces;
    if (f->count > s->options.most) f->count = s->options.most;
    f->capped = (uint32_t)(s->capped || s->asked.capped);
    f->ignored = (uint32_t)s->asked.ignored;
    if (status)
        pocket_free(f);
    else
        *found = f;
    return status;
}

/* Ask the text that is set. */
static uint32_t ask(word_search *s) {
    const pocket_index *x = s->index;
    asked_words_read(&s->asked, s->text, s->length, s->options.prefix != 0, &s->steps);
    if (s->steps.ended) return POCKET_INTERRUPTED;
    s->room = s->options.most;
    if (looks_into_documents(s)) s->room = s->options.cold ? MOST_TEXTS_COLD : MOST_TEXTS;
    if (s->nested) s->room = s->options.cold ? MOST_NEIGHBOURS_COLD : MOST_TEXTS_COLD;
    if (s->room > x->documents) s->room = x->documents ? x->documents : 1;
    return guarded(x, find_and_rank, s);
}

static void free_search(word_search *s) {
    pocket_free(s->found);
    pocket_free(s->levels);
    pocket_free(s->best);
    tally_free(&s->tally);
    pocket_free(s->other_text);
    pocket_free(s);
}

static word_search *new_search(const word_search *like) {
    word_search *s = pocket_malloc(sizeof *s);
    if (!s) return NULL;
    memset(s, 0, sizeof *s);
    s->index = like->index;
    s->options = like->options;
    s->error = like->error;
    s->steps = like->steps;
    return s;
}

static uint32_t search_neighbours(word_search *s, const uint8_t *bytes, uint32_t at,
                                  uint32_t length, int *found) {
    uint8_t text[TERM_BYTES + 3];
    pocket_word_hit hits[MOST_TEXTS_COLD];
    word_search *n = new_search(s);
    *found = 0;
    if (!n) return fail(s->error, POCKET_NO_MEMORY, POCKET_WORDS, -1, NULL, 0, 0);
    text[0] = text[length + 2] = '"';
    memcpy(text + 1, bytes, at);
    text[at + 1] = ' ';
    memcpy(text + at + 2, bytes + at, length - at);
    n->text = text;
    n->length = length + 3;
    n->options =
        (pocket_search_options){.size = sizeof n->options, .most = 1, .cold = s->options.cold};
    n->nested = 1;
    uint32_t status = ask(n), count = n->best_count;
    for (uint32_t i = 0; i < count && !status; i++) hits[i] = hit_of(n, n->best[i]);
    if (!status) status = choose_hits(n, hits, &count);
    s->steps = n->steps;
    *found = !status && count;
    free_search(n);
    return status;
}

/* The text with its replacements, as another search. */
static word_search *replaced_search(const word_search *s) {
    word_search *other = new_search(s);
    uint64_t at = 0, size = 0;
    if (!other) return NULL;
    other->options.having = NULL; /* that is of other words */
    memcpy(other->replacements, s->replacements, sizeof s->replacements);
    other->replaced = s->replaced;
    other->other_text = pocket_malloc(s->length + s->replaced * sizeof s->replacements->bytes + 1);
    if (!other->other_text) {
        free_search(other);
        return NULL;
    }
    for (uint32_t i = 0; i < s->replaced; at = s->replacements[i++].end) {
        const replacement *r = &s->replacements[i];
        memcpy(other->other_text + size, s->text + at, r->start - at);
        size += r->start - at;
        memcpy(other->other_text + size, r->bytes, r->length);
        size += r->length;
    }
    memcpy(other->other_text + size, s->text + at, s->length - at);
    other->text = other->other_text;
    other->length = size + s->length - at;
    return other;
}

static uint32_t guarded_replacements(void *argument) { return find_replacements(argument); }

static uint32_t run_search(word_search *s, pocket_search_found **found) {
    uint32_t status = ask(s);
    if (!status && s->options.replace) status = guarded(s->index, guarded_replacements, s);
    if (status || !s->replaced) return status ? status : answer(s, found);
    word_search *other = replaced_search(s);
    if (!other) return fail(s->error, POCKET_NO_MEMORY, POCKET_WORDS, -1, NULL, 0, 0);
    if (!(status = ask(other))) status = answer(other, found);
    free_search(other);
    return status;
}

pocket_status pocket_search(const pocket_index *x, const uint8_t *text, uint64_t length,
                            const pocket_search_options *given, pocket_search_found **found,
                            pocket_error *error) {
    static const uint8_t none[1] = {0};
    pocket_search_options options;
    *found = NULL;
    clear(error);
    if (!x->by_kind[POCKET_WORDS])
        return fail(error, POCKET_NO_WORDS, POCKET_WORDS, -1, "sections", 1, 0);
    if (given && !options_fit(given, sizeof *given))
        return fail_options(error, given, sizeof *given);
    if (!read_search_options(given, &options))
        return allowing(
            error, "0 .. %",
            fail(error, POCKET_BAD_ARGUMENT, 0, -1, "most hits", MOST_HITS, given->most));
    if (length > MOST_TEXT) return text_too_long(error, length);
    word_search *s = pocket_malloc(sizeof *s);
    if (!s) return fail(error, POCKET_NO_MEMORY, POCKET_WORDS, -1, NULL, 0, 0);
    memset(s, 0, sizeof *s);
    s->index = x;
    s->neighbours = search_neighbours;
    s->text = text ? text : none;
    s->length = length;
    s->options = options;
    s->error = error;
    s->steps = meter_of(x);
    uint32_t status = run_search(s, found);
    free_search(s);
    return fail_as(error, status);
}

void pocket_search_free(pocket_search_found *found) { pocket_free(found); }

/* Add a place that is not within the last one; one that overlaps it makes it longer. */
static void add_mark(uint64_t *places, uint32_t *count, uint64_t from, uint64_t to) {
    if (*count && from < places[2 * *count - 1]) {
        if (to > places[2 * *count - 1]) places[2 * *count - 1] = to;
        return;
    }
    places[2 * *count] = from;
    places[2 * (*count)++ + 1] = to;
}

pocket_status pocket_mark_words(const uint8_t *text, uint64_t length, const uint8_t *asked,
                                uint64_t asked_length, uint32_t prefix, uint64_t *places,
                                uint32_t *count) {
    static const uint8_t none[1] = {0};
    if (!text) text = none;
    if (!asked) asked = none;
    asked_words *a = pocket_malloc(sizeof *a);
    word_stream t;
    uint32_t room = *count;
    *count = 0;
    if (!a) return POCKET_NO_MEMORY;
    meter steps = {.ask = NULL};
    asked_words_read(a, asked, asked_length, prefix != 0, &steps);
    word_stream_begin(&t, text, length, NULL);
    while (*count < room && word_stream_next(&t)) {
        uint32_t i = 0;
        while (i < a->count &&
               (a->words[i].role != WORD_WANTED || !asked_word_is(&a->words[i], t.bytes, t.length)))
            i++;
        if (i < a->count)
            add_mark(places, count, (uint64_t)(t.from - text), (uint64_t)(t.to - text));
    }
    pocket_free(a);
    return POCKET_OK;
}

/* ======== segment.c ======== */
/* Text to segments, sentences and units. */


void segment_reader_begin(segment_reader *r, const uint8_t *text, uint64_t length, meter *steps) {
    *r = (segment_reader){.text = text};
    term_stream_begin(&r->stream, text, length, STREAM_EVERY_WORD);
    r->stream.meter = steps;
}

static uint32_t term_slot(const segment *s, uint64_t hash) {
    uint32_t i = (uint32_t)(hash & (SEGMENT_SLOTS - 1));
    while (s->slots[i] && s->terms[s->slots[i] - 1].hash != hash) i = (i + 1) & (SEGMENT_SLOTS - 1);
    return i;
}

uint32_t segment_find(const segment *s, uint64_t hash) {
    return s->slots[term_slot(s, hash)] - 1; /* 0 becomes NO_TERM */
}

static uint32_t id_of(segment *s, uint64_t hash, uint32_t place) {
    uint32_t slot = term_slot(s, hash);
    if (!s->slots[slot]) {
        s->terms[s->term_count] = (segment_term){.hash = hash, .first = place};
        s->slots[slot] = ++s->term_count;
    }
    return s->slots[slot] - 1;
}

/* ---- sentences ---- */

static int is_gap_byte(uint8_t byte) { return byte == ' ' || (byte >= '\t' && byte <= '\r'); }

/* The ends of sentences beyond ASCII: danda, Arabic full stop and question mark, ideographic full
 * stop, and the wide forms of . ! ? and of that. */
static int is_other_end(const uint8_t *p, const uint8_t *to) {
    static const uint8_t two[][2] = {{0xDB, 0x94}, {0xD8, 0x9F}};
    static const uint8_t three[][3] = {{0xE0, 0xA5, 0xA4}, {0xE3, 0x80, 0x82}, {0xEF, 0xBC, 0x8E},
                                       {0xEF, 0xBC, 0x81}, {0xEF, 0xBC, 0x9F}, {0xEF, 0xBD, 0xA1}};
    for (uint32_t i = 0; to - p >= 2 && i < 2; i++)
        if (!memcmp(p, two[i], 2)) return 1;
    for (uint32_t i = 0; to - p >= 3 && i < 6; i++)
        if (!memcmp(p, three[i], 3)) return 1;
    return 0;
}

/* Does a sentence end in the bytes between two terms? At . ! ? with white space somewhere behind,
 * at those of other scripts, and at an empty line. */
static int ends_sentence(const uint8_t *from, const uint8_t *to) {
    int stop = 0, lines = 0;
    for (const uint8_t *p = from; p < to; p++) {
        if (*p == '.' || *p == '!' || *p == '?') stop = 1;
        if (is_other_end(p, to)) return 1;
        if (stop && is_gap_byte(*p)) return 1;
        if (*p == '\n' && ++lines == 2) return 1;
        if (!is_gap_byte(*p)) lines = 0;
    }
    return 0;
}

static int is_break(const segment_reader *r, const segment *s) {
    const term_stream *t = &r->stream;
    return ends_sentence(r->text + s->ends[s->count - 1], t->term);
}

static void add_segment_term(const segment_reader *r, segment *s) {
    const term_stream *t = &r->stream;
    s->starts[s->count] = (uint32_t)(t->term - r->text);
    s->ends[s->count] = (uint32_t)(t->term_end - r->text);
    s->ids[s->count] = id_of(s, murmur(t->bytes, t->length), s->count);
    s->count++;
}

/* ---- units ---- */

static void add_segment_unit(segment *s, uint32_t first, uint32_t last, uint32_t kind) {
    s->units[s->unit_count++] = (unit){first, last, kind};
}

/* As many sentences from each one on as have no more terms together, where what was added before
 * does not reach as far, and does not begin within so many terms. */
static void cut_windows(segment *s, uint32_t least, uint32_t most, uint32_t step, uint32_t kind) {
    uint32_t reach = 0, start = 0;
    for (uint32_t i = 0; i < s->break_count; i++) {
        uint32_t first = s->breaks[i], k = i + 1;
        if (reach && first < start + step) continue;
        while (k < s->break_count && s->breaks[k + 1] - first <= most) k++;
        if (k == i + 1 || s->breaks[k] <= reach || s->breaks[k] - first < least) continue;
        add_segment_unit(s, first, s->breaks[k], kind);
        reach = s->breaks[k];
        start = first;
    }
}

static void cut_units(segment *s) {
    /* What a long text has left for its last segment may be too short to be looked for. */
    if (s->base && s->count < LEAST_UNIT_TERMS) return;
    for (uint32_t i = 0; i < s->break_count; i++)
        add_segment_unit(s, s->breaks[i], s->breaks[i + 1], SENTENCE);
    cut_windows(s, 0, WINDOW_TERMS, WINDOW_TERMS / 4, WINDOW);
    cut_windows(s, WINDOW_TERMS + 1, STRETCH_TERMS, STRETCH_TERMS / 4, STRETCH);
}

/* A break before the next term, where the sentence is long enough, or as long as one may be. */
static void add_break(segment *s, uint32_t place) {
    if (place > s->breaks[s->break_count]) s->breaks[++s->break_count] = place;
}

int segment_read(segment_reader *r, segment *s) {
    s->base = r->before;
    s->count = s->term_count = s->break_count = s->unit_count = 0;
    s->breaks[0] = 0;
    memset(s->slots, 0, sizeof s->slots);
    while (r->ahead || (!r->ended && term_stream_next(&r->stream))) {
        uint32_t length = s->count - s->breaks[s->break_count];
        r->ahead = 0;
        if (s->count &&
            ((length >= LEAST_UNIT_TERMS && is_break(r, s)) || length == SENTENCE_TERMS)) {
            add_break(s, s->count);
            if (s->count >= SEGMENT_TERMS) {
                r->ahead = 1;
                break;
            }
        }
        add_segment_term(r, s);
    }
    if (!r->ahead) r->ended = 1;
    if (!s->count) return 0;
    /* What is left is too short to be looked for alone: it goes with the sentence before it. */
    if (s->count - s->breaks[s->break_count] < LEAST_UNIT_TERMS && s->break_count)
        s->breaks[s->break_count] = s->count;
    else
        add_break(s, s->count);
    cut_units(s);
    r->before += s->count;
    return 1;
}

/* ======== shingle_matches.c ======== */
/* Shingles of a segment to the documents that have them. */


#define PLACE_BITS 13u /* of the place of a shingle: a segment has fewer terms */
#define PLACES ((1u << PLACE_BITS) - 1)

int shingle_matches_alloc(shingle_matches *m, const pocket_index *x) {
    m->memory =
        pocket_malloc((3 * SEGMENT_ROOM + SHINGLES_AT_ONCE) * sizeof *m->memory +
                      SHINGLES_AT_ONCE * sizeof *m->first + SEGMENT_ROOM * sizeof *m->frequent);
    if (!m->memory || !look_up_alloc(&m->look_up, SHINGLES_AT_ONCE, x->most_parts)) return 0;
    m->hashes = m->memory;
    m->order = m->hashes + SEGMENT_ROOM;
    m->keys = m->order + 2 * SEGMENT_ROOM;
    m->first = (uint32_t *)(m->keys + SHINGLES_AT_ONCE);
    m->frequent = (frequent_shingle *)(m->first + SHINGLES_AT_ONCE);
    return 1;
}

void shingle_matches_free(shingle_matches *m) {
    look_up_free(&m->look_up);
    pocket_free(m->memory);
    pocket_free(m->found);
    pocket_free(m->scratch);
}

/* ---- the shingles of the segment ---- */

static void add_shingle(shingle_matches *m, uint64_t hash, uint32_t place) {
    m->hashes[place] = hash;
    m->order[m->asked++] = (hash & ~(uint64_t)PLACES) | place;
}

static uint32_t place_of(const shingle_matches *m, uint32_t i) {
    return (uint32_t)m->order[i] & PLACES;
}

/* All of them, or on cold media those that winnowing keeps, which are those of a document that the
 * whole passage was copied from. */
static void read_shingles(shingle_matches *m, const segment *s) {
    shingle last = {.size = m->index->shingle_terms};
    window w;
    uint64_t hash;
    m->asked = 0;
    window_begin(&w, m->index->shingle_window);
    for (uint32_t i = 0; i < s->count; i++) {
        hash = shingle_push(&last, s->terms[s->ids[i]].hash);
        if (last.filled < last.size) continue;
        if (!m->cold)
            add_shingle(m, hash, i + 1 - last.size);
        else if (window_push(&w, &hash))
            add_shingle(m, hash, (uint32_t)w.kept - 1);
    }
    if (m->cold && window_end(&w, &hash)) add_shingle(m, hash, (uint32_t)w.kept - 1);
    radix_sort64(m->order, m->order + SEGMENT_ROOM, m->asked, 0, 64);
}

static int is_same_shingle(const shingle_matches *m, uint32_t i, uint32_t j) {
    return m->hashes[place_of(m, i)] == m->hashes[place_of(m, j)];
}

/* ---- look-ups ---- */

/* All places of a shingle that a document has. */
static int add_places(shingle_matches *m, uint32_t document, uint32_t documents, uint32_t first) {
    uint32_t before = 0;
    for (uint32_t i = first; i < m->asked && is_same_shingle(m, i, first); i++) {
        uint32_t place = place_of(m, i);
        shingle_match *found =
            array_grow(m->found, &m->room, m->count, m->count + 1, sizeof *found);
        if (!found) return 0;
        m->found = found;
        m->found[m->count++] =
            (shingle_match){document, (uint16_t)place, i > first && place - before <= NEIGHBOURHOOD,
                            (uint8_t)(documents < 127 ? documents : 127)};
        before = place;
    }
    return 1;
}

/* All places of a frequent shingle. */
static void add_frequent(shingle_matches *m, const frequent_shingle *own, uint32_t first) {
    for (uint32_t i = first; i < m->asked && is_same_shingle(m, i, first); i++)
        m->frequent[place_of(m, i)] = *own;
}

static uint32_t add_documents(shingle_matches *m, const match *own) {
    const pocket_index *x = m->index;
    uint32_t listed, documents = shingle_documents(x, own, &listed), first = m->first[own->rank];
    uint32_t status = shingle_check(x, own, documents, listed, m->error);
    frequent_shingle frequent = {documents, listed < own->count ? listed : 0, {0}};
    for (uint32_t i = 0; i < listed && !status; i++) {
        uint32_t document = match_posting(own, &x->passages, i);
        if (document >= x->documents)
            return allowing(m->error, "less than %",
                            fail(m->error, POCKET_DAMAGED_FIELD, POCKET_PASSAGES, own->part,
                                 "posting", x->documents, document));
        if (frequent.example_count)
            frequent.examples[i] = document;
        else if (!add_places(m, document, documents, first))
            return fail(m->error, POCKET_NO_MEMORY, POCKET_PASSAGES, -1, NULL, 0, 0);
    }
    if (!status && frequent.example_count) add_frequent(m, &frequent, first);
    return status;
}

static uint32_t look_up_waiting(shingle_matches *m, uint32_t waiting) {
    const pocket_index *x = m->index;
    if (interrupted(m->steps, 8 * (uint64_t)waiting)) return POCKET_INTERRUPTED;
    uint32_t status = look_up_run(&m->look_up, x, &x->passages, 0, m->keys, waiting, m->error);
    if (status == POCKET_NOT_AT_HAND) {
        m->missed = 1; /* on, so that all blocks that are missed are known at once */
        return POCKET_OK;
    }
    for (uint32_t i = 0; i < m->look_up.match_count && !status; i++)
        status = add_documents(m, &m->look_up.matches[i]);
    return status;
}

/* By document and place. */
static int sort_found(shingle_matches *m) {
    uint64_t *keys = pocket_malloc(2 * (size_t)m->count * sizeof *keys);
    shingle_match *sorted = pocket_malloc((size_t)m->count * sizeof *sorted);
    int done = keys && sorted;
    if (done) {
        /* A stable sort by place, then one by document. */
        for (uint32_t i = 0; i < m->count; i++) keys[i] = (uint64_t)m->found[i].place << 32 | i;
        radix_sort64(keys, keys + m->count, m->count, 32, 48);
        for (uint32_t i = 0; i < m->count; i++)
            keys[i] = (uint64_t)m->found[(uint32_t)keys[i]].document << 32 | (uint32_t)keys[i];
        radix_sort64(keys, keys + m->count, m->count, 32, 64);
        for (uint32_t i = 0; i < m->count; i++) sorted[i] = m->found[(uint32_t)keys[i]];
        pocket_free(m->found);
        m->found = sorted;
        m->room = m->count;
        sorted = NULL;
    }
    pocket_free(keys);
    pocket_free(sorted);
    return done;
}

uint32_t shingle_matches_find(shingle_matches *m, const segment *s) {
    uint32_t waiting = 0, status = POCKET_OK;
    m->count = 0;
    memset(m->frequent, 0, s->count * sizeof *m->frequent);
    read_shingles(m, s);
    for (uint32_t i = 0; i < m->asked && !status; i++) {
        if (i > 0 && is_same_shingle(m, i, i - 1)) continue;
        m->keys[waiting] = shingle_key(m->hashes[place_of(m, i)], m->index->shingle_range);
        m->first[waiting++] = i;
        if (waiting == SHINGLES_AT_ONCE) {
            status = look_up_waiting(m, waiting);
            waiting = 0;
        }
    }
    if (!status && waiting) status = look_up_waiting(m, waiting);
    if (!status && m->count && !sort_found(m))
        return fail(m->error, POCKET_NO_MEMORY, POCKET_PASSAGES, -1, NULL, 0, 0);
    return status;
}

/* ---- evidence ---- */

/* How much a shingle says that so many documents have: the fewer, the more. */
static uint32_t weight_of_shingle(uint32_t documents) {
    uint32_t weight = MOST_WEIGHT;
    for (; documents > 1; documents >>= 1) weight--;
    return weight;
}

uint32_t shingle_matches_end(const shingle_matches *m, uint32_t i) {
    uint32_t document = m->found[i].document;
    while (i < m->count && m->found[i].document == document) i++;
    return i;
}

uint32_t shingle_evidence(const shingle_matches *m, uint32_t first, uint32_t last) {
    uint32_t sum = 0, free = 0;
    for (uint32_t i = first; i < last; i++) {
        const shingle_match *own = &m->found[i];
        if (own->place < free || own->again) continue;
        sum += weight_of_shingle(own->documents);
        free = own->place + m->index->shingle_terms;
    }
    return sum;
}

static uint32_t first_at(const shingle_matches *m, uint32_t document, uint32_t place) {
    uint32_t low = 0, high = m->count;
    while (low < high) {
        uint32_t middle = (low + high) / 2;
        const shingle_match *own = &m->found[middle];
        if (own->document < document || (own->document == document && own->place < place))
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

uint32_t shingle_evidence_between(const shingle_matches *m, uint32_t document, uint32_t from,
                                  uint32_t to) {
    return shingle_evidence(m, first_at(m, document, from), first_at(m, document, to));
}

/* ======== sources.c ======== */
/* Text to sources (docs/format.md, section 9): segments -> candidates -> alignments -> passages ->
 * sources, greedily: the one that explains most of what is not explained yet comes next. */

/* ======== trace_segment.h ======== */
/* A segment of the asked text to the passages of it that documents have. */
#ifndef POCKET_TRACE_SEGMENT_H
#define POCKET_TRACE_SEGMENT_H


/* Add what documents have of the segment. */
static uint32_t trace_segment(trace *t);

#endif

static int read_sources_options(const pocket_sources_options *given,
                                pocket_sources_options *options) {
    *options = (pocket_sources_options){sizeof *options, 10, 0};
    if (!given) return 1;
    if (given->most > MOST_SOURCES) return 0;
    if (given->most) options->most = given->most;
    options->cold = given->cold;
    return 1;
}

static uint32_t trace_text(trace *t, const uint8_t *text, uint64_t length, uint32_t *terms) {
    segment_reader r;
    uint32_t status = POCKET_OK;
    segment_reader_begin(&r, text, length, t->steps);
    t->words.text = text;
    while (!status && segment_read(&r, t->segment)) {
        uint32_t before = t->found->count;
        status = trace_segment(t);
        if (!status) status = find_frequent_passages(t, before);
    }
    *terms = (uint32_t)r.before;
    if (!status && t->steps->ended) status = POCKET_INTERRUPTED;
    return !status && t->missed ? (uint32_t)POCKET_NOT_AT_HAND : status;
}

pocket_status pocket_sources(const pocket_index *x, const uint8_t *text, uint64_t length,
                             const pocket_sources_options *given, pocket_sources_found **found,
                             pocket_error *error) {
    static const uint8_t none[1] = {0};
    pocket_sources_options options;
    *found = NULL;
    clear(error);
    if (!x->by_kind[POCKET_PASSAGES] && !x->by_kind[POCKET_WORDS])
        return fail(error, POCKET_NO_PASSAGES, POCKET_PASSAGES, -1, "sections", 1, 0);
    if (given && !options_fit(given, sizeof *given))
        return fail_options(error, given, sizeof *given);
    if (!read_sources_options(given, &options))
        return allowing(
            error, "0 .. %",
            fail(error, POCKET_BAD_ARGUMENT, 0, -1, "most sources", MOST_SOURCES, given->most));
    if (length > MOST_TEXT) return text_too_long(error, length);
    meter steps = meter_of(x);
    passages_found passages = {0};
    uint32_t terms = 0, status = POCKET_NO_MEMORY;
    trace *t = pocket_malloc(sizeof *t);
    if (!t) return fail(error, POCKET_NO_MEMORY, POCKET_PASSAGES, -1, NULL, 0, 0);
    memset(t, 0, sizeof *t);
    t->index = x;
    t->steps = &steps;
    t->error = error;
    t->with_texts = x->text_kept == POCKET_WHOLE;
    t->found = &passages;
    t->shingles.cold = t->words.cold = options.cold != 0;
    if (trace_alloc(t)) status = trace_text(t, text ? text : none, length, &terms);
    if (!status && !choose_sources(&passages, terms, options.most, &steps, found))
        status = steps.ended ? POCKET_INTERRUPTED : POCKET_NO_MEMORY;
    if (!status) (*found)->capped = (uint32_t)t->capped;
    if (!status) (*found)->words_only = t->words_only;
    trace_free(t);
    pocket_free(t);
    pocket_free(passages.passages);
    pocket_free(passages.frequent);
    return fail_as(error, status);
}

void pocket_sources_free(pocket_sources_found *found) { pocket_free(found); }

/* ======== summary.c ======== */
/* What an open index says of itself. */

void pocket_summarize(const pocket_index *x, pocket_summary *s) {
    *s = (pocket_summary){
        .file_size = x->length,
        .documents = x->documents,
        .profile_fingerprint = x->fingerprint,
        .major = x->major,
        .minor = x->minor,
        .scheme = x->profile.scheme->number,
        .stream = x->profile.stream,
        .tables = x->profile.tables,
        .components = x->profile.component_count,
        .mph = x->tables.mph,
        .checksum_bits = x->tables.checksum_bits,
        .posting_bits = x->tables.posting_bits,
        .default_probes = x->tables.default_probes,
        .stride = x->stride,
        .identity_bits = x->identity_bits,
        .least_terms = x->profile.least_terms,
        .classes = x->profile.scheme->classes(&x->profile),
        .scans = (uint32_t)scans_by_default(x),
        .cells = x->cells,
        .cells_asked = x->cells_asked,
        .cells_cold = x->cells_cold,
        .run_terms = x->shingle_terms,
        .run_window = x->shingle_window,
        .run_documents = x->shingle_documents,
        .frequent_runs = x->frequent_shingles,
        .words = x->words,
        .word_postings = x->word_postings,
        .words_heaviest = x->words_heaviest,
        .word_average = x->word_average,
        .word_title_weight = x->word_title_weight,
        .words_room = x->word_room,
        .words_counted = x->words_counted,
        .sketched = x->sketched,
    };
}

uint32_t pocket_section_count(const pocket_index *x) { return x->section_count; }

pocket_status pocket_section_get(const pocket_index *x, uint32_t number, pocket_section *out) {
    if (number >= x->section_count) return POCKET_BAD_ARGUMENT;
    const section *s = &x->sections[number];
    *out = (pocket_section){s->kind, s->flags, s->offset, s->length, s->parameters, s->blocks};
    return POCKET_OK;
}

pocket_status pocket_table_get(const pocket_index *x, uint32_t number, pocket_table *out) {
    if (number >= x->tables.count) return POCKET_BAD_ARGUMENT;
    *out =
        (pocket_table){0, 0, 0, x->profile.keys[number].rows->first, x->profile.keys[number].count};
    uint32_t first;
    table_row(&x->tables, number, &first, &out->parts, &out->keys, &out->postings);
    return POCKET_OK;
}

pocket_status pocket_profile_name(const pocket_index *x, char *name) {
    memset(name, 0, 256);
    memcpy(name, x->profile.name, x->profile.name_length);
    return POCKET_OK;
}

struct hash_bytes {
    const pocket_index *index;
    pocket_error *error;
    uint64_t bytes;
    meter steps;
};

static uint32_t add_hash_bytes(void *argument) {
    struct hash_bytes *a = argument;
    const tables *t = &a->index->tables;
    for (uint32_t i = 0; i < t->section->blocks; i++) {
        const uint8_t *bytes;
        uint64_t length;
        part p;
        uint32_t status =
            interrupted(&a->steps, steps_of(block_end(t->section, i) - block_start(t->section, i)));
        if (!status) status = block_get(a->index, t->section, i, 0, &bytes, &length, a->error);
        if (status) return status;
        const char *field = part_open(&p, bytes, length, t->mph, t->checksum_bits, t->posting_bits);
        if (field) return fail(a->error, POCKET_DAMAGED_FIELD, t->section->kind, i, field, 0, 0);
        a->bytes += p.hash_length;
    }
    return POCKET_OK;
}

pocket_status pocket_hash_bytes(const pocket_index *x, uint64_t *bytes, pocket_error *error) {
    struct hash_bytes a = {x, error, 0, meter_of(x)};
    clear(error);
    uint32_t status = guarded(x, add_hash_bytes, &a);
    *bytes = a.bytes;
    return fail_as(error, status);
}

uint32_t pocket_min_similarity(const pocket_index *x, uint64_t documents, int stored) {
    if (documents < x->documents) documents = x->documents;
    if (documents > UINT32_MAX) documents = UINT32_MAX;
    return min_similarity(&x->profile, (uint32_t)documents, !stored);
}

uint32_t pocket_more_than_chance(const pocket_index *x, uint64_t documents, int stored,
                                 const pocket_hit *hits, uint32_t count) {
    uint32_t least = pocket_min_similarity(x, documents, stored), i = 0;
    while (i < count && hits[i].similarity == 10000) i++;
    if (i == count || hits[i].similarity < least) return i;
    while (i < count && hits[i].similarity >= least - least / 8) i++;
    return i;
}

uint32_t pocket_similarity_error(const pocket_index *x, uint32_t similarity) {
    return similarity_error(&x->profile, similarity);
}

/* ======== tally.c ======== */


#define SPARSE 8u /* a table costs about so many times an array's entry */

int tally_alloc(tally *t, uint32_t documents, uint64_t postings) {
    uint32_t bits = 4;
    while (bits < 32 && 1ull << bits < 2 * postings) bits++;
    int sparse = SPARSE << bits < documents;
    *t = (tally){.size = sparse ? 1ull << bits : documents, .shift = 32 - bits};
    size_t bytes = (size_t)(t->size ? t->size : 1) * sizeof *t->sums * (sparse ? 2 : 1);
    t->sums = pocket_malloc(bytes);
    if (!t->sums) return 0;
    memset(t->sums, 0, bytes);
    if (sparse) t->documents = t->sums + t->size;
    return 1;
}

void tally_free(tally *t) { pocket_free(t->sums); }

/* Where a document's sum is, or the free place where it would be: no more than half are taken. */
static uint64_t tally_place(const tally *t, uint32_t document) {
    uint64_t i = (document * 0x9E3779B1u) >> t->shift;
    while (t->documents[i] != 0 && t->documents[i] != document + 1) i = (i + 1) & (t->size - 1);
    return i;
}

void tally_add(tally *t, const uint32_t *documents, uint32_t count, uint32_t sum) {
    if (!t->documents) {
        for (uint32_t i = 0; i < count; i++) t->sums[documents[i]] += sum;
        return;
    }
    for (uint32_t i = 0; i < count; i++) {
        uint64_t place = tally_place(t, documents[i]);
        t->documents[place] = documents[i] + 1;
        t->sums[place] += sum;
    }
}

void tally_exclude(tally *t, const uint32_t *documents, uint32_t count) {
    for (uint32_t i = 0; i < count; i++) {
        uint64_t place = t->documents ? tally_place(t, documents[i]) : documents[i];
        if (t->sums[place]) t->sums[place] |= TALLY_EXCLUDED;
    }
}

uint32_t tally_sum(const tally *t, uint32_t document) {
    return t->sums[t->documents ? tally_place(t, document) : document];
}

/* ======== trace.c ======== */
/* What is known of a segment while it is traced, and what was found. */


#define EXPLAINED 80u /* percent of a sentence */
#define EXPLAINED_LONGER 50u

int trace_alloc(trace *t) {
    t->segment = pocket_malloc(sizeof *t->segment);
    t->explained = pocket_malloc(SEGMENT_ROOM * sizeof *t->explained);
    t->reader.index = t->words.index = t->shingles.index = t->index;
    t->words.steps = t->shingles.steps = t->document.steps = t->steps;
    t->words.error = t->shingles.error = t->error;
    return t->segment && t->explained &&
           (!t->index->by_kind[POCKET_PASSAGES] || shingle_matches_alloc(&t->shingles, t->index));
}

void trace_free(trace *t) {
    pocket_free(t->segment);
    pocket_free(t->claims);
    pocket_free(t->order);
    pocket_free(t->explained);
    document_terms_free(&t->document);
    word_candidates_free(&t->words);
    if (t->shingles.memory) shingle_matches_free(&t->shingles);
    text_reader_free(&t->reader);
}

/* ---- what was found ---- */

int add_found(trace *t, const found_passage *own) {
    passages_found *f = t->found;
    found_passage *passages =
        array_grow(f->passages, &f->room, f->count, f->count + 1, sizeof *passages);
    if (!passages) return 0;
    f->passages = passages;
    f->passages[f->count++] = *own;
    return 1;
}

void explain(trace *t, uint32_t first, uint32_t last, uint32_t document) {
    for (uint32_t i = first; i < last; i++)
        if (!t->explained[i]) t->explained[i] = document + 1;
}

found_passage passage_of(const trace *t, uint32_t document, uint32_t first, uint32_t last) {
    const segment *s = t->segment;
    return (found_passage){.document = document,
                           .first = (uint32_t)s->base + first,
                           .last = (uint32_t)s->base + last,
                           .start = s->starts[first],
                           .end = s->ends[last - 1]};
}

int is_explained(const trace *t, const unit *u) {
    uint32_t count = 0;
    for (uint32_t i = u->first; i < u->last; i++) count += t->explained[i] > 0;
    return 100 * count >=
           (u->kind == SENTENCE ? EXPLAINED : EXPLAINED_LONGER) * (u->last - u->first);
}

/* ======== trace_segment.c ======== */
/* Candidates of a segment's units, and what their texts say: first those that have shingles of it,
 * then, for what these do not explain, those that have its rarest words. */


static int is_claimed(const trace *t, const candidate *c, uint32_t count) {
    for (uint32_t i = 0; i < count; i++)
        if (t->claims[i].candidate.document == c->document &&
            t->claims[i].candidate.unit == c->unit)
            return 1;
    return 0;
}

/* Candidates for the units that are not explained. */
static uint32_t find_by_words(void *argument) {
    trace *t = argument;
    uint32_t before = t->claim_count;
    for (uint32_t i = 0; i < t->segment->unit_count; i++) {
        const unit *u = &t->segment->units[i];
        if (is_explained(t, u)) continue;
        uint32_t status = word_candidates_of(&t->words, i);
        if (status) return status;
        for (uint32_t k = 0; k < t->words.found_count; k++) {
            claim own = {.candidate = t->words.found[k]};
            if (t->with_texts) {
                if (!is_worth_reading(&t->words, &own.candidate) ||
                    is_claimed(t, &own.candidate, before))
                    continue;
            } else {
                uint32_t evidence = 0;
                if (t->shingles.memory)
                    evidence = shingle_evidence_between(&t->shingles, own.candidate.document,
                                                        u->first, u->last);
                own.estimate = estimate_of(&t->words, &own.candidate, evidence);
            }
            add_claim(t, &own);
        }
    }
    return POCKET_OK;
}

static uint32_t look_claimed_terms(void *argument) {
    trace *t = argument;
    uint32_t status = POCKET_OK;
    for (uint32_t i = 0; i < t->claim_count; i++) {
        const unit *u = &t->segment->units[t->claims[i].candidate.unit];
        for (uint32_t k = u->first; k < u->last && !status; k++)
            status = term_look(&t->words, t->segment->ids[k]);
    }
    return status;
}

/* What shingles do not explain, by words. */
static uint32_t look_by_words(trace *t) {
    uint32_t status = POCKET_OK;
    if (t->index->by_kind[POCKET_WORDS]) status = guarded(t->index, find_by_words, t);
    if (!status && t->with_texts && t->claim_count) {
        status = guarded(t->index, look_claimed_terms, t);
        if (!status) status = align_claims(t);
    }
    return status ? status : judge_claims(t);
}

uint32_t trace_segment(trace *t) {
    uint32_t status = POCKET_OK;
    int missed_before = t->missed;
    t->found_before = t->found->count;
    t->missed = t->shingles.missed = 0;
    memset(t->explained, 0, t->segment->count * sizeof *t->explained);
    word_candidates_begin(&t->words, t->segment);
    t->shingles.count = 0;
    if (t->shingles.memory) {
        status = guarded(t->index, find_by_shingles, t);
        if (!status && t->with_texts) status = look_into_best(t);
        if (!status && t->with_texts) status = take_wholes(t);
    }
    t->missed |= t->shingles.missed;
    /* What is not at hand may explain the text: nothing is asked for in its place. */
    if (!status && !t->missed) status = look_by_words(t);
    t->claim_count = 0;
    t->missed |= t->words.missed | missed_before;
    t->capped |= t->words.capped;
    return !status && t->exhausted ? (uint32_t)POCKET_NO_MEMORY : status;
}

/* ======== verify.c ======== */
/* Everything that docs/format.md says of a file, checked against the file. */

typedef struct check {
    const pocket_index *index;
    const tables *tables;
    uint32_t table, part;
    uint8_t *digits;
    uint64_t *keys;
    uint32_t *slots;
    uint64_t keys_seen, postings_seen;
    uint64_t frequent, frequent_postings; /* as the table of all shingles has them */
    meter steps;
    pocket_error *error;
} check;

static uint32_t wrong(const check *c, const char *field, uint64_t expected, uint64_t found) {
    return fail(c->error, POCKET_DAMAGED_FIELD, c->tables->section->kind, c->part, field, expected,
                found);
}

/* How many documents these tables are about: those of sketches know the documents that have one. */
static uint32_t documents_of(const check *c, const tables *t) {
    return t == &c->index->tables ? c->index->sketched : c->index->documents;
}

/* The key under which a posting of this table must stand. For ids the documents section says it:
 * see check_documents. */
static uint32_t key_of(const check *c, uint32_t document, uint64_t *key) {
    const profile *p = &c->index->profile;
    packed_sketch stored;
    uint8_t room[MOST_SKETCH_BYTES];
    uint32_t status = sketch_get(c->index, document, &stored, c->error);
    if (status) return status;
    if (!sub_key_of_packed(p, c->table, sketch_whole(p, stored, room), key))
        return fail(c->error, POCKET_DAMAGED_FIELD, POCKET_SKETCHES,
                    document / c->index->block_documents, "digit", 0, 0);
    return POCKET_OK;
}

/* The perfect hash of a similarity table's part gives each key its slot, and the part is where its
 * keys belong. */
static uint32_t check_hash(const check *c, const part *p) {
    const pocket_index *x = c->index;
    uint64_t smallest = UINT64_MAX;
    if (c->tables->mph == POCKET_MPH_PILOT) {
        uint64_t mixed;
        for (uint32_t slot = 0; slot < p->keys; slot++) {
            mixed = mix64(c->keys[slot]);
            pilot_slots(&p->pilot, &mixed, 1, &c->slots[slot]);
        }
    } else if (!x->slots ||
               x->slots(c->tables->mph, p->hash, p->hash_length, c->keys, p->keys, c->slots)) {
        return x->slots ? wrong(c, "minimal perfect hash", 0, 0)
                        : fail(c->error, POCKET_NEEDS_CMPH, POCKET_TABLES, c->part,
                               "minimal perfect hash", 0, c->tables->mph);
    }
    for (uint32_t slot = 0; slot < p->keys; slot++) {
        if (c->slots[slot] != slot) return wrong(c, "slot of a key", slot, c->slots[slot]);
        uint32_t first, parts;
        table_row(c->tables, c->table, &first, &parts, NULL, NULL);
        uint32_t home = block_find(c->tables->section, first, first + parts, c->keys[slot]);
        if (home != c->part) return wrong(c, "part of a key", c->part, home);
        if (c->keys[slot] < smallest) smallest = c->keys[slot];
    }
    uint64_t first = block_first(c->tables->section, c->part);
    return smallest == first ? POCKET_OK : wrong(c, "first", smallest, first);
}

/* The keys of a part of the passages rise, from its first one to below that of the next part. */
static uint32_t check_order(const check *c, const part *p) {
    const section *s = c->tables->section;
    uint32_t rest = c->tables->checksum_bits;
    uint64_t first = block_first(s, c->part), least = first >> rest << rest, last;
    uint32_t start, parts;
    table_row(c->tables, c->table, &start, &parts, NULL, NULL);
    uint64_t most = c->part + 1 < start + parts ? block_first(s, c->part + 1) - 1
                                                : ((uint64_t)c->index->shingle_range << 8) - 1;
    const char *field = quotient_check(&p->quotient, first - least, &last);
    if (field) return wrong(c, field, 0, 0);
    return least + last <= most
               ? POCKET_OK
               : allowing(c->error, "at most %", wrong(c, "last key", most, least + last));
}

/* The number of documents of a shingle is in keeping with what its postlist is. listed: the documents
 * in it. */
static uint32_t check_shingle(check *c, const match *own, uint32_t *listed) {
    const pocket_index *x = c->index;
    *listed = own->count;
    if (c->table == FREQUENT_SHINGLES)
        return own->count > x->shingle_documents
                   ? (uint32_t)POCKET_OK
                   : allowing(c->error, "more than %",
                              wrong(c, "documents of a shingle", x->shingle_documents, own->count));
    uint32_t documents = shingle_documents(x, own, listed);
    uint32_t status = shingle_check(x, own, documents, *listed, c->error);
    if (*listed < own->count) {
        c->frequent++;
        c->frequent_postings += documents;
    }
    return status;
}

/* The table of frequent shingles has those that the table of all of them names. */
static uint32_t check_frequent(const check *c) {
    uint32_t first, parts;
    uint64_t keys, postings;
    table_row(c->tables, FREQUENT_SHINGLES, &first, &parts, &keys, &postings);
    if (keys != c->frequent) return wrong(c, "frequent keys", c->frequent, keys);
    return postings == c->frequent_postings
               ? POCKET_OK
               : wrong(c, "postings of frequent keys", c->frequent_postings, postings);
}

/* Every slot's postlist is well-formed and, in the similarity tables, of one key that belongs in
 * this slot of this part. */
static uint32_t check_part(void *argument) {
    check *c = argument;
    const pocket_index *x = c->index;
    int similarity_table = c->tables == &x->tables;
    part p;
    uint32_t status = part_get(x, c->tables, c->part, 1, &p, c->error), next = 0;
    if (status) return status;
    for (uint32_t slot = 0; slot < p.keys; slot++) {
        uint32_t start = 0, count = part_postlist(&p, slot, &start), before = 0;
        if (interrupted(&c->steps, 4)) return POCKET_INTERRUPTED;
        if (count == 0) return wrong(c, "postlist", 0, 0);
        if (start != next) return wrong(c, "postings before a slot", next, start);
        next = start + count;
        if (c->tables == &x->passages) {
            match own = {p.postings, 0, c->part, start, count};
            if ((status = check_shingle(c, &own, &count))) return status;
        }
        for (uint32_t i = 0; i < count; i++) {
            uint32_t document = part_posting(&p, start + i);
            uint64_t key = 0;
            if (interrupted(&c->steps, steps_of(x->stride))) return POCKET_INTERRUPTED;
            if (document >= documents_of(c, c->tables))
                return allowing(c->error, "less than %",
                                wrong(c, "posting", documents_of(c, c->tables), document));
            if (i > 0 && document <= before)
                return allowing(c->error, "more than %", wrong(c, "posting", before, document));
            before = document;
            if (!similarity_table) continue;
            if ((status = key_of(c, document, &key))) return status;
            if (i == 0) c->keys[slot] = key;
            if (key != c->keys[slot]) return wrong(c, "key of a posting", c->keys[slot], key);
        }
        if (similarity_table && !part_agrees(&p, slot, mix64(c->keys[slot])))
            return wrong(c, "checksum of a slot", 0, 0);
    }
    if (next != p.count) return wrong(c, "postings", p.count, next);
    for (uint32_t i = 0; c->tables->mph == POCKET_MPH_PILOT && i < pilot_spare(p.keys); i++) {
        uint32_t remapped = load16(p.pilot.remap + 2 * (size_t)i);
        if (remapped >= p.keys)
            return allowing(c->error, "0 .. %", wrong(c, "remapped slot", p.keys - 1, remapped));
    }
    c->keys_seen += p.keys;
    c->postings_seen += p.count;
    if (c->tables->mph == POCKET_MPH_QUOTIENT) return check_order(c, &p);
    if (!similarity_table) return POCKET_OK;
    return check_hash(c, &p);
}

static uint32_t check_tables(check *c, const tables *t) {
    c->tables = t;
    for (c->table = 0; c->table < t->count; c->table++) {
        uint32_t first, parts;
        uint64_t keys, postings;
        table_row(t, c->table, &first, &parts, &keys, &postings);
        c->keys_seen = c->postings_seen = 0;
        for (c->part = first; c->part < first + parts; c->part++) {
            uint32_t status = check_part(c);
            if (status) return status;
        }
        c->part = first;
        if (keys != c->keys_seen) return wrong(c, "keys", keys, c->keys_seen);
        if (postings != c->postings_seen) return wrong(c, "postings", postings, c->postings_seen);
        if (t == &c->index->passages) {
            uint32_t status = c->table == FREQUENT_SHINGLES ? check_frequent(c) : POCKET_OK;
            if (status) return status;
        } else if (postings != documents_of(c, t)) {
            return wrong(c, "documents", documents_of(c, t), postings);
        }
    }
    return POCKET_OK;
}

/* CRCs of all blocks, digits of all sketches, padding after them. */
static uint32_t check_sketches(check *c) {
    const pocket_index *x = c->index;
    const section *s = x->by_kind[POCKET_SKETCHES];
    const profile *p = &x->profile;
    uint32_t spare = sketch_bytes(p) * 8 - p->sketch_bits, coarse = coarse_bytes(p);
    uint8_t room[MOST_SKETCH_BYTES];
    for (uint32_t block = 0; block < s->blocks; block++) {
        const uint8_t *bytes;
        uint64_t length;
        uint32_t status = block_get(x, s, block, 1, &bytes, &length, c->error);
        if (status) return status;
        packed_sketch stored = {bytes, bytes + length / x->stride * coarse};
        for (const uint8_t *end = stored.rest; stored.coarse < end;
             stored.coarse += coarse, stored.rest += x->stride - coarse) {
            const uint8_t *sketch = sketch_whole(p, stored, room);
            if (interrupted(&c->steps, steps_of(8 * x->stride))) return POCKET_INTERRUPTED;
            if (!sketch_unpack(p, sketch, 0, p->component_count, 0, c->digits))
                return fail(c->error, POCKET_DAMAGED_FIELD, s->kind, block, "digit", 0, 0);
            if (load_bits(sketch, p->sketch_bits, spare) != 0)
                return fail(c->error, POCKET_DAMAGED_FIELD, s->kind, block, "padding", 0, 0);
        }
    }
    return POCKET_OK;
}

/* CRCs of every section's head as it is in the file, where that is at hand, and of the blocks of
 * sections that this reader does not know. */
static uint32_t check_sections(check *c) {
    const pocket_index *x = c->index;
    for (uint32_t i = 0; i < x->section_count; i++) {
        const section *s = &x->sections[i];
        uint32_t found = crc32c(0, x->lent ? s->bytes : s->body - s->head, (size_t)s->head);
        if (found != s->seal)
            return fail(c->error, POCKET_DAMAGED_CHECKSUM, s->kind, -1, "CRC32C", s->seal, found);
        for (uint32_t block = 0; s->kind >= POCKET_SECTION_KINDS && block < s->blocks; block++) {
            const uint8_t *bytes;
            uint64_t length;
            uint32_t status =
                interrupted(&c->steps, steps_of(block_end(s, block) - block_start(s, block)));
            if (!status) status = block_get(x, s, block, 1, &bytes, &length, c->error);
            if (status) return status;
        }
    }
    return POCKET_OK;
}

/* Every stop word stands where a look-up finds it. */
static uint32_t check_stops(const check *c) {
    const profile *p = &c->index->profile;
    for (uint32_t i = 0; i < p->stop_slots; i++) {
        uint64_t stop = load64(p->stops + 8 * (size_t)i);
        if (stop != 0 && !profile_stops(p->stops, p->stop_slots, stop))
            return fail(c->error, POCKET_DAMAGED_FIELD, POCKET_PROFILE, -1, "stop words", 0, 0);
    }
    return POCKET_OK;
}

static uint32_t check_guarded(void *argument) {
    check *c = argument;
    uint32_t status = check_sections(c);
    if (!status) status = check_stops(c);
    if (!status) status = check_sketches(c);
    if (!status) status = verify_optional(c->index, c->error);
    if (!status) status = check_tables(c, &c->index->tables);
    if (!status && c->index->by_kind[POCKET_PASSAGES])
        status = check_tables(c, &c->index->passages);
    return status ? status : check_tables(c, &c->index->ids);
}

/* ---- documents: a block at a time, ids looked up in batches ---- */

#define IDS_AT_ONCE 256u

typedef struct batch {
    const pocket_index *index;
    look_up look_up;
    uint64_t keys[IDS_AT_ONCE];
    uint32_t first, count, block;
    uint64_t smallest;       /* keys met that are the first of their part */
    uint64_t titles;         /* the sum of the titles' marks, where there is a titles section */
    const uint8_t *at, *end; /* of the block: the next record */
    uint8_t *room;           /* RECORD_ROOM */
    meter steps;
    pocket_error *error;
} batch;

/* Is document one of these postings, which rise (check_part)? A hostile file can have all its ids
 * in one postlist. */
static int has_posting(const tables *ids, const match *m, uint32_t document) {
    uint32_t start = 0, end = m->count;
    while (start < end) {
        uint32_t middle = start + (end - start) / 2, posting = match_posting(m, ids, middle);
        if (posting == document) return 1;
        if (posting < document)
            start = middle + 1;
        else
            end = middle;
    }
    return 0;
}

static uint32_t check_ids(batch *b) {
    const tables *ids = &b->index->ids;
    uint32_t found = 0;
    b->look_up.passed = 0;
    uint32_t status = look_up_run(&b->look_up, b->index, ids, 0, b->keys, b->count, b->error);
    for (uint32_t i = 0; !status && i < b->look_up.match_count; i++) {
        const match *m = &b->look_up.matches[i];
        if (b->keys[m->rank] == block_first(ids->section, m->part)) b->smallest++;
        found += has_posting(ids, m, b->first + m->rank) != 0;
    }
    if (status || found == b->count) return status;
    return fail(b->error, POCKET_DAMAGED_FIELD, POCKET_IDS, -1, "ids found", b->count, found);
}

static uint32_t check_records(batch *b, uint32_t next) {
    for (b->count = 0; b->count < IDS_AT_ONCE && b->first + b->count < next; b->count++) {
        record r;
        if (interrupted(&b->steps, 16)) return POCKET_INTERRUPTED;
        if (record_read(b->index, &b->at, b->end, b->room, RECORD_ROOM, &r) != RECORD_READ)
            return fail(b->error, POCKET_DAMAGED_FIELD, POCKET_DOCUMENTS, b->block, "record", 0, 0);
        if (!record_is_utf8(&r))
            return fail(b->error, POCKET_DAMAGED_FIELD, POCKET_DOCUMENTS, b->block, "UTF-8", 0, 0);
        b->keys[b->count] = murmur(r.id, r.id_length);
        if (b->index->by_kind[POCKET_TITLES])
            b->titles += titles_mark(r.title, r.title_length, b->first + b->count);
    }
    return POCKET_OK;
}

static uint32_t check_documents(void *argument) {
    batch *b = argument;
    const section *s = b->index->by_kind[POCKET_DOCUMENTS];
    for (b->block = 0; b->block < s->blocks; b->block++) {
        uint64_t length;
        uint32_t next =
            b->block + 1 < s->blocks ? (uint32_t)block_first(s, b->block + 1) : b->index->documents;
        uint32_t status = block_get(b->index, s, b->block, 1, &b->at, &length, b->error);
        if (status) return status;
        for (b->end = b->at + length; b->first < next; b->first += b->count)
            if ((status = check_records(b, next)) || (status = check_ids(b))) return status;
        if (b->at != b->end)
            return fail(b->error, POCKET_DAMAGED_FIELD, POCKET_DOCUMENTS, b->block,
                        "bytes after the last record", 0, (uint64_t)(b->end - b->at));
    }
    uint32_t parts = b->index->ids.section->blocks;
    return b->smallest >= parts ? POCKET_OK
                                : fail(b->error, POCKET_DAMAGED_FIELD, POCKET_IDS, -1,
                                       "parts that begin with an id's key", parts, b->smallest);
}

pocket_status pocket_verify(const pocket_index *x, pocket_error *error) {
    check c = {.index = x, .steps = meter_of(x), .error = error};
    batch b = {.index = x, .steps = meter_of(x), .error = error};
    size_t keys = 65536;
    clear(error);
    c.keys = pocket_malloc(keys * (sizeof *c.keys + sizeof *c.slots) + x->profile.component_count);
    b.room = pocket_malloc(RECORD_ROOM);
    int ready = look_up_alloc(&b.look_up, IDS_AT_ONCE, x->most_parts);
    uint32_t status = POCKET_NO_MEMORY;
    if (c.keys && b.room && ready) {
        c.slots = (uint32_t *)(c.keys + keys);
        c.digits = (uint8_t *)(c.slots + keys);
        status = guarded(x, check_guarded, &c);
        if (!status) status = guarded(x, check_documents, &b);
        if (!status) status = texts_verify(x, error);
        if (!status && x->by_kind[POCKET_TITLES]) status = titles_verify(x, b.titles, error);
        if (!status && x->by_kind[POCKET_LABELS]) status = labels_verify(x, error);
    }
    look_up_free(&b.look_up);
    pocket_free(b.room);
    pocket_free(c.keys);
    return fail_as(error, status);
}

/* ======== word_candidates.c ======== */
/* The rarest words of a unit to the documents that have most of them (docs/format.md, section 9).
 */


#define COMMON 100u           /* a word that more than one document in so many has is common */
#define LEAST_COMMON 64u      /* documents */
#define SENTENCE_MAKERS 6u    /* words of a sentence whose documents are candidates, the rarest */
#define WINDOW_MAKERS 12u     /* the same of a longer unit */
#define LEAST_RARE 3u         /* words of a unit whose documents are candidates, however common */
#define FEW_COMPLETE 20u      /* documents that have all of them: of more, commoner words decide */
#define MOST_POSTINGS 262144u /* of one word that are read */
#define TAKEN_AT_ONCE 512u
#define UNWEIGHED 2048u /* of a word that nothing is known of, in 1/256 bit */

void word_candidates_free(word_candidates *w) {
    pocket_free(w->documents);
    pocket_free(w->levels);
    pocket_free(w->sums);
    pocket_free(w->touched);
}

void word_candidates_begin(word_candidates *w, segment *s) {
    w->segment = s;
    w->count = 0;
}

static uint32_t no_memory(const word_candidates *w) {
    return fail(w->error, POCKET_NO_MEMORY, POCKET_WORDS, -1, NULL, 0, 0);
}

/* ---- words ---- */

static uint32_t unless_word_missed(word_candidates *w, uint32_t status) {
    if (status != POCKET_NOT_AT_HAND) return status;
    w->missed = 1;
    return POCKET_OK;
}

/* Go to a term of the segment: two terms may have the same bytes of the text. */
static int go_to_term(const word_candidates *w, const segment_term *term, term_stream *t) {
    const segment *s = w->segment;
    uint32_t start = s->starts[term->first], end = s->ends[term->first];
    term_stream_begin(t, w->text + start, end - start, STREAM_EVERY_WORD);
    while (term_stream_next(t))
        if (murmur(t->bytes, t->length) == term->hash) return 1;
    return 0;
}

static uint32_t find_list(const word_candidates *w, const segment_term *term, word_list *list,
                          int *found) {
    term_stream t;
    words_block b;
    *found = 0;
    if (!go_to_term(w, term, &t)) return POCKET_OK;
    uint32_t status = words_find(&b, w->index, t.bytes, t.length, found, w->error);
    return status || !*found ? status : word_list_open(list, &b);
}

/* In a file without words: as the profile weighs it, in sixteenths of a bit. */
static void weigh_term(const word_candidates *w, segment_term *term) {
    const profile *p = &w->index->profile;
    term_stream t;
    pocket_class own = {0, -1, 0};
    if (go_to_term(w, term, &t)) own = p->scheme->classify(p, &t);
    uint32_t weight = (uint32_t)(own.value < 0 ? -own.value : own.value);
    term->idf = own.number < 0 ? UNWEIGHED / 8 : weight > 1 ? 16 * weight : UNWEIGHED;
    term->documents = w->index->documents >> (term->idf >> 8 < 31 ? term->idf >> 8 : 31);
}

uint32_t term_look(word_candidates *w, uint32_t number) {
    segment_term *term = &w->segment->terms[number];
    word_list list = {.documents = 0};
    int found;
    if (term->looked) return POCKET_OK;
    term->looked = 1;
    if (!w->index->by_kind[POCKET_WORDS]) {
        weigh_term(w, term);
        return POCKET_OK;
    }
    uint32_t status = unless_word_missed(w, find_list(w, term, &list, &found));
    if (!status && found) {
        term->documents = list.documents;
        term->listed = list.total > 0;
    }
    term->idf = word_idf(w->index->documents, term->documents);
    return status;
}

/* Read the postings of a term, once. */
static int make_postings_room(word_candidates *w, uint32_t more) {
    uint32_t room = w->room, wanted = w->count + more;
    uint8_t *levels = array_grow(w->levels, &room, w->count, wanted, sizeof *levels);
    if (levels) w->levels = levels;
    uint32_t *documents =
        levels ? array_grow(w->documents, &w->room, w->count, wanted, sizeof *documents) : NULL;
    if (documents) w->documents = documents;
    return documents != NULL;
}

static uint32_t read_postings(word_candidates *w, uint32_t number) {
    segment_term *term = &w->segment->terms[number];
    word_list list;
    int found;
    if (term->list_end || !term->listed) return POCKET_OK;
    uint32_t status = find_list(w, term, &list, &found);
    if (status || !found) return status;
    uint32_t total = list.total < MOST_POSTINGS ? list.total : MOST_POSTINGS;
    if (list.total > total) w->capped = 1;
    if (!make_postings_room(w, total)) return no_memory(w);
    term->list = (uint32_t)w->count;
    while (w->count - term->list < total) {
        uint32_t level, count, left = total - (uint32_t)(w->count - term->list);
        status = word_list_take(&list, w->documents + w->count,
                                left < TAKEN_AT_ONCE ? left : TAKEN_AT_ONCE, &level, &count);
        if (status || !count) break;
        memset(w->levels + w->count, (int)level, count);
        w->count += count;
        if (interrupted(w->steps, count / 8 + 1)) return POCKET_INTERRUPTED;
    }
    term->list_end = (uint32_t)w->count;
    return status;
}

/* ---- the words of a unit ---- */

static int is_rarer(const word_candidates *w, uint32_t a, uint32_t b) {
    const segment_term *x = &w->segment->terms[a], *y = &w->segment->terms[b];
    return x->documents != y->documents ? x->documents < y->documents : a < b;
}

static uint32_t common_from(const word_candidates *w) {
    uint32_t from = w->index->documents / COMMON;
    return from > LEAST_COMMON ? from : LEAST_COMMON;
}

uint32_t choose_words(word_candidates *w, const unit *u) {
    uint32_t most = u->kind == SENTENCE ? SENTENCE_WORDS : WINDOW_WORDS, common = common_from(w);
    w->word_count = 0;
    w->makers = u->kind == SENTENCE ? SENTENCE_MAKERS : WINDOW_MAKERS;
    for (uint32_t i = u->first; i < u->last; i++) {
        uint32_t number = w->segment->ids[i], k, status = term_look(w, number);
        if (status) return status;
        if (!w->any_word && !w->segment->terms[number].listed) continue;
        for (k = 0; k < w->word_count && w->words[k] != number; k++) {
        }
        if (k < w->word_count) continue;
        if (w->word_count == most && !is_rarer(w, number, w->words[most - 1])) continue;
        if (w->word_count < most) w->word_count++;
        for (k = w->word_count - 1; k > 0 && is_rarer(w, number, w->words[k - 1]); k--)
            w->words[k] = w->words[k - 1];
        w->words[k] = number;
    }
    w->spare_count = w->word_count;
    while (w->word_count > LEAST_RARE &&
           w->segment->terms[w->words[w->word_count - 1]].documents > common)
        w->word_count--;
    return POCKET_OK;
}

/* ---- documents ---- */

static int make_table(word_candidates *w, uint64_t postings) {
    uint32_t size = 1024;
    while (size < 2 * postings && size < 1u << 31) size *= 2;
    w->touched_count = 0;
    if (size <= w->size) return 1;
    pocket_free(w->sums);
    pocket_free(w->touched);
    w->size = 0;
    w->sums = pocket_malloc((size_t)size * sizeof *w->sums);
    w->touched = pocket_malloc((size_t)size / 2 * sizeof *w->touched);
    if (!w->sums || !w->touched) return 0;
    memset(w->sums, 0, (size_t)size * sizeof *w->sums);
    w->size = size;
    return 1;
}

/* more: documents that had none of the words before count, too. */
static void add_postings(word_candidates *w, uint32_t which, int more) {
    const segment_term *term = &w->segment->terms[w->words[which]];
    for (uint32_t i = term->list; i < term->list_end; i++) {
        uint32_t document = w->documents[i] + 1, level = w->levels[i],
                 slot = (document * 0x9E3779B1u) & (w->size - 1);
        while (w->sums[slot].document && w->sums[slot].document != document)
            slot = (slot + 1) & (w->size - 1);
        document_sum *sum = &w->sums[slot];
        if (!sum->document && !more) continue;
        if (!sum->document) {
            *sum = (document_sum){document, 0, 0, WORD_LEVELS};
            w->touched[w->touched_count++] = slot;
        }
        sum->mask |= 1u << which;
        sum->mass += term->idf * (24 + level);
        if (level < sum->level) sum->level = level;
    }
}

static int is_complete(const word_candidates *w, const document_sum *sum) {
    return sum->mask == (uint32_t)((1ull << w->word_count) - 1);
}

static uint32_t count_complete(const word_candidates *w) {
    uint32_t count = 0;
    for (uint32_t i = 0; i < w->touched_count; i++)
        count += (uint32_t)is_complete(w, &w->sums[w->touched[i]]);
    return count;
}

/* Those that have all the words come first, whatever the mass of the others: one of them may have
 * the unit word for word. */
static int is_better(const word_candidates *w, uint32_t one, uint32_t other) {
    const document_sum *a = &w->sums[one], *b = &w->sums[other];
    int complete = is_complete(w, a);
    if (complete != is_complete(w, b)) return complete;
    return a->mass != b->mass ? a->mass > b->mass : a->document < b->document;
}

static uint32_t choose_best(word_candidates *w, uint32_t most) {
    uint32_t count = 0, *best = w->best;
    for (uint32_t i = 0, k; i < w->touched_count; i++) {
        uint32_t slot = w->touched[i];
        if (count == most && !is_better(w, slot, best[count - 1])) continue;
        if (count < most) count++;
        for (k = count - 1; k > 0 && is_better(w, slot, best[k - 1]); k--) best[k] = best[k - 1];
        best[k] = slot;
    }
    return count;
}

static uint32_t read_word(word_candidates *w, uint32_t which) {
    uint32_t status = unless_word_missed(w, read_postings(w, w->words[which]));
    const segment_term *term = &w->segment->terms[w->words[which]];
    if (!status) status = interrupted(w->steps, (term->list_end - term->list) / 4 + 1);
    return status;
}

/* The documents that have the unit's rare words; where many have them all, those that have
 * commoner ones, too. */
static uint32_t add_up(word_candidates *w, int alone) {
    uint64_t postings = 0;
    uint32_t rare = w->word_count, status = POCKET_OK;
    for (uint32_t i = 0; i < rare && !status; i++) {
        status = read_word(w, i);
        const segment_term *term = &w->segment->terms[w->words[i]];
        if (i < w->makers) postings += term->list_end - term->list;
    }
    if (status) return status;
    if (!make_table(w, postings)) return no_memory(w);
    for (uint32_t i = 0; i < rare; i++) add_postings(w, i, i < w->makers);
    while (w->word_count < w->spare_count &&
           (w->word_count < LEAST_ASKED || count_complete(w) > FEW_COMPLETE)) {
        if ((status = read_word(w, w->word_count))) return status;
        add_postings(w, w->word_count++, 0);
    }
    uint32_t most = alone ? MOST_CANDIDATES : MOST_OF_MORE, complete = count_complete(w);
    if (alone && !w->cold && complete > most) most = complete;
    if (most > MOST_COMPLETE) most = MOST_COMPLETE;
    if (alone && complete > most) w->capped = 1;
    w->found_count = choose_best(w, most);
    return POCKET_OK;
}

/* The length of a document in quarters of the average: that of one which has a word once, with this
 * level. */
static const uint8_t lengths[WORD_LEVELS + 1] = {64, 16, 10, 6, 3, 1, 1, 1, 4};

uint32_t word_candidates_of(word_candidates *w, uint32_t number) {
    const unit *u = &w->segment->units[number];
    uint64_t whole = 0;
    uint32_t status = choose_words(w, u);
    w->found_count = 0;
    if (status || !w->word_count) return status;
    status = add_up(w, unit_is_alone(w->segment, u));
    for (uint32_t k = 0; k < w->word_count; k++) whole += w->segment->terms[w->words[k]].idf;
    for (uint32_t i = 0; i < w->found_count && !status; i++) {
        const document_sum *sum = &w->sums[w->best[i]];
        uint64_t own = 0;
        for (uint32_t k = 0; k < w->word_count; k++)
            if (sum->mask >> k & 1) own += w->segment->terms[w->words[k]].idf;
        w->found[i] = (candidate){sum->document - 1, number, (uint32_t)(1024 * own / whole),
                                  lengths[sum->level], sum->mask};
    }
    for (uint32_t i = 0; i < w->touched_count; i++) w->sums[w->touched[i]].document = 0;
    w->touched_count = 0;
    return status;
}

#if defined(__clang__)
#pragma clang diagnostic pop
#endif

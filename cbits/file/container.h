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

#include "base/atomic.h"
#include "base/meter.h"
#include "file/stored/symbols.h"
#include "pocket.h"
#include "sketch/sketch.h"

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
    atomic_bits *checked; /* a bit a block: its CRC agreed once */
    /* A file in pieces (pieces.c): what was lent of each block, and a bit for each that a call has
     * missed. */
    const uint8_t **lent;
    atomic_bits *missed;
    uint64_t at_hand, blocks; /* bytes given, blocks of all sections */
    const section *by_kind[POCKET_SECTION_KINDS];
    uint32_t section_count, major, minor;
    profile profile;
    tables tables, ids, passages;
    uint32_t documents, sketched; /* sketched: documents that have a sketch, the first ones */
    uint32_t stride, identity_bits, block_documents, template_length;
    uint32_t copies, copies_together;               /* zeros without a copies section */
    uint32_t most_parts;                            /* of any table */
    int counting;                                   /* how this processor counts ones (hamming.h) */
    uint32_t text_kept, text_characters, text_room; /* zeros without a texts section */
    uint32_t titles, title_room;                    /* zeros without a titles section */
    uint32_t cells, cells_asked, cells_cold, cells_pruning; /* zeros without a cells section */
    /* Zeros without a passages section. */
    uint32_t shingle_terms, shingle_window, shingle_documents, shingle_range;
    uint64_t frequent_shingles;
    uint32_t word_room, words_heaviest, word_average, word_title_weight; /* zeros without words */
    uint32_t words_counted; /* 0 where all words count */
    uint64_t words, word_postings;
    const uint8_t *word_endings; /* of the forms of words: one behind the other */
    uint32_t word_ending_count;
    const uint8_t *word_rules; /* those of the endings that are rules, one behind the other */
    uint32_t word_rule_count;
    const uint8_t *word_forms;  /* what made the classes, UTF-8 */
    uint32_t word_forms_length; /* 0 where the words are in no classes */
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
uint32_t fail(pocket_error *error, uint32_t status, uint32_t section, int64_t block,
              const char *field, uint64_t expected, uint64_t found);
/* Say which values are allowed beside expected, for which % stands in the phrase, and return
 * status. */
static inline uint32_t allowing(pocket_error *error, const char *allowed, uint32_t status) {
    if (error) error->allowed = allowed;
    return status;
}
uint32_t no_document(pocket_error *error, uint32_t section, uint64_t documents, uint64_t number);
uint32_t text_too_long(pocket_error *error, uint64_t length);
/* At the start of a call: what stands in *error is the caller's, and may be anything. */
static inline void clear(pocket_error *error) {
    if (error) *error = (pocket_error){0, 0, -1, 0, 0, NULL, NULL};
}
/* Return status, and see that *error carries it (a guard that gave up work could not). */
static inline uint32_t fail_as(pocket_error *error, uint32_t status) {
    if (error && (uint32_t)error->status != status)
        *error = (pocket_error){status, 0, -1, 0, 0, NULL, NULL};
    return status;
}
/* Block i (< blocks) of a section, its CRC checked; no_cache checks it again. POCKET_NOT_AT_HAND:
 * it is missed until it is lent. */
uint32_t block_get(const pocket_index *index, const section *s, uint32_t i, int no_cache,
                   const uint8_t **bytes, uint64_t *length, pocket_error *error);
uint64_t block_first(const section *s, uint32_t i);
/* The last of the blocks from .. to - 1 whose first is at most key; to when there is none. */
uint32_t block_find(const section *s, uint32_t from, uint32_t to, uint64_t key);
/* Where block i lies in its section, behind the head. */
uint64_t block_start(const section *s, uint32_t i);
uint64_t block_end(const section *s, uint32_t i);
/* A table's row: its first part, parts, keys and postings. */
void table_row(const tables *t, uint32_t number, uint32_t *first, uint32_t *parts, uint64_t *keys,
               uint64_t *postings);
/* A document's sketch. */
uint32_t sketch_get(const pocket_index *index, uint32_t document, packed_sketch *sketch,
                    pocket_error *error);
/* The identity bits that stand beside it. */
uint32_t identity_get(const pocket_index *index, uint32_t document, uint32_t *identity,
                      pocket_error *error);
/* The count of the work of one call. */
static inline meter meter_of(const pocket_index *x) {
    return (meter){x->interrupt, x->interrupt_argument, 0, 0};
}
/* Run work, guarded when the bytes are mapped. */
uint32_t guarded(const pocket_index *index, uint32_t (*work)(void *), void *argument);

#endif

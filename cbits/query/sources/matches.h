/* What the search for sources has found (docs/format.md, section 9). */
#ifndef POCKET_MATCHES_H
#define POCKET_MATCHES_H

#include <stdint.h>

/* Where a term stands in the text, in bytes. */
typedef struct term_place {
    uint32_t start, end;
} term_place;

typedef struct term_places {
    term_place *terms;
    uint64_t room, count;
} term_places;

/* A shingle of the text, and the number of its first term. */
typedef struct text_shingle {
    uint64_t hash;
    uint32_t number;
} text_shingle;

typedef struct asked {
    text_shingle *shingles;
    uint64_t room, count;
} asked;

/* Documents that have shingles of the text. An entry: the document, the number of the shingle's
 * first term, whether the text had the shingle shortly before, how many documents have it; from the
 * highest bit down.
 */
typedef struct matches {
    uint64_t *entries;
    uint64_t room, count;
    int capped;
} matches;

static inline uint64_t match_entry(uint32_t document, uint32_t number, int again,
                                   uint32_t documents) {
    return (uint64_t)document << 32 | number << 8 | (uint32_t)again << 7 |
           (documents < 127 ? documents : 127);
}
static inline uint32_t entry_number(uint64_t entry) { return (uint32_t)entry >> 8; }
static inline int entry_again(uint64_t entry) { return (int)(entry >> 7 & 1); }
static inline uint32_t entry_documents(uint64_t entry) { return entry & 127; }

#endif

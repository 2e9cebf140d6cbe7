/* Documents and what their words add up to: an array of all documents, or where few have the words
 * a table of those. */
#ifndef POCKET_TALLY_H
#define POCKET_TALLY_H

#include <stdint.h>

/* A sum: how many words in the bits from 24 on, and the score below them. 64 words of the highest
 * level, that one of 2^32 documents has, are less than 2^24. */
#define TALLY_WORD (1u << 24)
#define TALLY_EXCLUDED (1u << 31)
/* Of a sum that tally_raise raises: the bits that it raises, and a flag. */
#define TALLY_RAISED 0xffu
#define TALLY_ITSELF (1u << 30)

typedef struct tally {
    uint32_t *sums;      /* size of them */
    uint32_t *documents; /* of each sum 1 + its document, or 0; NULL: sum i is that of document i */
    uint64_t size;
    uint32_t shift;
} tally;

/* Room for postings of so many documents, each of which has at most so many postings in all. 0 when
 * there is no memory. */
int tally_alloc(tally *t, uint32_t documents, uint64_t postings);
void tally_free(tally *t);
/* Add the same to each of count documents. */
void tally_add(tally *t, const uint32_t *documents, uint32_t count, uint32_t sum);
/* Count one more for each of count documents that have the sum `before`, and no more. */
void tally_go_on(tally *t, const uint32_t *documents, uint32_t count, uint32_t before);
/* Raise the low bits of the sum of each of count documents to this, or leave them. itself: and set
 * the flag. */
void tally_raise(tally *t, const uint32_t *documents, uint32_t count, uint32_t least, int itself);
/* Mark those of count documents that have a sum. */
void tally_exclude(tally *t, const uint32_t *documents, uint32_t count);
/* The sum of a document, 0 where it has none. */
uint32_t tally_sum(const tally *t, uint32_t document);
/* The document of sum i. */
static inline uint32_t tally_document(const tally *t, uint64_t i) {
    return t->documents ? t->documents[i] - 1 : (uint32_t)i;
}

#endif

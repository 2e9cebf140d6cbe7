/* What the passes over words share: the words of chunks, merged in the order of their bytes. */
#ifndef POCKET_WORDS_BUILD_H
#define POCKET_WORDS_BUILD_H

#include "build/pocket_build.h"

/* Word i of a chunk. */
static inline const uint8_t *chunk_word(const pocket_chunk_words *c, uint32_t i, uint32_t *length) {
    uint32_t start = i ? c->word_ends[i - 1] : 0;
    *length = c->word_ends[i] - start;
    return c->bytes + start;
}

static inline uint32_t chunk_postings_start(const pocket_chunk_words *c, uint32_t i) {
    return i ? c->posting_ends[i - 1] : 0;
}

typedef struct words_merge {
    const pocket_chunk_words *chunks;
    uint32_t *next;            /* of each chunk, its next word */
    uint32_t *heap, heap_size; /* chunks that have a next word, that of the least on top */
    uint32_t *having, count;   /* the chunks that have the word taken last, which was the one before
                                  next in each; rising */
} words_merge;

/* 0 when there is no memory. */
int words_merge_begin(words_merge *m, const pocket_chunk_words *chunks, uint32_t count);
/* Take the next word; 0 at the end. */
int words_merge_next(words_merge *m, const uint8_t **word, uint32_t *length);
void words_merge_end(words_merge *m);

/* 65536 times the part of a word's weight that depends on a document, of which the level is the
 * eighth (docs/format.md 6.4). average: in 1/256 terms. */
static inline uint32_t word_share(uint32_t times, uint32_t length, uint32_t average,
                                  uint32_t unit) {
    uint64_t own = 10ull * average * times;
    return (uint32_t)(unit * own / (own + 3ull * average + 2304ull * length));
}

#endif

/* What the passes over words share: the words of chunks, merged in the order of their bytes. */
#ifndef POCKET_WORDS_BUILD_H
#define POCKET_WORDS_BUILD_H

#include "base/bits.h"
#include "build/pocket_build.h"
#include "file/words.h"

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

/* A posting is its document's place << 16 | IN_TITLE | how often the document has the word. A
 * length is that of a document in terms, and above it the different words of its title, TITLE_WORDS
 * of them at most. */
#define IN_TITLE 0x8000u
#define MOST_TIMES 0x7FFFu
#define LENGTH_BITS 28u
#define TITLE_WORDS (WORD_RANKS - WORD_LEVELS)

/* What there is for a word in this document: its numerator, and what is added to that for the
 * denominator, of the part of BM25 that depends on a document (docs/format.md 6.4). average: in
 * 1/256 terms. */
static inline uint64_t times_weighed(uint32_t posting, uint32_t average) {
    return 10ull * average * (posting & MOST_TIMES);
}
static inline uint64_t length_weighed(uint32_t length, uint32_t average) {
    return 3ull * average + 2304ull * (length & ((1u << LENGTH_BITS) - 1));
}

/* 65536 times that part. */
static inline uint32_t word_share(uint32_t posting, uint32_t length, uint32_t average) {
    uint64_t own = times_weighed(posting, average);
    return (uint32_t)((own << 16) / (own + length_weighed(length, average)));
}

static inline uint32_t word_rank(uint32_t posting, uint32_t length, uint32_t average) {
    if (posting & IN_TITLE) return WORD_LEVELS - 1 + (length >> LENGTH_BITS);
    uint64_t eighths = 8 * times_weighed(posting, average) / length_weighed(length, average);
    uint32_t level = eighths ? highest_one(eighths) : 0;
    return level < WORD_LEVELS ? level : WORD_LEVELS - 1;
}

#endif

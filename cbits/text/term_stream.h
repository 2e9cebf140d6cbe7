/* A stream of terms on its way through a text. */
#ifndef POCKET_TERM_STREAM_H
#define POCKET_TERM_STREAM_H

#include <stdint.h>

#include "text/marks.h"

#define TERM_BYTES 128
#define TERM_RUN 30

/* As numbered in profiles. Three are in none: `folded` and `marked` with every word a term, numbers
 * too, for texts that are compared exactly; and the words of word_stream.h. */
enum {
    STREAM_FOLDED = 1,
    STREAM_INTEROP = 2,
    STREAM_EVERY_WORD = 3,
    STREAM_WORDS = 4,
    STREAM_MARKED = 5,
    STREAM_EVERY_MARKED = 6
};

/* The stream of every word, of a file whose profile has this stream. */
static inline uint32_t every_word_of(uint32_t stream) {
    return stream == STREAM_MARKED ? STREAM_EVERY_MARKED : STREAM_EVERY_WORD;
}

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
    uint32_t spelling_size; /* of what follows the term where it is spelled with its marks, or 0 */
    uint8_t spelling[SPELLING_BYTES];
    int letter; /* does the term have one? numbers have none; not in the stream `interop` */
    const uint8_t *term, *term_end;
    int of_pairs;             /* is the term one or two code points of a script without spaces? */
    const uint8_t *from, *to; /* of the last point of ordered */
    const uint8_t *folded_from, *folded_to; /* of the last point of folded */
    const uint8_t *ahead_from, *ahead_to;
    const uint8_t *pair_from, *pair_to;
    const uint8_t *run_from[1 + TERM_RUN], *run_to[1 + TERM_RUN];
    const uint16_t *fold, *fold_end; /* the rest of the fold under way */
    uint32_t spaced;                 /* see read_code */
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

/* The words of a text, by which documents are found (docs/format.md 6.4): its terms, and what else
 * people type for them: compounds (wi-fi as wifi), parts (foo_bar and fooBar as foo, bar, the last
 * character of a run without spaces), names with signs (C++), emoji. */
#ifndef POCKET_WORD_STREAM_H
#define POCKET_WORD_STREAM_H

#include "text/terms.h"

#define MOST_JOINED 5u /* terms of a compound */

/* A whole is what stands in the text; compounds and parts are what else it may be called; a
 * spelling is the whole before it with its marks. */
enum { WORD_WHOLE, WORD_COMPOUND, WORD_PART, WORD_SPELLING };

typedef struct chained_term {
    uint8_t bytes[TERM_BYTES];
    uint32_t length, spelling_size;
    uint8_t spelling[SPELLING_BYTES];
    const uint8_t *from, *to; /* in the text */
    const uint8_t *last;      /* of two characters of a script without spaces: the second one */
    int alone, possessive;    /* alone: joins with no other */
} chained_term;

/* Every word_stream_next that returns 1 leaves a word in bytes, length, its kind, and where it
 * stands in the text in from, to; in the order of `from`, of equal ones the compound first, then
 * the whole, its spelling, its parts. single: is it one code point that comes in addition to a
 * longer word, or the s of Iceland's? compounded: is it a term of a compound? The other members
 * belong to word_stream.c. */
typedef struct word_stream {
    const uint8_t *bytes, *from, *to;
    uint32_t length, kind;
    int single, compounded;
    term_stream terms, parts;
    const uint8_t *text_end;
    chained_term chain[MOST_JOINED + 1]; /* terms joined by single signs, and the one after them */
    uint32_t chained, at;                /* at: the next of them to give */
    int ahead, goes_on, ended;    /* is there one after them; is it joined to them, too; or none? */
    uint8_t compound[TERM_BYTES]; /* or the spelling of one of its terms, which come later */
    uint32_t compound_length;     /* 0 where they make none */
    int has_compound, due;        /* due: it is still to come */
    const uint8_t *gap;           /* where the text goes on behind what was given */
    const uint8_t *part, *part_end; /* what is left of a name whose parts are under way, or NULL */
    int in_part, run_ends, is_spelled; /* is_spelled: the spelling is still to come */
    uint8_t emoji[4];
} word_stream;

/* stream: STREAM_EVERY_WORD or STREAM_EVERY_MARKED. */
void word_stream_begin(word_stream *w, const uint8_t *text, uint64_t length, uint32_t stream,
                       struct meter *meter);
int word_stream_next(word_stream *w);
/* Go to the next whole word. */
static inline int word_stream_next_whole(word_stream *w) {
    while (word_stream_next(w))
        if (w->kind == WORD_WHOLE) return 1;
    return 0;
}

#endif

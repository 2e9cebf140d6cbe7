/* The term streams (docs/format.md, section 7): a text's terms one after the other. */
#ifndef POCKET_TERMS_H
#define POCKET_TERMS_H

#include <stdint.h>

#define POCKET_TERM_BYTES 128
#define POCKET_RUN 30

/* As numbered in profiles. The third is in none: `folded` with every word a term, numbers too, for texts that are compared exactly. */
enum { POCKET_FOLDED = 1, POCKET_INTEROP = 2, POCKET_EVERY_WORD = 3 };

/* Every pocket_terms_next that returns 1 leaves a term in bytes, length; 0 is the end. The text must stay until then, and may be NULL
 * when its length is 0. The other members belong to terms.c; a point there is a code point with its kind and combining class. */
struct meter;

typedef struct pocket_terms {
    const uint8_t *text, *end;
    uint32_t stream;
    uint8_t bytes[POCKET_TERM_BYTES + 8]; /* whole words of 8 bytes are stored */
    uint32_t length;
    const uint16_t *fold, *fold_end; /* the rest of the fold under way */
    uint32_t ahead;                  /* a folded point read too early, or 0 */
    uint32_t run[1 + POCKET_RUN];    /* points in canonical order: a starter and its marks; run_at .. run_end - 1 are still to come */
    uint32_t run_at, run_end;
    struct meter *meter;             /* set behind pocket_terms_begin: the terms end where it is interrupted; or NULL */
    uint32_t pair, paired; /* the last point of the pair run under way, or 0; is it part of a term already? */
} pocket_terms;

void pocket_terms_begin(pocket_terms *terms, const uint8_t *text, uint64_t length, uint32_t stream);
int pocket_terms_next(pocket_terms *terms);
/* The folded text with one space for every run of separators and none at either end (docs/format.md 6.2), in UTF-8: whole code points of it that fit
 * room bytes. Returns how many bytes. */
uint32_t terms_folded(const uint8_t *text, uint64_t length, uint8_t *out, uint32_t room);
/* The next term of the stream `interop`. */
int interop_next(pocket_terms *terms);

#endif

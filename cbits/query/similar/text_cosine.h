/* The cosine of two texts by the words of both (docs/format.md, section 8). */
#ifndef POCKET_TEXT_COSINE_H
#define POCKET_TEXT_COSINE_H

#include "base/meter.h"
#include "sketch/profile.h"

typedef struct bag_term {
    uint64_t hash;  /* that the scheme takes of it */
    uint32_t round; /* of which text; of another one than the last: a free slot */
    uint16_t count, weight;
} bag_term;

/* A text as its distinct terms. */
typedef struct bag {
    bag_term *terms;      /* a table: size is a power of two */
    uint32_t size, count; /* count: distinct terms */
    uint32_t round;       /* texts that were read */
    uint64_t square;      /* of the length of the vector */
} bag;

/* Read a text, in the place of the one before. 0 where memory ran out or the call was interrupted.
 */
int bag_read(bag *b, const profile *p, const uint8_t *text, uint64_t length, meter *steps);
void bag_free(bag *b);
/* The cosine of an asked text and a document's, in ten-thousandths, at most 9999; *shared becomes
 * how many distinct terms both have. */
uint32_t bag_cosine(const bag *asked, const bag *document, uint32_t *shared);

#endif

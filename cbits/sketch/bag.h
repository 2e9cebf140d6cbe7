/* A text as its distinct terms (docs/format.md, section 8). */
#ifndef POCKET_BAG_H
#define POCKET_BAG_H

#include <stdint.h>

typedef struct bag_term {
    uint64_t hash;  /* that the scheme takes of it */
    uint32_t round; /* of which text; of another one than the last: a free slot */
    uint16_t count, weight;
} bag_term;

typedef struct bag {
    bag_term *terms;      /* a table: size is a power of two; NULL where memory ran out */
    uint32_t size, count; /* count: distinct terms */
    uint32_t round;       /* texts that were read */
    uint64_t square;      /* of the length of the vector */
} bag;

/* Begin a text in the place of the one before. */
void bag_begin(bag *b);
/* The term of this hash, or the free slot for it. */
bag_term *bag_slot(const bag *b, uint64_t hash);
/* Count a term once more: how often it came, at most 65535, or 0 where memory ran out. */
uint32_t bag_add(bag *b, uint64_t hash, uint16_t weight);
void bag_free(bag *b);

#endif

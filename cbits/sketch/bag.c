#include "sketch/bag.h"

#include "base/memory.h"

#define LEAST_BAG_SLOTS 1024u
#define MOST_COUNTED 65535u /* times that a term counts: no sum of squares overflows */

void bag_free(bag *b) { pocket_free(b->terms); }

void bag_begin(bag *b) {
    b->count = 0;
    b->square = 0;
    b->round++;
}

bag_term *bag_slot(const bag *b, uint64_t hash) {
    uint32_t i = (uint32_t)hash & (b->size - 1);
    while (b->terms[i].round == b->round && b->terms[i].hash != hash) i = (i + 1) & (b->size - 1);
    return &b->terms[i];
}

static int resize_bag(bag *b, uint32_t size) {
    bag before = *b;
    bag_term *terms = pocket_malloc((size_t)size * sizeof *terms);
    if (!terms) return 0;
    memset(terms, 0, (size_t)size * sizeof *terms);
    b->terms = terms;
    b->size = size;
    for (uint32_t i = 0; i < before.size; i++)
        if (before.terms[i].round == b->round) *bag_slot(b, before.terms[i].hash) = before.terms[i];
    pocket_free(before.terms);
    return 1;
}

uint32_t bag_add(bag *b, uint64_t hash, uint16_t weight) {
    if (2 * b->count >= b->size && !resize_bag(b, b->size ? 2 * b->size : LEAST_BAG_SLOTS))
        return 0;
    bag_term *own = bag_slot(b, hash);
    if (own->round != b->round) {
        *own = (bag_term){hash, b->round, 0, weight};
        b->count++;
    }
    if (own->count == MOST_COUNTED) return own->count;
    /* Its part of the vector grows by this. */
    b->square += (2ull * own->count + 1) * weight * weight;
    return ++own->count;
}

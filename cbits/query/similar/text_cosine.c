#include "query/similar/text_cosine.h"

#include "base/bits.h"
#include "base/memory.h"
#include "base/root.h"
#include "text/terms.h"

#define LEAST_BAG_SLOTS 1024u
#define MOST_COUNTED 65535u /* times that a term counts: no sum of squares overflows */
#define NUMBER 128u /* no profile weighs one: the weight of a word that one document in 256 has */

void bag_free(bag *b) { pocket_free(b->terms); }

static bag_term *bag_slot(const bag *b, uint64_t hash) {
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

static uint16_t bag_weight(const profile *p, const term_stream *t, const pocket_class *own) {
    if (!p->scheme->cosine) return 1;
    return t->letter ? (uint16_t)own->value : NUMBER;
}

/* Count a term once more: the square of its part of the vector grows by (2 count + 1) weight^2. */
static void bag_add(bag *b, bag_term *own) {
    uint64_t weight = own->weight;
    if (own->count == MOST_COUNTED) return;
    b->square += (2ull * own->count + 1) * weight * weight;
    own->count++;
}

int bag_read(bag *b, const profile *p, const uint8_t *text, uint64_t length, meter *steps) {
    term_stream t;
    b->count = 0;
    b->square = 0;
    b->round++;
    term_stream_begin(&t, text, length, every_word_of(p->stream));
    t.meter = steps;
    while (term_stream_next(&t)) {
        pocket_class class = p->scheme->classify(p, &t);
        if (class.number < 0) continue;
        if (2 * b->count >= b->size && !resize_bag(b, b->size ? 2 * b->size : LEAST_BAG_SLOTS))
            return 0;
        bag_term *own = bag_slot(b, class.hash);
        if (own->round != b->round) {
            *own = (bag_term){class.hash, b->round, 0, bag_weight(p, &t, &class)};
            b->count++;
        }
        bag_add(b, own);
    }
    return !steps->ended;
}

/* The root of a square, as large a number as 32 bits hold: *shift becomes how many bits more than
 * the root itself it has. */
static uint64_t scaled_root(uint64_t square, uint32_t *shift) {
    *shift = (63 - highest_one(square)) / 2;
    return square_root(square << 2 * *shift);
}

uint32_t bag_cosine(const bag *asked, const bag *document, uint32_t *shared) {
    uint64_t product = 0;
    *shared = 0;
    uint32_t shift, own_shift;
    for (uint32_t i = 0; i < asked->size; i++) {
        const bag_term *term = &asked->terms[i];
        if (term->round != asked->round || !document->size) continue;
        const bag_term *own = bag_slot(document, term->hash);
        if (own->round != document->round) continue;
        ++*shared;
        product += (uint64_t)term->count * term->weight * own->count * own->weight;
    }
    if (!product) return 0;
    uint64_t root = scaled_root(asked->square, &shift),
             own_root = scaled_root(document->square, &own_shift),
             cosine = (product << (shift + own_shift)) / (root * own_root / 10000);
    return cosine < 9999 ? (uint32_t)cosine : 9999;
}

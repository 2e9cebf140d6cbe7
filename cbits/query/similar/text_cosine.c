#include "query/similar/text_cosine.h"

#include "base/bits.h"
#include "base/root.h"
#include "text/terms.h"

#define NUMBER 128u /* no profile weighs one: the weight of a word that one document in 256 has */

static uint16_t bag_weight(const profile *p, const term_stream *t, const pocket_class *own) {
    if (!p->scheme->cosine) return 1;
    return t->letter ? (uint16_t)own->value : NUMBER;
}

int bag_read(bag *b, const profile *p, const uint8_t *text, uint64_t length, meter *steps) {
    term_stream t;
    bag_begin(b);
    term_stream_begin(&t, text, length, every_word_of(p->stream));
    t.meter = steps;
    while (term_stream_next(&t)) {
        pocket_class class = p->scheme->classify(p, &t);
        if (class.number < 0) continue;
        if (!bag_add(b, class.hash, bag_weight(p, &t, &class))) return 0;
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

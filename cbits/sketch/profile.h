/* A profile (docs/format.md, section 2), opened: everything that turns terms into a sketch, read
 * where the caller keeps its bytes. */
#ifndef POCKET_PROFILE_H
#define POCKET_PROFILE_H

#include "base/bytes.h"
#include "base/limits.h"
#include "pocket.h"

#define POCKET_MAX_TABLES 64
#define POCKET_MAX_ROWS 256
#define POCKET_MAX_KEY_COMPONENTS 256 /* of a sub-key */
#define POCKET_MAX_STOP_RUN 256       /* taken stop slots in a row: so far a look-up goes */
#define POCKET_BODY_FIELDS 8
#define POCKET_NO_MOVE 0xFFFFFFFFu

/* Consecutive components, from first on, which take bits `bit` on of the packed sketch. */
typedef struct key_row {
    uint32_t first, count, bit, bits;
} key_row;

/* A sub-key is made of the components of its rows, count in all. packed: its bits are the key (all
 * intervals powers of two, at most 64 bits); hashed: the radix number does not fit in 64 bits;
 * summed: the key is the sum of the digits. */
typedef struct sub_key {
    const key_row *rows;
    uint32_t row_count, count;
    int packed, hashed, summed;
} sub_key;

typedef struct profile profile;
struct sketch;
struct meter;
struct term_stream;

/* A scheme: check the body of its profile, and compute a text's digits (with costs and weights
 * where sketch->down is given). */
typedef struct scheme {
    uint32_t number;
    int cosine; /* does agreement, weighted by margins, estimate a cosine? Otherwise every weight is
                   1, and similarity the share that agrees */
    int ordered; /* are digits intervals, so that the next one is near? */
    const char *(*check)(const profile *p);
    uint32_t (*embed)(const profile *p, const uint8_t *text, uint64_t length, struct sketch *out);
    pocket_class (*classify)(const profile *p, const struct term_stream *term);
    uint32_t (*classes)(const profile *p);
    int32_t (*influence)(const profile *p, const pocket_class *term,
                         uint32_t component); /* of a term on a component's value */
} scheme;

struct profile {
    const uint8_t *bytes, *stops, *components, *borders, *body, *name;
    const scheme *scheme;
    uint64_t length, body_length;
    uint32_t stream, tables, row_count, component_count, border_count, stop_slots, least_terms,
        name_length, sketch_bits;
    int registers; /* of this processor, by which sums are made (sketch/registers.h) */
    uint32_t fields[POCKET_BODY_FIELDS];
    key_row rows[POCKET_MAX_ROWS];
    sub_key keys[POCKET_MAX_TABLES];
};

/* A text's sketch. The arrays have component_count elements; down, up and weights may be NULL
 * together. A cost of POCKET_NO_MOVE: no digit on that side. */
typedef struct sketch {
    uint64_t terms;
    uint32_t least; /* terms that a text must have */
    uint8_t *digits;
    uint32_t *down, *up, *weights;
    struct meter *meter;  /* where embedding a text counts its work, or NULL */
    struct bag *distinct; /* where terms are counted of which only the first of each is taken, with
                             the root of its weight, or NULL: all are */
} sketch;

/* POCKET_OK, POCKET_TOO_NEW or POCKET_DAMAGED_FIELD with *field naming what is wrong. */
uint32_t profile_open(profile *p, const uint8_t *bytes, uint64_t length, const char **field);
/* Is the term with this murmur hash a stop word? */
static inline int profile_stops(const uint8_t *stops, uint32_t slots, uint64_t term) {
    for (uint64_t i = 0; i < slots; i++) {
        uint64_t stop = load64(stops + 8 * ((term + i) & (slots - 1)));
        if (stop == 0 || stop == term) return stop != 0;
    }
    return 0;
}

/* Is every component a bit? */
static inline int profile_is_binary(const profile *p) {
    return p->border_count == p->component_count;
}
uint32_t component_intervals(const profile *p, uint32_t component);
uint32_t component_source(const profile *p, uint32_t component);
/* Bits of a digit with so many intervals. */
uint32_t digit_bits(uint32_t intervals);

extern const scheme scheme_ff, scheme_rff, scheme_plsh, scheme_minhash, scheme_wminhash,
    scheme_simhash;

#endif

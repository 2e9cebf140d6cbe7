/* Digits, packed sketches and sub-keys (docs/format.md 2.2), the same for every scheme. */
#ifndef POCKET_SKETCH_H
#define POCKET_SKETCH_H

#include "sketch/profile.h"

#define MOST_SKETCH_BYTES 2048u /* 4096 components of four bits */
#define COARSE_BYTES 16u
#define COARSE_COMPONENTS (8u * COARSE_BYTES)

/* A stored sketch. Its coarse code lies beside those of other documents, for scans to compare; the
 * rest, if any, lies elsewhere (docs/format.md, section 4). */
typedef struct packed_sketch {
    const uint8_t *coarse, *rest;
} packed_sketch;

/* Bytes of a packed sketch, and of its coarse code. */
uint32_t sketch_bytes(const profile *p);
uint32_t coarse_bytes(const profile *p);
/* Components of the coarse code, where all intervals are two. */
static inline uint32_t coarse_components(const profile *p) {
    return p->component_count < COARSE_COMPONENTS ? p->component_count : COARSE_COMPONENTS;
}
/* A stored sketch in one piece: where it lies, or in room, which has MOST_SKETCH_BYTES. */
const uint8_t *sketch_whole(const profile *p, packed_sketch s, uint8_t *room);
/* Pack digits into zeroed bytes. */
void sketch_pack(const profile *p, const uint8_t *digits, uint8_t *packed);
/* Unpack count components from first on, which start at bit; 0 when a digit is not below its
 * intervals. */
int sketch_unpack(const profile *p, const uint8_t *packed, uint32_t first, uint32_t count,
                  uint32_t bit, uint8_t *digits);
/* Sub-key t of a sketch's digits. */
uint64_t sub_key_of_digits(const profile *p, uint32_t t, const uint8_t *digits);
/* Sub-key t of a packed sketch; 0 when a digit is out of range, else *key. */
int sub_key_of_packed(const profile *p, uint32_t t, const uint8_t *packed, uint64_t *key);

/* Room for a text's sketch (one allocation), with costs and weights or without. */
int sketch_alloc(sketch *s, const profile *p, int margins);
void sketch_free(sketch *s);
/* The sketch of a stored document, without its margins: all weights are 0, and every move that its
 * scheme allows costs 1. 0 when a digit is out of range. */
int sketch_stored(const profile *p, const uint8_t *packed, sketch *s);
/* Embed a text; POCKET_TEXT_TOO_LONG, POCKET_TEXT_TOO_SHORT. */
uint32_t sketch_text(const profile *p, const uint8_t *text, uint64_t length, sketch *s);

#endif

/* Digits, packed sketches and sub-keys (docs/format.md 2.2), the same for every scheme. */
#ifndef POCKET_SKETCH_H
#define POCKET_SKETCH_H

#include "sketch/profile.h"

/* Bytes of a packed sketch. */
uint32_t sketch_bytes(const profile *p);
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

/* Shared bits: how much text two documents have in common, from a few bytes of each
 * (docs/format.md 4.1). */
#ifndef POCKET_SHARED_BITS_H
#define POCKET_SHARED_BITS_H

#include <stdint.h>

#define SHARED_MOST_BITS 256u

/* Can a record have so many? */
static inline int shared_bits_allowed(uint32_t bits) {
    return bits == 0 || bits == 64 || bits == 128 || bits == 256;
}
struct meter;
/* The bits / 8 bytes of a text; meter: NULL, or where the work is counted; POCKET_INTERRUPTED,
 * POCKET_TEXT_TOO_LONG, POCKET_TEXT_TOO_SHORT where it has no term. */
uint32_t shared_of_text(uint32_t stream, const uint8_t *text, uint64_t length, uint32_t bits,
                        struct meter *meter, uint8_t *packed);

#endif

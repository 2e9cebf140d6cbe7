/* `quotient`, the hash of a part whose keys can be read back (docs/format.md 3.4). */
#ifndef POCKET_QUOTIENT_H
#define POCKET_QUOTIENT_H

#include <stddef.h>
#include <stdint.h>

/* The lowest bits of a key are its rest, which stands where other hashes have a checksum; those
 * above it are its quotient. */
typedef struct quotient {
    const uint8_t *before, *bits; /* keys before every 64th quotient; a one a key, a zero behind
                                     the ones of each quotient */
    const uint8_t *rests;
    uint32_t keys, rest_bits;
    uint64_t quotients, bit_bytes;
} quotient;

enum { QUOTIENT_HEAD = 4, QUOTIENT_SAMPLE = 64, QUOTIENT_KEYS = 256 };

/* 0 when the bytes cannot be a hash of so many keys. Checks lengths and padding. rests: those of
 * the keys, in their order. */
int quotient_open(quotient *q, const uint8_t *bytes, size_t length, uint32_t keys,
                  const uint8_t *rests, uint32_t rest_bits);
/* The slot of a key, counted from the least one with the quotient of the part's first; q->keys
 * where the part has none. Returns 0 when the bytes contradict themselves. */
int quotient_slot(const quotient *q, uint64_t key, uint32_t *slot);
/* NULL, or the name of what is not as it would be written. *last becomes the last key, counted as
 * above. first: the part's first key, counted so, too. */
const char *quotient_check(const quotient *q, uint64_t first, uint64_t *last);

#endif

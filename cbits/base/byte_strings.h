/* Strings of bytes in their order, as vocabularies and titles are sorted. */
#ifndef POCKET_BYTE_STRINGS_H
#define POCKET_BYTE_STRINGS_H

#include <stdint.h>

#include "base/memory.h"

/* The first eight bytes as a number of which the first byte is the highest, zeros after a shorter
 * string: what a directory has of it. */
static inline uint64_t first_eight(const uint8_t *bytes, uint32_t length) {
    uint64_t first = 0;
    for (uint32_t i = 0; i < 8; i++) first = first << 8 | (i < length ? bytes[i] : 0);
    return first;
}

/* Below 0, 0, above 0, as a string lies to another; a beginning comes before what it begins. */
static inline int compare_bytes(const uint8_t *bytes, uint32_t length, const uint8_t *other,
                                uint32_t other_length) {
    int order = memcmp(bytes, other, length < other_length ? length : other_length);
    return order ? order : (length > other_length) - (length < other_length);
}

#endif

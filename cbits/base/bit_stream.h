/* Bits one after the other, from the least significant bit of the first byte on: Elias gamma codes,
 * and gaps whose high part is counted in zeros (docs/format.md 6.4). What is read beyond the end is
 * zero; who reads looks where `at` has come. */
#ifndef POCKET_BIT_STREAM_H
#define POCKET_BIT_STREAM_H

#include "base/bits.h"
#include "base/bytes.h"

#define MOST_ZEROS 24u /* of a gap; more are a number of 32 bits */

typedef struct bit_stream {
    const uint8_t *bytes;
    uint64_t length; /* in bytes */
    uint64_t at;     /* in bits */
} bit_stream;

/* The bytes that are left from one on, fewer than eight. */
static uint64_t last_bytes(const bit_stream *s, uint64_t byte) {
    uint64_t value = 0;
    for (uint64_t i = s->length; i > byte;) value = value << 8 | s->bytes[--i];
    return value;
}

/* 57 bits at least from a place on. */
static inline uint64_t bits_from(const bit_stream *s, uint64_t at) {
    uint64_t byte = at >> 3;
    return (byte + 8 <= s->length ? load64(s->bytes + byte) : last_bytes(s, byte)) >> (at & 7);
}

/* Were more bits read than there are? */
static inline int bits_overrun(const bit_stream *s) { return s->at > 8 * s->length; }

static inline uint32_t take_number(bit_stream *s, uint32_t width) {
    uint64_t value = bits_from(s, s->at);
    s->at += width;
    return once((uint32_t)(value & ((1ull << width) - 1)));
}

/* 0 where it is none: more than 32 zeros. */
static inline uint64_t take_gamma(bit_stream *s) {
    uint32_t low = once((uint32_t)bits_from(s, s->at)), zeros = low ? lowest_one(low) : 32;
    if (zeros < 16) {
        s->at += 2 * zeros + 1;
        return 1u << zeros | (low >> zeros >> 1 & ((1u << zeros) - 1));
    }
    s->at += zeros;
    if (!take_number(s, 1)) return 0;
    return 1ull << zeros | take_number(s, zeros);
}

/* The high part of a gap. */
static inline uint32_t take_zeros(bit_stream *s) {
    uint32_t low = once((uint32_t)bits_from(s, s->at)), zeros = lowest_one(low | 1u << MOST_ZEROS);
    if (zeros < MOST_ZEROS) {
        s->at += zeros + 1;
        return zeros;
    }
    s->at += MOST_ZEROS;
    return take_number(s, 32);
}

#endif

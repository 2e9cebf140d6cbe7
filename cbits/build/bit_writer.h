/* Bits written one behind the other (base/bit_stream.h reads them). */
#ifndef POCKET_BIT_WRITER_H
#define POCKET_BIT_WRITER_H

#include "base/bit_stream.h"

typedef struct bit_writer {
    uint8_t *bytes; /* zeros from bit `at` on */
    uint64_t at;
} bit_writer;

/* width is 0 .. 32. */
static inline void put_bits(bit_writer *w, uint64_t value, uint32_t width) {
    if (width) store_bits(w->bytes, w->at, width, (uint32_t)value);
    w->at += width;
}

static inline uint32_t gamma_bits(uint64_t value) { return 2 * highest_one(value) + 1; }

static inline void put_gamma(bit_writer *w, uint64_t value) {
    uint32_t zeros = highest_one(value);
    w->at += zeros;
    put_bits(w, 1, 1);
    put_bits(w, value & ((1ull << zeros) - 1), zeros);
}

static inline uint32_t zeros_bits(uint64_t value) {
    return value < MOST_ZEROS ? (uint32_t)value + 1 : MOST_ZEROS + 32;
}

static inline void put_zeros(bit_writer *w, uint64_t value) {
    w->at += value < MOST_ZEROS ? value : MOST_ZEROS;
    put_bits(w, value < MOST_ZEROS ? 1 : value, value < MOST_ZEROS ? 1 : 32);
}

#endif

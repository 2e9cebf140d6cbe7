/* Explicit little-endian loads and stores: the only place that knows the byte order. And asking for
 * bytes ahead. */
#ifndef POCKET_BYTES_H
#define POCKET_BYTES_H

#include <stdint.h>

/* Ask for a byte's cache line before it is needed. */
#ifdef __GNUC__
#define FETCH(p) __builtin_prefetch(p)
#else
#define FETCH(p) ((void)(p))
#endif

/* A value that was loaded from a file, as it was then. Bytes of a mapped file may change at any
 * time, and a compiler that is short of registers may load a value again that it has loaded and
 * checked: not one that came out of here. */
static inline uint32_t once(uint32_t value) {
#ifdef __GNUC__
    __asm__("" : "+r"(value));
#endif
    return value;
}

static inline uint16_t load16(const uint8_t *p) { return (uint16_t)(p[0] | (unsigned)p[1] << 8); }

static inline uint32_t load32(const uint8_t *p) {
    return (uint32_t)p[0] | (uint32_t)p[1] << 8 | (uint32_t)p[2] << 16 | (uint32_t)p[3] << 24;
}

static inline uint64_t load64(const uint8_t *p) {
    return load32(p) | (uint64_t)load32(p + 4) << 32;
}

static inline void store16(uint8_t *p, uint32_t v) {
    p[0] = (uint8_t)v;
    p[1] = (uint8_t)(v >> 8);
}

static inline void store32(uint8_t *p, uint32_t v) {
    store16(p, v & 0xFFFFu);
    store16(p + 2, v >> 16);
}

static inline void store64(uint8_t *p, uint64_t v) {
    store32(p, (uint32_t)v);
    store32(p + 4, (uint32_t)(v >> 32));
}

/* width (0 .. 32) bits from bit position at on; reads only the bytes that hold them. */
static inline uint32_t load_bits(const uint8_t *p, uint64_t at, uint32_t width) {
    uint64_t value = 0;
    uint32_t shift = (uint32_t)(at & 7), need = (shift + width + 7) / 8;
    p += at >> 3;
    /* Two loads that overlap serve three bytes as well as four: which it is alternates from one
     * position to the next. */
    if (need == 3 || need == 4)
        value = load16(p) | (uint64_t)load16(p + need - 2) << (8 * (need - 2));
    else if (need == 5)
        value = load32(p) | (uint64_t)p[4] << 32;
    else
        for (uint32_t i = 0; i < need; i++) value |= (uint64_t)p[i] << (8 * i);
    return once((uint32_t)(value >> shift & ((1ull << width) - 1)));
}

/* Or width bits of v into zeroed bytes. */
static inline void store_bits(uint8_t *p, uint64_t at, uint32_t width, uint32_t v) {
    uint64_t value = (uint64_t)v << (at & 7);
    uint32_t need = (uint32_t)((at & 7) + width + 7) / 8;
    p += at >> 3;
    for (uint32_t i = 0; i < need; i++) p[i] = (uint8_t)(p[i] | value >> (8 * i));
}

static inline uint64_t pad8(uint64_t n) { return (n + 7) & ~7ull; }

#endif

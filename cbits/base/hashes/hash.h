/* Hashes: MurmurHash3 for bytes, a bijective mixer for keys. */
#ifndef POCKET_HASH_H
#define POCKET_HASH_H

#include <stddef.h>
#include <stdint.h>

/* The first 64 bits of MurmurHash3_x64_128, seed 0 (Appleby, public domain algorithm). */
uint64_t murmur(const uint8_t *bytes, size_t length);
/* The same of bytes of which eight can be read however few they are, like those of a term. It takes
 * no branch by the length of a short one, except in a module for the web, which is to be small. */
#ifdef POCKET_FREESTANDING
#define murmur_padded murmur
#else
uint64_t murmur_padded(const uint8_t *bytes, size_t length);
#endif

/* Spreads a key over 64 bits; different keys stay different. docs/format.md 3.1. */
static inline uint64_t mix64(uint64_t x) {
    x ^= x >> 32;
    x *= 0xD6E8FEB86659FD93ull;
    x ^= x >> 32;
    x *= 0xD6E8FEB86659FD93ull;
    return x ^ x >> 32;
}

#endif

/* MurmurHash3_x64_128, byte order independent. */
#include "base/hashes/hash.h"

#include "base/bytes.h"

#define C1 0x87c37b91114253d5ull
#define C2 0x4cf5ad432745937full

static inline uint64_t rotate_left(uint64_t x, int r) { return x << r | x >> (64 - r); }

static inline uint64_t finish(uint64_t k) {
    k ^= k >> 33;
    k *= 0xff51afd7ed558ccdull;
    k ^= k >> 33;
    k *= 0xc4ceb9fe1a85ec53ull;
    return k ^ k >> 33;
}

/* 1 to 8 bytes, little-endian, by loads that overlap: terms are short, and a loop over their bytes
 * costs more than the hash. */
static inline uint64_t load_some(const uint8_t *p, size_t count) {
    if (count == 8) return load64(p);
    if (count >= 4) return load32(p) | (uint64_t)load32(p + count - 4) << (8 * (count - 4));
    return p[0] | (uint64_t)p[count / 2] << (8 * (count / 2)) |
           (uint64_t)p[count - 1] << (8 * (count - 1));
}

static inline uint64_t end_hash(uint64_t h1, uint64_t h2, size_t length) {
    h1 ^= (uint64_t)length;
    h2 ^= (uint64_t)length;
    h1 += h2;
    h2 += h1;
    return finish(h1) + finish(h2);
}

#ifndef POCKET_FREESTANDING
uint64_t murmur_padded(const uint8_t *bytes, size_t length) {
    if (length == 0 || length > 8) return murmur(bytes, length);
    uint64_t k1 = load64(bytes) & UINT64_MAX >> (64 - 8 * length);
    return end_hash(rotate_left(k1 * C1, 31) * C2, 0, length);
}
#endif

uint64_t murmur(const uint8_t *bytes, size_t length) {
    uint64_t h1 = 0, h2 = 0, k1 = 0, k2 = 0;
    const uint8_t *tail = bytes + (length & ~(size_t)15);
    for (; bytes != tail; bytes += 16) {
        h1 ^= rotate_left(load64(bytes) * C1, 31) * C2;
        h1 = (rotate_left(h1, 27) + h2) * 5 + 0x52dce729;
        h2 ^= rotate_left(load64(bytes + 8) * C2, 33) * C1;
        h2 = (rotate_left(h2, 31) + h1) * 5 + 0x38495ab5;
    }
    size_t rest = length & 15;
    if (rest > 8) k2 = load_some(tail + 8, rest - 8);
    if (rest > 0) k1 = load_some(tail, rest < 8 ? rest : 8);
    if (rest > 8) h2 ^= rotate_left(k2 * C2, 33) * C1;
    if (rest > 0) h1 ^= rotate_left(k1 * C1, 31) * C2;
    return end_hash(h1, h2, length);
}

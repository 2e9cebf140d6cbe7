/* MurmurHash3_x64_128, byte order independent. */
#include "hash.h"

#include "bytes.h"

#define C1 0x87c37b91114253d5ull
#define C2 0x4cf5ad432745937full

static inline uint64_t rotate(uint64_t x, int r) { return x << r | x >> (64 - r); }

static inline uint64_t finish(uint64_t k) {
    k ^= k >> 33;
    k *= 0xff51afd7ed558ccdull;
    k ^= k >> 33;
    k *= 0xc4ceb9fe1a85ec53ull;
    return k ^ k >> 33;
}

uint64_t pocket_murmur(const uint8_t *bytes, size_t length) {
    uint64_t h1 = 0, h2 = 0, k1 = 0, k2 = 0;
    const uint8_t *tail = bytes + (length & ~(size_t)15);
    for (; bytes != tail; bytes += 16) {
        h1 ^= rotate(load64(bytes) * C1, 31) * C2;
        h1 = (rotate(h1, 27) + h2) * 5 + 0x52dce729;
        h2 ^= rotate(load64(bytes + 8) * C2, 33) * C1;
        h2 = (rotate(h2, 31) + h1) * 5 + 0x38495ab5;
    }
    size_t rest = length & 15;
    for (size_t i = rest; i > 8; i--) k2 = k2 << 8 | tail[i - 1];
    for (size_t i = rest < 8 ? rest : 8; i > 0; i--) k1 = k1 << 8 | tail[i - 1];
    if (rest > 8) h2 ^= rotate(k2 * C2, 33) * C1;
    if (rest > 0) h1 ^= rotate(k1 * C1, 31) * C2;
    h1 ^= (uint64_t)length;
    h2 ^= (uint64_t)length;
    h1 += h2;
    h2 += h1;
    return finish(h1) + finish(h2);
}

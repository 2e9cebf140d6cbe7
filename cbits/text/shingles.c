#include "text/shingles.h"

#include "base/bytes.h"
#include "base/hashes/hash.h"
#include "base/memory.h"

uint64_t shingle_push(shingle *s, uint64_t term) {
    if (s->filled == s->size)
        memmove(s->hashes, s->hashes + 8, 8 * (size_t)(s->size - 1));
    else
        s->filled++;
    store64(s->hashes + 8 * (size_t)(s->filled - 1), term);
    return s->size == 1 ? term : murmur(s->hashes, 8 * (size_t)s->filled);
}

void shingle_lower(uint64_t *least, uint32_t count, uint64_t hash) {
    for (uint32_t j = 0; j < count; j++) {
        uint64_t value = mix64(hash + (j + 1) * 0x9E3779B97F4A7C15ull);
        if (value < least[j]) least[j] = value;
    }
}

/* Hashes, checksums and copies for the builder, many at once. */
#include "base/hashes/crc32c.h"
#include "base/hashes/hash.h"
#include "base/memory.h"
#include "build/pocket_build.h"
#include "file/stored/titles.h"
#include "text/prefix.h"

uint64_t pocket_murmur(const uint8_t *bytes, size_t length) { return murmur(bytes, length); }

uint32_t pocket_crc32c(uint32_t crc, const uint8_t *bytes, size_t length) {
    return crc32c(crc, bytes, length);
}

void pocket_murmur_many(const uint8_t *bytes, const uint64_t *ends, size_t count,
                        uint64_t *hashes) {
    uint64_t start = 0;
    for (size_t i = 0; i < count; start = ends[i++])
        hashes[i] = murmur(bytes + start, (size_t)(ends[i] - start));
}

uint32_t pocket_title_key(const uint8_t *text, uint64_t length, uint8_t *key) {
    return title_key(text, length, key);
}

void pocket_copy_pieces(const uint8_t *from, const uint64_t *starts, const uint64_t *ends,
                        size_t count, uint8_t *to, const uint64_t *targets) {
    for (size_t i = 0; i < count; i++)
        memcpy(to + targets[i], from + starts[i], (size_t)(ends[i] - starts[i]));
}

pocket_status pocket_prefix_bins(const uint8_t *terms, const uint64_t *ends, size_t count,
                                 uint32_t prefix, uint32_t bins, uint32_t *out) {
    uint64_t start = 0;
    if (bins == 0 || (bins & (bins - 1)) || prefix == 0) return POCKET_BAD_ARGUMENT;
    for (size_t i = 0; i < count; start = ends[i++])
        out[i] =
            (uint32_t)prefix_hash(terms + start, (size_t)(ends[i] - start), prefix) & (bins - 1);
    return POCKET_OK;
}

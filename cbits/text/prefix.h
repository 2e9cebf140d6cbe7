/* From a term to the bin of its prefix: shared by the schemes with prefix classes and by the
 * learning of profiles. */
#ifndef POCKET_PREFIX_H
#define POCKET_PREFIX_H

#include "base/hashes/hash.h"

/* The murmur hash of the term's first `prefix` code points. */
static inline uint64_t prefix_hash(const uint8_t *term, size_t length, uint32_t prefix) {
    size_t end = 0;
    for (uint32_t points = 0; end < length; end++) {
        if ((term[end] & 0xC0) != 0x80 && points++ == prefix) break;
    }
    return murmur(term, end);
}

#endif

#include "sketch/shared_bits.h"

#include "base/hashes/hash.h"
#include "base/memory.h"
#include "base/meter.h"
#include "sketch/profile.h"
#include "text/shingles.h"
#include "text/terms.h"

#define SHARED_TERMS 3u
#define SHARED_OFFSET \
    0x243F6A8885A308D3ull /* of the fraction of pi: other functions than those of a `minhash` \
                             sketch */

uint32_t shared_of_text(uint32_t stream, const uint8_t *text, uint64_t length, uint32_t bits,
                        meter *steps, uint8_t *packed) {
    uint64_t least[SHARED_MOST_BITS], last = 0;
    shingle s = {.size = SHARED_TERMS};
    term_stream terms;
    if (length > MOST_TEXT) return POCKET_TEXT_TOO_LONG;
    for (uint32_t j = 0; j < bits; j++) least[j] = UINT64_MAX;
    term_stream_begin(&terms, text, length, stream);
    terms.meter = steps;
    while (term_stream_next(&terms)) {
        last = shingle_push(&s, murmur(terms.bytes, terms.length)) + SHARED_OFFSET;
        if (s.filled == s.size) shingle_lower(least, bits, last);
        if (steps) interrupted(steps, bits / 32);
    }
    if (steps && steps->ended) return POCKET_INTERRUPTED;
    if (s.filled == 0) return POCKET_TEXT_TOO_SHORT;
    if (s.filled < s.size) shingle_lower(least, bits, last);
    memset(packed, 0, bits / 8);
    for (uint32_t j = 0; j < bits; j++)
        packed[j / 8] = (uint8_t)(packed[j / 8] | (least[j] & 1) << (j % 8));
    return POCKET_OK;
}

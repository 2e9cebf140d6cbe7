#include "shared.h"

#include "bits.h"
#include "bytes.h"
#include "container.h"
#include "hash.h"
#include "memory.h"
#include "shingles.h"
#include "terms.h"

#define SHARED_TERMS 3u
#define SHARED_OFFSET 0x243F6A8885A308D3ull /* of the fraction of pi: other functions than those of a `minhash` sketch */

uint32_t shared_of_text(uint32_t stream, const uint8_t *text, uint64_t length, uint32_t bits, meter *steps, uint8_t *packed) {
    uint64_t least[SHARED_MOST_BITS], last = 0;
    shingle s = {.size = SHARED_TERMS};
    pocket_terms terms;
    if (length > POCKET_MAX_TEXT) return POCKET_TEXT_TOO_LONG;
    for (uint32_t j = 0; j < bits; j++) least[j] = UINT64_MAX;
    pocket_terms_begin(&terms, text, length, stream);
    terms.meter = steps;
    while (pocket_terms_next(&terms)) {
        last = shingle_push(&s, pocket_murmur(terms.bytes, terms.length)) + SHARED_OFFSET;
        if (s.filled == s.size) shingle_lower(least, bits, last);
        if (steps) interrupted(steps, bits / 32);
    }
    if (steps && steps->ended) return POCKET_INTERRUPTED;
    if (s.filled == 0) return POCKET_TEXT_TOO_SHORT;
    if (s.filled < s.size) shingle_lower(least, bits, last);
    memset(packed, 0, bits / 8);
    for (uint32_t j = 0; j < bits; j++) packed[j / 8] = (uint8_t)(packed[j / 8] | (least[j] & 1) << (j % 8));
    return POCKET_OK;
}

struct sharing {
    const pocket_index *index;
    const uint8_t *text;
    uint64_t length;
    const uint32_t *documents;
    uint32_t count, *estimates;
    pocket_error *error;
};

/* A bit agrees by chance half of the time, so what agrees beyond the half, doubled, is the share of shingles in common. */
static uint32_t share_of(const uint8_t *a, const uint8_t *b, uint32_t bits) {
    uint32_t agreeing = bits;
    for (uint32_t i = 0; i < bits / 8; i += 8) agreeing -= count_ones(load64(a + i) ^ load64(b + i));
    return 2 * agreeing > bits ? (2 * agreeing - bits) * 10000 / bits : 0;
}

static uint32_t share_work(void *argument) {
    struct sharing *a = argument;
    const pocket_index *x = a->index;
    uint8_t own[SHARED_MOST_BITS / 8];
    meter steps = meter_of(x);
    uint32_t missing = POCKET_OK, status = shared_of_text(x->profile.stream, a->text, a->length, x->shared_bits, &steps, own);
    if (status == POCKET_INTERRUPTED) return status;
    if (status == POCKET_TEXT_TOO_SHORT) return fail(a->error, status, 0, -1, "terms", 1, 0);
    if (status) return fail(a->error, status, 0, -1, "text", POCKET_MAX_TEXT, a->length);
    for (uint32_t i = 0; i < a->count; i++) {
        const uint8_t *record;
        status = record_get(x, a->documents[i], &record, a->error);
        if (status == POCKET_NOT_AT_HAND) missing = status; /* on, so that all blocks that are missed are known at once */
        else if (status) return status;
        else a->estimates[i] = share_of(own, record + x->stride - x->shared_bits / 8, x->shared_bits);
    }
    return missing;
}

uint32_t pocket_shared_bits(const pocket_index *x) { return x->shared_bits; }

uint32_t pocket_shared_estimate(const pocket_index *x, const uint8_t *text, uint64_t length, const uint32_t *documents, uint32_t count,
                                uint32_t *estimates, pocket_error *error) {
    clear(error);
    if (x->shared_bits == 0) return fail(error, POCKET_NO_SHARED_BITS, POCKET_SKETCHES, -1, "shared bits", 64, 0);
    for (uint32_t i = 0; i < count; i++)
        if (documents[i] >= x->documents) return fail(error, POCKET_NOT_FOUND, POCKET_SKETCHES, -1, "document", x->documents, documents[i]);
    return fail_as(error, guarded(x, share_work, &(struct sharing){x, text, length, documents, count, estimates, error}));
}

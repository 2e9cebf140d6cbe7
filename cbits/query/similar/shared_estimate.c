/* How much of a text documents share, as their stored bits estimate it (docs/format.md 4.1). */
#include "base/bits.h"
#include "base/bytes.h"
#include "file/container.h"
#include "sketch/shared_bits.h"

struct sharing {
    const pocket_index *index;
    const uint8_t *text;
    uint64_t length;
    const uint32_t *documents;
    uint32_t count, *estimates;
    pocket_error *error;
};

/* A bit agrees by chance half of the time, so what agrees beyond the half, doubled, is the share of
 * shingles in common. */
static uint32_t share_of(const uint8_t *a, const uint8_t *b, uint32_t bits) {
    uint32_t agreeing = bits;
    for (uint32_t i = 0; i < bits / 8; i += 8)
        agreeing -= count_ones(load64(a + i) ^ load64(b + i));
    return 2 * agreeing > bits ? (2 * agreeing - bits) * 10000 / bits : 0;
}

static uint32_t share_work(void *argument) {
    struct sharing *a = argument;
    const pocket_index *x = a->index;
    uint8_t own[SHARED_MOST_BITS / 8];
    meter steps = meter_of(x);
    uint32_t missing = POCKET_OK, status = shared_of_text(x->profile.stream, a->text, a->length,
                                                          x->shared_bits, &steps, own);
    if (status == POCKET_INTERRUPTED) return status;
    if (status == POCKET_TEXT_TOO_SHORT) return fail(a->error, status, 0, -1, "terms", 1, 0);
    if (status) return fail(a->error, status, 0, -1, "text", MOST_TEXT, a->length);
    for (uint32_t i = 0; i < a->count; i++) {
        const uint8_t *bits;
        status = shared_bits_get(x, a->documents[i], &bits, a->error);
        if (status == POCKET_NOT_AT_HAND)
            missing = status; /* on, so that all blocks that are missed are known at once */
        else if (status)
            return status;
        else
            a->estimates[i] = share_of(own, bits, x->shared_bits);
    }
    return missing;
}

uint32_t pocket_shared_bits(const pocket_index *x) { return x->shared_bits; }

pocket_status pocket_shared_estimate(const pocket_index *x, const uint8_t *text, uint64_t length,
                                     const uint32_t *documents, uint32_t count, uint32_t *estimates,
                                     pocket_error *error) {
    clear(error);
    if (x->shared_bits == 0)
        return fail(error, POCKET_NO_SHARED_BITS, POCKET_SKETCHES, -1, "shared bits", 64, 0);
    for (uint32_t i = 0; i < count; i++)
        if (documents[i] >= x->sketched)
            return no_document(error, POCKET_SKETCHES, x->sketched, documents[i]);
    return fail_as(error,
                   guarded(x, share_work,
                           &(struct sharing){x, text, length, documents, count, estimates, error}));
}

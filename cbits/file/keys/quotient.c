/* A set of keys in their order, as an Elias-Fano code has them: what is above the low bits in
 * unary, the low bits beside it. The slot of a key is how many come before it. */
#include "file/keys/quotient.h"

#include "base/bits.h"
#include "base/bytes.h"

static uint64_t quotient_samples(uint64_t quotients) {
    return quotients / QUOTIENT_SAMPLE + (quotients % QUOTIENT_SAMPLE != 0);
}

int quotient_open(quotient *q, const uint8_t *bytes, size_t length, uint32_t keys,
                  const uint8_t *rests, uint32_t rest_bits) {
    if (length < QUOTIENT_HEAD) return 0;
    uint64_t quotients = once(load32(bytes)), before = 2 * quotient_samples(quotients),
             ones = quotients + keys, bits = (ones + 7) / 8;
    if (quotients < 1 || length != QUOTIENT_HEAD + before + bits) return 0;
    *q = (quotient){.before = bytes + QUOTIENT_HEAD,
                    .bits = bytes + QUOTIENT_HEAD + before,
                    .rests = rests,
                    .keys = keys,
                    .rest_bits = rest_bits,
                    .quotients = quotients,
                    .bit_bytes = bits};
    return ones % 8 == 0 || q->bits[bits - 1] >> ones % 8 == 0;
}

/* 64 of the bits; beyond the end they are zero. */
static uint64_t unary_word(const quotient *q, uint64_t word) {
    uint64_t start = 8 * word, bits = 0;
    if (start + 8 <= q->bit_bytes)
        return once(load32(q->bits + start)) | (uint64_t)once(load32(q->bits + start + 4)) << 32;
    for (uint64_t i = start; i < q->bit_bytes; i++)
        bits |= (uint64_t)once(q->bits[i]) << 8 * (i - start);
    return bits;
}

static int unary_bit(const quotient *q, uint64_t place) {
    return place / 8 < q->bit_bytes && once(q->bits[place / 8]) >> place % 8 & 1;
}

static uint32_t quotient_rest(const quotient *q, uint64_t rank) {
    return load_bits(q->rests, rank * q->rest_bits, q->rest_bits);
}

int quotient_slot(const quotient *q, uint64_t key, uint32_t *slot) {
    uint64_t number = key >> q->rest_bits;
    uint32_t rest = (uint32_t)(key - (number << q->rest_bits));
    *slot = q->keys;
    if (number >= q->quotients) return 1;
    uint64_t sample = number / QUOTIENT_SAMPLE, end = q->quotients + q->keys,
             place = once(load16(q->before + 2 * sample)) + QUOTIENT_SAMPLE * sample;
    uint32_t skip = number % QUOTIENT_SAMPLE, zeros;
    if (skip) {
        /* It starts behind the zero that has skip - 1 others since the sample. 64 quotients have no
         * more ones than this loop may pass over. */
        uint64_t word = place / 64, last = word + QUOTIENT_KEYS + 2;
        uint64_t bits = ~unary_word(q, word) & ~0ull << place % 64;
        for (skip--; skip >= (zeros = count_ones(bits)); bits = ~unary_word(q, word)) {
            skip -= zeros;
            if (++word > last || 64 * word >= end) return 0;
        }
        place = 64 * word + one_at(bits, skip) + 1;
    }
    for (uint32_t i = 0; unary_bit(q, place); i++, place++) {
        uint64_t rank = place - number;
        if (i == QUOTIENT_KEYS || place >= end || rank >= q->keys) return 0;
        if (quotient_rest(q, rank) == rest) *slot = (uint32_t)rank;
    }
    return 1;
}

const char *quotient_check(const quotient *q, uint64_t first, uint64_t *last) {
    uint64_t number = 0, before = 0;
    uint32_t rank = 0, together = 0;
    for (uint64_t place = 0; place < q->quotients + q->keys; place++) {
        if (number % QUOTIENT_SAMPLE == 0 && !(place && unary_bit(q, place - 1)) &&
            number < q->quotients &&
            load16(q->before + 2 * (number / QUOTIENT_SAMPLE)) != place - number)
            return "keys before a quotient";
        if (!unary_bit(q, place)) {
            number++;
            together = 0;
            continue;
        }
        if (rank >= q->keys || ++together > QUOTIENT_KEYS) return "keys of the hash";
        uint64_t key = number << q->rest_bits | quotient_rest(q, rank);
        if (rank == 0 && key != first) return "first";
        if (rank > 0 && key <= before) return "order of the keys";
        before = key;
        rank++;
    }
    *last = before;
    if (rank != q->keys || number != q->quotients) return "keys of the hash";
    return before >> q->rest_bits == q->quotients - 1 ? NULL : "quotients";
}

/* Reading a part: where its pieces lie, and from a slot to its postlist. */
#include "file/keys/part.h"

#include "base/bits.h"
#include "base/bytes.h"

/* What is left of a part's bytes while its pieces are cut off the front. */
typedef struct rest {
    const uint8_t *bytes;
    uint64_t length;
} rest;

static const uint8_t *cut(rest *r, uint64_t length) {
    if (length > r->length) return NULL;
    const uint8_t *piece = r->bytes;
    r->bytes += length;
    r->length -= length;
    return piece;
}

static uint64_t bytes_for(uint64_t bits) { return (bits + 7) / 8; }

/* Are the bits of the last byte zero that lie beyond the field's end? */
static int is_padded(const uint8_t *field, uint64_t bits) {
    return bits % 8 == 0 || field[bits / 8] >> bits % 8 == 0;
}

const char *part_open(part *p, const uint8_t *bytes, uint64_t length, uint32_t mph,
                      uint32_t checksum_bits, uint32_t posting_bits) {
    rest r = {bytes, length};
    const uint8_t *head = cut(&r, PART_HEAD);
    if (!head) return "length of the part";
    p->keys = once(load32(head));
    p->count = once(load32(head + 4));
    p->hash_length = once(load32(head + 8));
    p->checksum_bits = checksum_bits;
    p->posting_bits = posting_bits;
    if (p->keys < 1 || p->keys > PILOT_KEYS) return "keys of the part";
    if (p->count < p->keys || p->count > INT32_MAX) return "postings of the part";
    if (load32(head + 12) != 0) return "reserved field of the part";
    if (checksum_bits > 32 || checksum_bits % 8 != 0) return "checksum bits";
    if (posting_bits < 1 || posting_bits > 32) return "posting bits";

    p->hash = cut(&r, p->hash_length);
    if (!p->hash) return "length of the hash";
    if (mph == POCKET_MPH_PILOT && !pilot_open(&p->pilot, p->hash, p->hash_length, p->keys))
        return "hash of the part";

    uint64_t posting_field = (uint64_t)p->count * posting_bits;
    p->checksums = cut(&r, (uint64_t)p->keys * (checksum_bits / 8));
    p->samples = p->lasts = NULL;
    if (p->count > p->keys) {
        p->samples = cut(&r, 4 * (((uint64_t)p->keys + PART_SAMPLE - 1) / PART_SAMPLE));
        p->lasts = cut(&r, bytes_for(p->count));
        if (!p->samples || !p->lasts) return "length of the part";
        if (!is_padded(p->lasts, p->count)) return "padding of the part";
    }
    p->postings = cut(&r, bytes_for(posting_field));
    if (!p->checksums || !p->postings || r.length != 0) return "length of the part";
    if (mph == POCKET_MPH_QUOTIENT &&
        !quotient_open(&p->quotient, p->hash, p->hash_length, p->keys, p->checksums, checksum_bits))
        return "hash of the part";
    return is_padded(p->postings, posting_field) ? NULL : "padding of the part";
}

/* One loop for each width, so that none decides anything for a key but whether it agrees. */
#define AGREEING(load, type) \
    for (uint32_t i = 0; i < count; i++) { \
        uint32_t slot = slots[i] < p->keys ? slots[i] : 0; \
        which[found] = i; \
        found += (load) == (type)mixed[i] && slots[i] < p->keys; \
    }

uint32_t part_agreeing(const part *p, const uint64_t *mixed, const uint32_t *slots, uint32_t count,
                       uint32_t *which) {
    const uint8_t *sums = p->checksums;
    uint32_t found = 0;
    switch (p->checksum_bits) {
    case 8: AGREEING(sums[slot], uint8_t) break;
    case 16: AGREEING(load16(sums + 2 * (size_t)slot), uint16_t) break;
    case 32: AGREEING(load32(sums + 4 * (size_t)slot), uint32_t) break;
    default:
        for (uint32_t i = 0; i < count; i++) {
            which[found] = i;
            found += slots[i] < p->keys;
        }
    }
    return found;
}

int part_agrees(const part *p, uint32_t slot, uint64_t mixed) {
    uint32_t which;
    return (int)part_agreeing(p, &mixed, &slot, 1, &which);
}

/* 64 last bits; beyond the end they are zero. */
static uint64_t last_bits(const part *p, uint32_t word) {
    const uint8_t *bytes = p->lasts + 8 * (size_t)word;
    size_t left = (size_t)bytes_for(p->count) - 8 * (size_t)word;
    if (left >= 8) return once(load32(bytes)) | (uint64_t)once(load32(bytes + 4)) << 32;
    uint64_t bits = 0;
    for (size_t i = 0; i < left; i++) bits |= (uint64_t)once(bytes[i]) << (8 * i);
    return bits;
}

uint32_t part_postlist(const part *p, uint32_t slot, uint32_t *start) {
    if (!p->lasts) {
        *start = slot;
        return 1;
    }
    /* The search stays between two samples, and those within the part. */
    uint32_t sample = slot / PART_SAMPLE, skip = slot % PART_SAMPLE;
    uint32_t from = once(load32(p->samples + 4 * (size_t)sample));
    uint32_t end = p->keys - slot > PART_SAMPLE - skip
                       ? once(load32(p->samples + 4 * (size_t)(sample + 1)))
                       : p->count;
    if (end > p->count || from >= end) return 0;
    /* Its own last bit is the one with skip others since from, and it starts behind the one before.
     */
    uint32_t word = from / 64, ones;
    uint64_t bits = last_bits(p, word) & ~0ull << (from % 64);
    for (; skip >= (ones = count_ones(bits)); bits = last_bits(p, word)) {
        if (ones) from = 64 * word + highest_one(bits) + 1;
        skip -= ones;
        if (++word > (end - 1) / 64) return 0;
    }
    uint32_t place = one_at(bits, skip), last = 64 * word + place;
    uint64_t before = bits & ((1ull << place) - 1);
    if (before) from = 64 * word + highest_one(before) + 1;
    if (last >= end) return 0;
    *start = from;
    return last - from + 1;
}

uint32_t part_posting(const part *p, uint32_t i) {
    return posting_get(p->postings, i, p->posting_bits);
}

/* A part (docs/format.md 3.1): reading side. */
#ifndef POCKET_PART_H
#define POCKET_PART_H

#include "base/bytes.h"
#include "file/keys/pilot.h"
#include "file/keys/quotient.h"

typedef struct part {
    const uint8_t *hash, *checksums, *samples, *lasts, *postings;
    uint32_t keys, count, hash_length, checksum_bits, posting_bits;
    /* Filled for the hash of this name. */
    pilot pilot;
    quotient quotient;
} part;

enum {
    POCKET_MPH_PILOT = 1,
    POCKET_MPH_BMZ = 2,
    POCKET_MPH_BDZ = 3,
    POCKET_MPH_CHD = 4,
    POCKET_MPH_QUOTIENT = 5
};

/* The bytes of a part before its hash, and how many slots there are to a sample. */
enum { PART_HEAD = 16, PART_SAMPLE = 64 };

/* NULL, or the name of the field that is wrong. bytes has been checked against its CRC, but may
 * come from a hostile writer. */
const char *part_open(part *p, const uint8_t *bytes, uint64_t length, uint32_t mph,
                      uint32_t checksum_bits, uint32_t posting_bits);
/* Does the checksum of this slot agree with the mixed key? Under `quotient` a mixed key is
 * the key itself. */
int part_agrees(const part *p, uint32_t slot, uint64_t mixed);
/* Which of count mixed keys meet their own checksum in their slots: their places, rising, in which;
 * returns how many. */
uint32_t part_agreeing(const part *p, const uint64_t *mixed, const uint32_t *slots, uint32_t count,
                       uint32_t *which);
/* The postlist of this slot: postings *start .. *start + result - 1; 0 when the bytes contradict
 * themselves. */
uint32_t part_postlist(const part *p, uint32_t slot, uint32_t *start);
/* How many postings part_postlist passes over to the end of a slot's. */
static inline uint32_t part_passed(const part *p, uint32_t slot, uint32_t end) {
    return p->samples ? end - load32(p->samples + 4 * (size_t)(slot / PART_SAMPLE)) : 0;
}
/* Ask ahead for what part_postlist reads of a slot: its sample, and then, which takes the sample,
 * its last bits. */
static inline void part_fetch_sample(const part *p, uint32_t slot) {
    if (p->samples) FETCH(p->samples + 4 * (size_t)(slot / PART_SAMPLE));
}
static inline void part_fetch_lasts(const part *p, uint32_t slot) {
    if (!p->samples) return;
    uint32_t from = load32(p->samples + 4 * (size_t)(slot / PART_SAMPLE));
    FETCH(p->lasts + (from < p->count ? from : 0) / 8);
}
/* Posting i of packed ones. */
static inline uint32_t posting_get(const uint8_t *postings, uint32_t i, uint32_t bits) {
    return load_bits(postings, (uint64_t)i * bits, bits);
}
/* Posting i (< count). */
uint32_t part_posting(const part *p, uint32_t i);

#endif

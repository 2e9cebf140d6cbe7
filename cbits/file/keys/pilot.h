/* `pilot`, the minimal perfect hash of a part (docs/format.md 3.2): reading side, and the formulas
 * that both sides share. */
#ifndef POCKET_PILOT_H
#define POCKET_PILOT_H

#include <stddef.h>
#include <stdint.h>

typedef struct pilot {
    const uint8_t *pilots, *remap;
    uint32_t keys, places, buckets, seed, skew;
} pilot;

/* The bytes of a hash before its pilots, and the most keys that one can have. */
enum { PILOT_HEAD = 8, PILOT_KEYS = 65535 };

/* 0 when the bytes cannot be a hash of so many keys. Checks lengths and ranges, not the remap
 * entries: pilot_slots clamps. */
int pilot_open(pilot *hash, const uint8_t *bytes, size_t length, uint32_t keys);
/* Slots (below hash->keys) of count mixed keys (mix64), memory fetched ahead in batches. */
void pilot_slots(const pilot *hash, const uint64_t *mixed, size_t count, uint32_t *slots);

/* a * s / 2^32: spreads a over 0 .. s - 1. */
static inline uint32_t pilot_reduce(uint32_t a, uint32_t s) {
    return (uint32_t)((uint64_t)a * s >> 32);
}

/* Places beyond the slots: with about one place in a hundred to spare, the last buckets still find
 * a pilot quickly. */
static inline uint32_t pilot_spare(uint32_t keys) { return keys < 99 ? 1 : keys / 99; }

/* The cubic sends many keys to the first buckets, which choose while all places are free, and few
 * to the last. The skew is the share of a straight line in it, 2^-skew, which bounds the first
 * bucket. */
static inline uint32_t pilot_bucket(uint64_t mixed, uint32_t skew, uint32_t buckets) {
    uint32_t x = (uint32_t)(mixed >> 32);
    uint32_t square = (uint32_t)((uint64_t)x * x >> 32);
    uint32_t cubic = (uint32_t)((uint64_t)square * ((x >> 1) + 0x80000000u) >> 32);
    return pilot_reduce(cubic - (cubic >> skew) + (x >> skew), buckets);
}

/* What a pilot contributes to the place of its bucket's keys. */
static inline uint64_t pilot_turn(uint32_t value, uint32_t seed) {
    return (value + 256 * (uint64_t)seed) * 0x9E3779B97F4A7C15ull;
}

static inline uint32_t pilot_place(uint64_t mixed, uint64_t turn, uint32_t places) {
    return pilot_reduce((uint32_t)(((mixed ^ turn) * 0xD6E8FEB86659FD93ull) >> 32), places);
}

#endif

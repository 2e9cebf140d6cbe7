/* For mph.c: what a perfect hash is compared with, sorted keys without any hash. */
#ifndef MPH_SORTED_H
#define MPH_SORTED_H

#include "base/bytes.h"
#include "file/keys/pilot.h"
#include "mph_measure.h"

enum { SAMPLE = 64 };

/* No hash: sorted keys, part by part, as runs of equal high bits in unary and low bits in full.
 * Either the mixed keys with 16 low bits, which a stranger hits as often as 16-bit checksums; or
 * the keys themselves. */
typedef struct sorted {
    uint64_t first;
    uint32_t keys, runs, low_bits;
    uint8_t *unary, *low;
    uint32_t *samples;
} sorted;
static sorted *rows;
static int exact;

static inline uint64_t value_of(const sorted *s, uint64_t key) {
    return exact ? key - s->first : mix64(key);
}
static inline uint32_t low_of(const sorted *s, uint64_t value) {
    return (uint32_t)(value & ((1ull << s->low_bits) - 1));
}
static inline uint64_t run_of(const sorted *s, uint64_t value) {
    return exact ? value >> s->low_bits : pilot_reduce((uint32_t)(value >> 32), s->keys);
}

static void radix_sort(uint64_t *v, uint64_t *other, uint32_t count) {
    for (int shift = 0; shift < 64; shift += 8) {
        uint32_t at[257] = {0};
        for (uint32_t i = 0; i < count; i++) at[(v[i] >> shift & 255) + 1]++;
        for (int i = 0; i < 256; i++) at[i + 1] += at[i];
        for (uint32_t i = 0; i < count; i++) other[at[v[i] >> shift & 255]++] = v[i];
        uint64_t *swap = v;
        v = other;
        other = swap;
    }
}

static uint64_t build_row(sorted *s, const uint64_t *from, uint32_t count) {
    uint64_t *value = allocate(2 * (size_t)count * sizeof *value),
             span = from[count - 1] - from[0] + 1;
    s->first = from[0];
    for (uint32_t i = 0; i < count; i++) value[i] = value_of(s, from[i]);
    if (!exact) radix_sort(value, value + count, count);
    s->keys = count;
    s->low_bits = exact ? 0 : 16;
    while (exact && span >> s->low_bits > 2 * (uint64_t)count) s->low_bits++;
    require(s->low_bits <= 32, "sorted: low bits");
    s->runs = exact ? (uint32_t)(run_of(s, value[count - 1]) + 1) : count;
    size_t unary = (s->keys + (size_t)s->runs + 7) / 8 + 8,
           low = ((size_t)count * s->low_bits + 7) / 8;
    size_t samples = (size_t)s->runs / SAMPLE + 1;
    s->unary = calloc(unary, 1);
    s->low = calloc(low + 8, 1);
    s->samples = calloc(samples, 4);
    require(s->unary && s->low && s->samples, "memory ran out");
    uint32_t at = 0, done = 0;
    for (uint32_t run = 0; run < s->runs; run++, at++) {
        if (run % SAMPLE == 0) s->samples[run / SAMPLE] = at;
        for (; done < count && run_of(s, value[done]) == run; done++, at++) {
            s->unary[at / 8] |= (uint8_t)(1 << at % 8);
            store_bits(s->low, (uint64_t)done * s->low_bits, s->low_bits, low_of(s, value[done]));
        }
    }
    free(value);
    return unary + low + 4 * samples + DIRECTORY;
}

static uint64_t build_sorted(void) {
    uint64_t bytes = 0;
    rows = allocate(parts * sizeof *rows);
    for (uint32_t p = 0; p < parts; p++)
        bytes += build_row(&rows[p], keys + start_of[p], start_of[p + 1] - start_of[p]);
    return bytes;
}

static void discard_sorted(void) {
    for (uint32_t p = 0; p < parts; p++) {
        free(rows[p].unary);
        free(rows[p].low);
        free(rows[p].samples);
    }
    free(rows);
}

/* The first of the part's keys that agrees. */
static inline uint32_t rank_of(const sorted *s, uint64_t key) {
    uint64_t value = value_of(s, key), run = run_of(s, value);
    if (run >= s->runs) return UINT32_MAX;
    uint32_t wanted = low_of(s, value), skip = (uint32_t)(run % SAMPLE),
             at = s->samples[run / SAMPLE];
    if (skip > 0) {
        uint32_t word = at / 64;
        uint64_t zeros = ~load64(s->unary + 8 * (size_t)word) & ~0ull << at % 64;
        for (uint32_t found; (found = (uint32_t)__builtin_popcountll(zeros)) < skip;
             skip -= found) {
            zeros = ~load64(s->unary + 8 * (size_t)++word);
        }
        while (--skip > 0) zeros &= zeros - 1;
        at = 64 * word + (uint32_t)__builtin_ctzll(zeros) + 1;
    }
    for (; s->unary[at / 8] >> at % 8 & 1; at++) {
        uint32_t rank = at - (uint32_t)run;
        if (load_bits(s->low, (uint64_t)rank * s->low_bits, s->low_bits) == wanted) return rank;
    }
    return UINT32_MAX;
}

static void sorted_one_by_one(void) {
    for (uint32_t i = 0; i < n; i++) {
        uint32_t p = part_of(queries[i]), rank = rank_of(&rows[p], queries[i]);
        answers[i] = rank == UINT32_MAX ? rank : start_of[p] + rank;
    }
}

#endif

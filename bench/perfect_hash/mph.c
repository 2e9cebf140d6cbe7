/* Perfect hashes side by side on the same keys, in one process: a line of JSON a row. bench/perfect_hash/mph.py
 * compiles this, makes the keys and writes the table.
 *
 * mph KEYS: a file of distinct rising u64. Times are processor time of one thread, the best of
 * ROUNDS; queries are all keys in random order; every hash is checked to be a bijection. Memory is
 * the peak beyond the keys while building. */
#define _POSIX_C_SOURCE 200809L
#include <cmph.h>

#include "base/bytes.h"
#include "base/hashes/hash.h"
#include "build/pocket_build.h"
#include "file/keys/pilot.h"
#include "mph_measure.h"
#include "mph_sorted.h"

/* pilot */
static uint8_t **hashes;
static pilot *pilots;
static uint16_t *checksums;
static uint32_t tenths;
static pocket_effort total;

static uint64_t build_pilot(void) {
    uint64_t bytes = 0;
    hashes = allocate(parts * sizeof *hashes);
    pilots = allocate(parts * sizeof *pilots);
    memset(&total, 0, sizeof total);
    for (uint32_t p = 0; p < parts; p++) {
        uint32_t size = start_of[p + 1] - start_of[p];
        uint64_t length;
        pocket_effort effort;
        require(!pocket_pilot_build(keys + start_of[p], size, tenths, &hashes[p], &length, &effort),
                "pilot: not built");
        require(pilot_open(&pilots[p], hashes[p], (size_t)length, size), "pilot: not opened");
        bytes += length + DIRECTORY;
        total.buckets += effort.buckets;
        total.evictions += effort.evictions;
        total.reseeds += effort.reseeds;
    }
    return bytes;
}

static void discard_pilot(void) {
    for (uint32_t p = 0; p < parts; p++) pocket_release(hashes[p]);
    free(hashes);
    free(pilots);
}

static void pilot_one_by_one(void) {
    for (uint32_t i = 0; i < n; i++) {
        uint32_t p = part_of(queries[i]), slot;
        uint64_t mixed = mix64(queries[i]);
        pilot_slots(&pilots[p], &mixed, 1, &slot);
        answers[i] = start_of[p] + slot;
    }
}

/* As pilot_slots does it within a part, over all parts: the pilots of BATCH keys are fetched before
 * the first is used. */
static void pilot_batched(void) {
    enum { BATCH = 32 };
    uint32_t *restrict out = answers; /* nothing else that is read here changes */
    for (uint32_t i = 0; i < n; i += BATCH) {
        uint64_t mixed[BATCH];
        const uint8_t *value[BATCH];
        uint32_t place[BATCH], count = n - i < BATCH ? n - i : BATCH;
        for (uint32_t j = 0; j < count; j++) {
            const pilot *h = &pilots[place[j] = part_of(queries[i + j])];
            mixed[j] = mix64(queries[i + j]);
            value[j] = h->pilots + pilot_bucket(mixed[j], h->skew, h->buckets);
            __builtin_prefetch(value[j]);
        }
        for (uint32_t j = 0; j < count; j++) {
            const pilot *h = &pilots[place[j]];
            uint32_t slot = pilot_place(mixed[j], pilot_turn(*value[j], h->seed), h->places);
            if (slot >= h->keys) slot = load16(h->remap + 2 * (size_t)(slot - h->keys));
            out[i + j] = start_of[place[j]] + slot;
        }
    }
}

/* As a query does it: BLOCK probes are ordered by part, each part's are looked up together. */
static void by_part(const uint64_t *asked, uint32_t count, uint32_t *out, int with_checksums) {
    static uint32_t place[BLOCK], order[BLOCK], slots[BLOCK], *end;
    static uint64_t mixed[BLOCK];
    if (!end) end = allocate((parts + 1) * sizeof *end);
    memset(end, 0, (parts + 1) * sizeof *end);
    for (uint32_t i = 0; i < count; i++) end[(place[i] = part_of(asked[i])) + 1]++;
    for (uint32_t p = 0; p < parts; p++) end[p + 1] += end[p];
    for (uint32_t i = 0; i < count; i++) {
        uint32_t at = end[place[i]]++;
        order[at] = i;
        mixed[at] = mix64(asked[i]);
    }
    for (uint32_t p = 0, from = 0; p < parts; from = end[p++]) {
        if (end[p] > from) pilot_slots(&pilots[p], mixed + from, end[p] - from, slots + from);
        for (uint32_t at = from; at < end[p]; at++) {
            uint32_t slot = start_of[p] + slots[at];
            if (with_checksums && checksums[slot] != (uint16_t)mixed[at]) slot = UINT32_MAX;
            out[order[at]] = slot;
        }
    }
}

static void pilot_by_part(void) {
    for (uint32_t i = 0; i < n; i += BLOCK)
        by_part(queries + i, n - i < BLOCK ? n - i : BLOCK, answers + i, 0);
}

/* pilot with 16-bit checksums: what a table needs to refuse a stranger */
static uint64_t build_checked(void) {
    uint64_t bytes = build_pilot();
    checksums = allocate(2 * (size_t)n);
    for (uint32_t p = 0; p < parts; p++) {
        for (uint32_t i = start_of[p]; i < start_of[p + 1]; i += BLOCK) {
            uint64_t mixed[BLOCK];
            uint32_t slots[BLOCK],
                count = start_of[p + 1] - i < BLOCK ? start_of[p + 1] - i : BLOCK;
            for (uint32_t j = 0; j < count; j++) mixed[j] = mix64(keys[i + j]);
            pilot_slots(&pilots[p], mixed, count, slots);
            for (uint32_t j = 0; j < count; j++)
                checksums[start_of[p] + slots[j]] = (uint16_t)mixed[j];
        }
    }
    return bytes + 2 * (uint64_t)n;
}

static void discard_checked(void) {
    free(checksums);
    discard_pilot();
}

static void checked_one_by_one(void) {
    for (uint32_t i = 0; i < n; i++) {
        uint32_t p = part_of(queries[i]), slot;
        uint64_t mixed = mix64(queries[i]);
        pilot_slots(&pilots[p], &mixed, 1, &slot);
        answers[i] =
            checksums[start_of[p] + slot] == (uint16_t)mixed ? start_of[p] + slot : UINT32_MAX;
    }
}

static void checked_batched(void) {
    for (uint32_t i = 0; i < n; i += BLOCK)
        by_part(queries + i, n - i < BLOCK ? n - i : BLOCK, answers + i, 1);
}

/* libcmph: one function of all keys, or one a part */
static struct {
    CMPH_ALGO algorithm;
    double load; /* 0: the library's own */
    cmph_uint32 keys_per_bucket;
    int by_part;
} setting;
static uint8_t **packed;

typedef struct reel {
    uint64_t *from, *next;
} reel;

static int read_key(void *data, char **key, cmph_uint32 *length) {
    reel *r = data;
    *key = (char *)r->next++;
    *length = 8;
    return 8;
}

static void keep_key(void *data, char *key, cmph_uint32 length) {
    (void)data, (void)key, (void)length;
}
static void rewind_keys(void *data) { ((reel *)data)->next = ((reel *)data)->from; }

static uint64_t build_packed(uint8_t **out, uint64_t *from, uint32_t count) {
    reel r = {from, from};
    cmph_io_adapter_t source = {&r, count, read_key, keep_key, rewind_keys};
    cmph_config_t *config = cmph_config_new(&source);
    cmph_config_set_algo(config, setting.algorithm);
    if (setting.load > 0) cmph_config_set_graphsize(config, setting.load);
    if (setting.keys_per_bucket) cmph_config_set_b(config, setting.keys_per_bucket);
    cmph_t *hash = cmph_new(config);
    require(hash != NULL, "libcmph: not built");
    cmph_config_destroy(config);
    size_t size = cmph_packed_size(hash);
    *out = allocate(size);
    cmph_pack(hash, *out);
    cmph_destroy(hash);
    return size;
}

static uint64_t build_cmph(void) {
    uint32_t count = setting.by_part ? parts : 1;
    uint64_t bytes = 0;
    srand(1);
    packed = allocate(count * sizeof *packed);
    for (uint32_t p = 0; p < count; p++) {
        uint32_t from = setting.by_part ? start_of[p] : 0,
                 to = setting.by_part ? start_of[p + 1] : n;
        bytes +=
            build_packed(&packed[p], keys + from, to - from) + (setting.by_part ? DIRECTORY : 0);
    }
    return bytes;
}

static void discard_cmph(void) {
    for (uint32_t p = 0; p < (setting.by_part ? parts : 1); p++) free(packed[p]);
    free(packed);
}

static void cmph_one_by_one(void) {
    if (!setting.by_part) {
        for (uint32_t i = 0; i < n; i++)
            answers[i] = cmph_search_packed(packed[0], (const char *)&queries[i], 8);
        return;
    }
    for (uint32_t i = 0; i < n; i++) {
        uint32_t p = part_of(queries[i]);
        answers[i] = start_of[p] + cmph_search_packed(packed[p], (const char *)&queries[i], 8);
    }
}

/* What all look-ups by part contain: finding the part. And what all contain: reading the queries.
 */
static void find_parts(void) {
    for (uint32_t i = 0; i < n; i++) answers[i] = part_of(queries[i]);
}

static void run_pilot(void) {
    static const uint32_t settings[] = {25, 30, 36, 40};
    for (size_t i = 0; i < sizeof settings / sizeof *settings; i++) {
        char name[40];
        tenths = settings[i];
        snprintf(name, sizeof name, "pilot, %u.%u keys a bucket", tenths / 10, tenths % 10);
        compare(&(contender){name, build_pilot, discard_pilot, pilot_one_by_one, pilot_batched, 0});
        double evictions = (double)total.evictions / (double)total.buckets;
        printf(", \"evictions\": %.4f, \"reseeds\": %llu", evictions,
               (unsigned long long)total.reseeds);
        end_row();
    }
    tenths = 36;
    compare(&(contender){"pilot, a query's probes ordered by part", build_pilot, discard_pilot,
                         pilot_one_by_one, pilot_by_part, 0});
    end_row();
    compare(&(contender){"pilot and 16-bit checksums", build_checked, discard_checked,
                         checked_one_by_one, checked_batched, 0});
    end_row();
}

static void run_cmph(const char *name, CMPH_ALGO algorithm, double load,
                     cmph_uint32 keys_per_bucket) {
    for (int i = 0; i < 2; i++) {
        char full[64];
        setting.algorithm = algorithm;
        setting.load = load;
        setting.keys_per_bucket = keys_per_bucket;
        setting.by_part = i;
        snprintf(full, sizeof full, "%s, %s", name, i ? "by part" : "one function");
        compare(&(contender){full, build_cmph, discard_cmph, cmph_one_by_one, NULL, 0});
        end_row();
    }
}

int main(int count, char **arguments) {
    require(count == 2, "usage: mph KEYS");
    read_keys(arguments[1]);
    make_parts();
    printf("{\"keys\": %u, \"parts\": %u, \"find\": %.2f", n, parts, best_of(find_parts));
    end_row();
    run_pilot();
    run_cmph("cmph bdz", CMPH_BDZ, 0, 0);
    run_cmph("cmph bmz", CMPH_BMZ, 0, 0);
    run_cmph("cmph chd", CMPH_CHD, 0, 0);
    run_cmph("cmph chd, load .99, 5 a bucket", CMPH_CHD, .99, 5);
    exact = keys[n - 1] >> 44 == 0;
    if (exact) {
        compare(&(contender){"no hash: sorted keys, all bits", build_sorted, discard_sorted,
                             sorted_one_by_one, NULL, 0});
        end_row();
    }
    exact = 0;
    compare(&(contender){"no hash: sorted mixed keys, 16 low bits", build_sorted, discard_sorted,
                         sorted_one_by_one, NULL, n / 10000});
    end_row();
    return 0;
}

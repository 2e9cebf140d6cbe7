/* Perfect hashes side by side on the same keys, in one process: a line of JSON a row. bench/mph.py
 * compiles this, makes the keys and writes the table.
 *
 * mph KEYS: a file of distinct rising u64. Times are processor time of one thread, the best of
 * ROUNDS; queries are all keys in random order; every hash is checked to be a bijection. Memory is
 * the peak beyond the keys while building. */
#define _POSIX_C_SOURCE 200809L
#include <cmph.h>
#include <malloc.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/bytes.h"
#include "base/hash.h"
#include "build/pocket_build.h"
#include "file/pilot.h"

enum { ROUNDS = 3, PART = 60000, BLOCK = 4096, SAMPLE = 64 };

static void require(int true, const char *what) {
    if (true) return;
    fprintf(stderr, "%s\n", what);
    exit(1);
}

static void *allocate(size_t size) {
    void *memory = malloc(size + 8);
    require(memory != NULL, "memory ran out");
    return memory;
}

static double now(void) {
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec * 1e9 + (double)t.tv_nsec;
}

/* Kilobytes resident: the most since the last reset_peak, or now. */
static double resident(const char *field) {
    char line[256];
    double value = 0;
    FILE *file = fopen("/proc/self/status", "r");
    while (file && fgets(line, sizeof line, file)) {
        if (!strncmp(line, field, strlen(field))) value = atof(line + strlen(field) + 1);
    }
    if (file) fclose(file);
    return value;
}

static void reset_peak(void) {
    malloc_trim(0);
    FILE *file = fopen("/proc/self/clear_refs", "w");
    if (!file) return;
    fputs("5", file);
    fclose(file);
}

/* Keys, queries (the keys in another order), and where answers go. */
static uint64_t *keys, *queries;
static uint32_t *answers, n;

/* A structure to compare: build it (bytes returned), free it, and slots of the queries one by one
 * or many at once (NULL: it has no such way). wrong: so many answers may be another key's. */
typedef struct contender {
    const char *name;
    uint64_t (*build)(void);
    void (*discard)(void);
    void (*one_by_one)(void);
    void (*batched)(void);
    uint32_t wrong;
} contender;

static void check_answers(const contender *c) {
    uint8_t *seen = allocate(n);
    uint32_t wrong = 0;
    memset(seen, 0, n);
    for (uint32_t i = 0; i < n; i++) {
        require(answers[i] < n, "a key without a slot");
        wrong += seen[answers[i]]++ != 0;
    }
    require(wrong <= c->wrong, "keys share a slot");
    free(seen);
}

static double best_of(void (*run)(void)) {
    double best = 1e300;
    for (int i = 0; i < ROUNDS; i++) {
        double start = now();
        run();
        double spent = now() - start;
        if (spent < best) best = spent;
    }
    return best / n;
}

static void compare(const contender *c) {
    double build = 1e300, peak = 0;
    uint64_t bytes = 0;
    for (int i = 0; i < 2; i++) {
        if (i > 0) c->discard();
        reset_peak();
        double before = resident("VmRSS:"), start = now();
        bytes = c->build();
        double spent = now() - start, memory = resident("VmHWM:") - before;
        if (spent < build) build = spent;
        if (memory > peak) peak = memory;
    }
    memset(answers, 0xFF, n * sizeof *answers);
    double one = best_of(c->one_by_one), many = 0;
    check_answers(c);
    if (c->batched) {
        memset(answers, 0xFF, n * sizeof *answers);
        many = best_of(c->batched);
        check_answers(c);
    }
    c->discard();
    printf("{\"name\": \"%s\", \"bits\": %.4f, \"build\": %.1f, \"one\": %.2f, \"batch\": %.2f, "
           "\"peak\": %.2f",
           c->name, 8.0 * (double)bytes / n, build / n, one, many, 1024 * peak / n);
}

static void end_row(void) {
    puts("}");
    fflush(stdout);
}

/* Parts: equal runs of the rising keys, found by their first keys. */
static uint64_t *first;
static uint32_t *start_of, parts;

/* The leading bits of a key, counted from the first, say the part that the first key of that cell
 * lies in: few steps are left. */
static uint16_t *guide;
static uint32_t guide_shift;

static void make_parts(void) {
    parts = (n + PART - 1) / PART;
    first = allocate((parts + 1) * sizeof *first);
    start_of = allocate((parts + 1) * sizeof *start_of);
    for (uint32_t p = 0; p <= parts; p++) start_of[p] = (uint32_t)((uint64_t)n * p / parts);
    for (uint32_t p = 0; p < parts; p++) first[p] = keys[start_of[p]];
    first[parts] = UINT64_MAX;

    uint64_t span = keys[n - 1] - keys[0], cells;
    while (span >> guide_shift > 16 * parts) guide_shift++;
    cells = (span >> guide_shift) + 1;
    guide = allocate(cells * sizeof *guide);
    for (uint64_t cell = 0, p = 0; cell < cells; cell++) {
        while (p + 1 < parts && first[p + 1] - first[0] <= cell << guide_shift) p++;
        guide[cell] = (uint16_t)p;
    }
}

static inline uint32_t part_of(uint64_t key) {
    uint32_t p = guide[(key - first[0]) >> guide_shift];
    p += first[p + 1] <= key; /* mostly the only step, and a coin toss for a branch */
    while (first[p + 1] <= key && p + 1 < parts) p++;
    return p;
}

/* What a directory costs a part: docs/format.md 1.3. */
enum { DIRECTORY = 20 };

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

static void read_keys(const char *path) {
    FILE *file = fopen(path, "rb");
    require(file && !fseek(file, 0, SEEK_END), "the keys cannot be read");
    n = (uint32_t)(ftell(file) / 8);
    rewind(file);
    keys = allocate(8 * (size_t)n);
    queries = allocate(8 * (size_t)n);
    answers = allocate(4 * (size_t)n);
    require(fread(keys, 8, n, file) == n, "the keys cannot be read");
    fclose(file);
    memcpy(queries, keys, 8 * (size_t)n);
    uint64_t state = 1;
    for (uint32_t i = n - 1; i > 0; i--) {
        uint32_t j = (uint32_t)(mix64(state++) % (i + 1));
        uint64_t other = queries[i];
        queries[i] = queries[j];
        queries[j] = other;
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

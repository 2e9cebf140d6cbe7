/* For mph.c: the keys, their parts, and what is measured of a structure that gives each a slot. */
#ifndef MPH_MEASURE_H
#define MPH_MEASURE_H

#include <malloc.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/hashes/hash.h"

enum { ROUNDS = 3, PART = 60000, BLOCK = 4096 };

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

#endif

/* Attacks on a file, to be run under sanitizers:
 *   attack flips FILE              every single-bit flip, every truncation
 *   attack random FILE COUNT SEED  so many random flips and truncations
 *   attack fields FILE STRIDE      boundary values at every STRIDE-th place, 1, 2, 4 and 8 bytes
 * wide, sealed anew attack refuses FILE ...        files that no reader may accept attack pairs
 * FILE COUNT SEED   the same at two places at once, chosen at random among the heads and part heads
 * Exit 0 when every case ended in a refusal or, for flips, the same answers; a case that hangs ends
 * it by a signal. */
#define _POSIX_C_SOURCE 200809L
#include <unistd.h>

#include "ask.h"

enum { SECONDS = 60 }; /* a case takes milliseconds, on a busy machine too */

static answers good;
static uint64_t cases, opened;

static int attempt(const uint8_t *bytes, uint64_t length, int compare) {
    uint8_t *exact = malloc(length ? length : 1);
    answers got;
    if (!exact) exit(2);
    memcpy(exact, bytes, length);
    alarm(SECONDS);
    ask(exact, length, &got);
    free(exact);
    cases++;
    opened += got.opened == 0;
    if (!compare || same_or_refused(&good, &got)) return 0;
    return 1;
}

static uint64_t next(uint64_t *state) {
    *state += 0x9E3779B97F4A7C15ull;
    uint64_t z = *state;
    z = (z ^ z >> 30) * 0xBF58476D1CE4E5B9ull;
    z = (z ^ z >> 27) * 0x94D049BB133111EBull;
    return z ^ z >> 31;
}

static int flips(uint8_t *b, uint64_t length) {
    for (uint64_t bit = 0; bit < 8 * length; bit++) {
        b[bit / 8] ^= (uint8_t)(1u << bit % 8);
        if (attempt(b, length, 1))
            return printf("flip of bit %llu changes an answer\n", (unsigned long long)bit), 1;
        b[bit / 8] ^= (uint8_t)(1u << bit % 8);
    }
    for (uint64_t cut = 0; cut < length; cut++) {
        uint64_t before = opened;
        attempt(b, cut, 0);
        if (opened != before)
            return printf("truncation to %llu opens\n", (unsigned long long)cut), 1;
    }
    return 0;
}

static int random_flips(uint8_t *b, uint64_t length, uint64_t count, uint64_t seed) {
    for (uint64_t i = 0; i < count; i++) {
        uint64_t bit = next(&seed) % (8 * length), cut = next(&seed) % length, before;
        b[bit / 8] ^= (uint8_t)(1u << bit % 8);
        if (attempt(b, length, 1))
            return printf("flip of bit %llu changes an answer\n", (unsigned long long)bit), 1;
        b[bit / 8] ^= (uint8_t)(1u << bit % 8);
        before = opened;
        attempt(b, cut, 0);
        if (opened != before)
            return printf("truncation to %llu opens\n", (unsigned long long)cut), 1;
    }
    return 0;
}

static const uint64_t edges[] = {0,
                                 1,
                                 2,
                                 3,
                                 7,
                                 8,
                                 9,
                                 16,
                                 31,
                                 32,
                                 33,
                                 63,
                                 64,
                                 65,
                                 127,
                                 128,
                                 255,
                                 256,
                                 1024,
                                 1025,
                                 4095,
                                 4096,
                                 8191,
                                 8193,
                                 32767,
                                 65535,
                                 65536,
                                 65537,
                                 524288,
                                 1048576,
                                 1048577,
                                 0x7fffffff,
                                 0x80000000u,
                                 0xffffffffu,
                                 0x100000000ull,
                                 1ull << 40,
                                 0x7fffffffffffffffull,
                                 1ull << 63,
                                 ~0ull};
enum { EDGES = sizeof edges / sizeof *edges };

/* A value for a field: an edge, or near what stands there, or near the file's length. */
static uint64_t value(uint32_t number, uint64_t old, uint64_t length) {
    if (number < EDGES) return edges[number];
    number -= EDGES;
    if (number < 6) return old + (uint64_t[]){1, 2, 8, 0 - 1ull, 0 - 2ull, 0 - 8ull}[number];
    return length + number - 8;
}
enum { VALUES = EDGES + 6 + 4 };

static void put(uint8_t *b, uint64_t at, uint32_t width, uint64_t v) {
    for (uint32_t i = 0; i < width; i++) b[at + i] = (uint8_t)(v >> (8 * i));
}

static uint64_t get(const uint8_t *b, uint64_t at, uint32_t width) {
    uint64_t v = 0;
    for (uint32_t i = 0; i < width; i++) v |= (uint64_t)b[at + i] << (8 * i);
    return v;
}

static int fields(const uint8_t *b, uint64_t length, uint64_t stride) {
    uint8_t *copy = malloc(length);
    if (!copy) exit(2);
    for (uint64_t at = 0; at < length; at += stride)
        for (uint32_t width = 1; width <= 8; width *= 2)
            for (uint32_t n = 0; n < VALUES && width <= length - at; n++) {
                uint64_t v = value(n, get(b, at, width), length);
                if (width < 8 && n < EDGES && edges[n] >> (8 * width)) continue;
                memcpy(copy, b, length);
                put(copy, at, width, v);
                seal(copy, length);
                attempt(copy, length, 0);
            }
    free(copy);
    return 0;
}

static int pairs(const uint8_t *b, uint64_t length, uint64_t count, uint64_t seed) {
    uint8_t *copy = malloc(length);
    uint32_t sections = load32(b + 12);
    if (!copy) exit(2);
    for (uint64_t i = 0; i < count; i++) {
        memcpy(copy, b, length);
        /* Both places in the same section, half of the time at multiples of four. */
        const uint8_t *entry = b + 32 + 40 * (next(&seed) % sections);
        uint64_t from = load64(entry + 8), size = load64(entry + 16);
        for (int k = 0; k < 2; k++) {
            uint64_t r = next(&seed),
                     at = r & 1 ? (r & 2 ? 0 : from) + (r >> 8) % (r & 2 ? 232 : size)
                                : from + (r >> 8) % size / 4 * 4;
            uint32_t width = 1u << (next(&seed) & 3);
            if (width > length - at) continue;
            put(copy, at, width,
                value((uint32_t)(next(&seed) % VALUES), get(b, at, width), length));
        }
        seal(copy, length);
        attempt(copy, length, 0);
    }
    free(copy);
    return 0;
}

/* Files that must be refused, by open or by verify. */
static int refuses(int count, char **paths) {
    int wrong = 0;
    for (int i = 0; i < count; i++) {
        uint64_t length;
        uint8_t *b = read_file(paths[i], &length);
        answers a;
        alarm(SECONDS);
        ask(b, length, &a);
        free(b);
        if (a.opened || a.status[OPS - 1]) continue;
        printf("not refused: %s\n", paths[i]);
        wrong = 1;
    }
    return wrong;
}

int main(int count, char **arguments) {
    if (count < 3) return 2;
    if (!strcmp(arguments[1], "refuses")) return refuses(count - 2, arguments + 2);
    uint64_t length, n = count > 3 ? strtoull(arguments[3], NULL, 10) : 1,
                     seed = count > 4 ? strtoull(arguments[4], NULL, 10) : 1;
    uint8_t *bytes = read_file(arguments[2], &length);
    ask(bytes, length, &good);
    if (good.opened || good.status[OPS - 1]) return printf("the file itself is refused\n"), 2;
    const char *mode = arguments[1];
    int wrong = !strcmp(mode, "flips")    ? flips(bytes, length)
                : !strcmp(mode, "random") ? random_flips(bytes, length, n, seed)
                : !strcmp(mode, "fields") ? fields(bytes, length, n)
                                          : pairs(bytes, length, n, seed);
    free(bytes);
    printf("%s: %llu cases, %llu opened\n", mode, (unsigned long long)cases,
           (unsigned long long)opened);
    return wrong;
}

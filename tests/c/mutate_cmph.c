/* Packed libcmph hashes with bytes changed and cut: whatever cmph_check accepts is searched without
 * a step outside. libcmph itself has to be compiled with the sanitizer for that, from its sources;
 * with the installed library only steps out of mapped memory show.
 *
 * clang -std=c11 -g -O1 -fsanitize=address -Icbits tests/c/mutate_cmph.c cbits/cmph/cmph_adapter.c
 * cbits/cmph/cmph_check.c -lcmph -o mutate_cmph ASAN_OPTIONS=detect_leaks=0 ./mutate_cmph 300 1
 * (libcmph leaks where it fails)
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/hashes/hash.h"
#include "cmph/cmph_adapter.h"
#include "file/keys/part.h"

#define MOST 3000u

static uint64_t state;

static uint64_t draw(uint64_t below) {
    state += 0x9E3779B97F4A7C15ull;
    return mix64(state) % below;
}

static void require(int true, const char *what) {
    if (true) return;
    fprintf(stderr, "%s\n", what);
    abort();
}

/* Near both ends are the fields that decide where libcmph reads. */
static uint64_t place(uint64_t length) {
    uint64_t near = length < 64 ? length : 64;
    switch (draw(3)) {
    case 0: return draw(near);
    case 1: return length - 1 - draw(near);
    default: return draw(length);
    }
}

static int search(uint32_t mph, const uint8_t *hash, uint64_t hash_length, const uint64_t *keys,
                  uint32_t n) {
    uint64_t length = draw(8) ? hash_length : draw(hash_length) + 1, asked[40];
    uint32_t slots[40];
    uint8_t *bytes = malloc(length);
    require(bytes != NULL, "memory");
    memcpy(bytes, hash, length);
    for (uint64_t i = draw(5); i > 0; i--) {
        uint64_t at = place(length);
        bytes[at] = (uint8_t)(draw(2) ? draw(256) : bytes[at] ^ 1u << draw(8));
    }
    for (int i = 0; i < 40; i++) asked[i] = draw(2) ? keys[draw(n)] : draw(UINT64_MAX);
    int refused = pocket_cmph_slots(mph, bytes, length, asked, 40, slots);
    free(bytes);
    return !refused;
}

int main(int count, char **arguments) {
    static uint64_t keys[MOST];
    static uint32_t slots[MOST];
    require(count == 3, "usage: mutate_cmph ROUNDS SEED");
    uint64_t rounds = strtoull(arguments[1], NULL, 10), accepted = 0;
    state = strtoull(arguments[2], NULL, 10);
    for (uint64_t round = 0; round < rounds; round++) {
        uint32_t mph = POCKET_MPH_BMZ + (uint32_t)draw(3), n = 1 + (uint32_t)draw(draw(2)   ? 20
                                                                                  : draw(9) ? 300
                                                                                            : MOST);
        uint64_t key = 0, length;
        for (uint32_t i = 0; i < n; i++) keys[i] = key += 1 + draw(1ull << draw(40));
        uint8_t *hash;
        require(pocket_cmph_build(mph, keys, n, &hash, &length, slots) == 0, "a hash is not built");
        for (int i = 0; i < 200; i++) accepted += (uint64_t)search(mph, hash, length, keys, n);
        pocket_cmph_release(hash);
    }
    printf("%llu of %llu accepted\n", (unsigned long long)accepted,
           (unsigned long long)rounds * 200);
    return 0;
}

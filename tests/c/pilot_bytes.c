/* A checksum of `pilot` hashes of fixed keys, and one of parts of them: the same on every machine.
 */
#include <stdio.h>
#include <stdlib.h>

#include "build/pocket_build.h"
#include "file/keys/part.h"

#define MOST 65535u

static uint64_t add(uint64_t sum, const uint8_t *bytes, uint64_t length) {
    for (uint64_t i = 0; i < length; i++) sum = (sum ^ bytes[i]) * 0x100000001B3ull;
    return sum;
}

int main(void) {
    static const uint32_t sizes[] = {1, 2, 3, 10, 99, 500, 1999, 2000, 20000, MOST};
    static uint64_t keys[MOST], starts[MOST + 1];
    static uint32_t postings[2 * MOST];
    uint64_t hashes = 0xCBF29CE484222325ull, parts = hashes;
    for (size_t s = 0; s < sizeof sizes / sizeof *sizes; s++) {
        uint32_t n = sizes[s];
        for (uint32_t i = 0; i < n; i++) {
            keys[i] = (i + 1) * 0x123456789ABCull;
            starts[i + 1] = starts[i] + 1 + i % 2;
        }
        for (uint32_t i = 0; i < starts[n]; i++) postings[i] = i;
        pocket_part_settings settings = {POCKET_MPH_PILOT, 16, 17, 0};
        uint8_t *hash, *part;
        uint64_t hash_length, length;
        if (pocket_pilot_build(keys, n, 0, &hash, &hash_length, NULL)) return 1;
        if (pocket_part_build(&settings, keys, n, starts, postings, NULL, 0, NULL, &part, &length,
                              NULL))
            return 1;
        hashes = add(hashes, hash, hash_length);
        parts = add(parts, part, length);
        pocket_release(hash);
        pocket_release(part);
    }
    printf("%016llx %016llx\n", (unsigned long long)hashes, (unsigned long long)parts);
    return 0;
}

/* libFuzzer: inflate_raw against zlib, which accepts the same streams. zlib's leniencies are ours:
 * the bits between the end and the next whole byte, or before a stored block, count for nothing,
 * and a code may be incomplete when it has one codeword of one bit, or none. What zlib leaves
 * unread is our error.
 *
 * clang -std=c11 -g -O1 -fsanitize=fuzzer,address,undefined -Icbits tests/c/fuzz_inflate.c
 * cbits/base/inflate.c -lz -o fuzz_inflate
 */
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

#include "inflate_raw.h"

#define MOST 40000u

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void require(int true) {
    if (!true) abort();
}

/* Of an exact size, so that the sanitizer sees any step outside; at least one byte, as zlib wants a
 * place. */
static uint8_t *allocate(size_t size) {
    uint8_t *memory = malloc(size);
    return memory ? memory : malloc(1);
}

static int ours(const uint8_t *in, size_t in_length, const uint8_t *expected, size_t out_length) {
    uint8_t *out = allocate(out_length);
    require(out != NULL);
    int status = inflate_raw(in, in_length, out, out_length);
    require(status == 0 || status == -1);
    if (status == 0) require(expected != NULL && memcmp(out, expected, out_length) == 0);
    free(out);
    return status == 0;
}

/* Both on the same stream. */
static void compare(const uint8_t *in, size_t in_length) {
    static uint8_t content[MOST];
    z_stream z;
    memset(&z, 0, sizeof z);
    require(inflateInit2(&z, -15) == Z_OK);
    z.next_in = (z_const Bytef *)(uintptr_t)in;
    z.avail_in = (uInt)in_length;
    z.next_out = content;
    z.avail_out = MOST;
    int end = inflate(&z, Z_FINISH);
    size_t length = MOST - z.avail_out;
    int good = end == Z_STREAM_END && z.avail_in == 0;
    inflateEnd(&z);
    require(ours(in, in_length, content, length) == good);
    require(!ours(in, in_length, NULL, length + 1));
    if (length > 0) require(!ours(in, in_length, NULL, length - 1));
    require(!ours(in, in_length, NULL, length + 300));
}

/* What zlib makes of the rest, by the level and the strategy that the first two bytes say. */
static void round_trip(const uint8_t *data, size_t size) {
    z_stream z;
    memset(&z, 0, sizeof z);
    require(deflateInit2(&z, data[0] % 10, Z_DEFLATED, -15, 1 + data[0] / 10 % 9, data[1] % 5) ==
            Z_OK);
    uLong most = deflateBound(&z, (uLong)size);
    uint8_t *packed = allocate(most);
    require(packed != NULL);
    z.next_in = (z_const Bytef *)(uintptr_t)(data + 2);
    z.avail_in = (uInt)(size - 2);
    z.next_out = packed;
    z.avail_out = (uInt)most;
    require(deflate(&z, Z_FINISH) == Z_STREAM_END);
    size_t length = most - z.avail_out;
    deflateEnd(&z);
    require(ours(packed, length, data + 2, size - 2));
    /* Damage at a place that the content chooses. */
    packed[(data[1] * 257u + data[0]) % length] ^= (uint8_t)(1u << data[1] % 8);
    compare(packed, length);
    free(packed);
}

/* The first byte says whether a stream follows, or content for one. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    if (size > 0 && data[0] < 0xC0) compare(data + 1, size - 1);
    if (size > 2 && data[0] >= 0xC0) round_trip(data, size);
    return 0;
}

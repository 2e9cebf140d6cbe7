/* libFuzzer: pocket_wikitext gives UTF-8, never longer than the text with U+FFFD for each ill-formed byte, the same for the same text, and steps nowhere
 * outside. Only `input` below matters to it; the first byte says what is dropped.
 *
 * clang -std=c11 -g -O1 -fsanitize=fuzzer,address,undefined -Icbits tests/c/fuzz_wikitext.c cbits/wikitext*.c cbits/markup.c cbits/utf8_repair.c
 */
#include <stdlib.h>
#include <string.h>

#include "pocket_build.h"
#include "utf8.h"
#include "utf8_repair.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void require(int true) {
    if (!true) abort();
}

static uint8_t *strip(const uint8_t *text, size_t length, uint32_t drop, uint64_t *out_length) {
    uint8_t *out = NULL;
    require(pocket_wikitext(text, length, "file\nimage\n", "category\n", drop, &out, out_length) == POCKET_OK);
    return out;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    uint32_t drop = size ? data[0] & 3u : 0;
    size_t length = size ? size - 1 : 0;
    /* Of an exact size, so that the sanitizer sees any step outside. */
    uint8_t *input = malloc(length ? length : 1);
    require(input != NULL);
    if (length) memcpy(input, data + 1, length);
    uint64_t first, second;
    uint8_t *one = strip(input, length, drop, &first), *two = strip(input, length, drop, &second);
    require(first <= utf8_repair(input, length, NULL) && is_utf8(one, (size_t)first));
    require(first == second && memcmp(one, two, (size_t)first) == 0);
    free(one);
    free(two);
    free(input);
    return 0;
}

/* libFuzzer: pocket_wikitext gives UTF-8, no longer than the text with U+FFFD for each ill-formed
 * byte and a sign for each line, the same for the same page behind it, and steps nowhere outside.
 * Only `input` below matters to it; the first byte says what is dropped.
 *
 * clang -std=c11 -g -O1 -fsanitize=fuzzer,address,undefined -Icbits tests/c/fuzz_wikitext.c
 * cbits/wikitext*.c cbits/ingest/markup.c cbits/ingest/utf8_repair.c
 */
#include <stdlib.h>
#include <string.h>

#include "base/utf8.h"
#include "ingest/pocket_ingest.h"
#include "ingest/utf8_repair.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void require(int true) {
    if (!true) abort();
}

/* The page twice, beside each other; `out` is of an exact size, so that the sanitizer sees any step
 * outside. */
static uint64_t strip(const uint8_t *texts, uint64_t length, uint32_t drop, uint8_t **out) {
    uint64_t ends[2] = {length, 2 * length}, out_ends[2];
    *out = malloc(2 * (4 * (size_t)length + 3));
    require(*out != NULL);
    require(pocket_wikitext(texts, ends, 2, "file\nimage\n", "category\n", drop, *out, out_ends) ==
            POCKET_OK);
    require(out_ends[1] == 2 * out_ends[0] &&
            memcmp(*out, *out + out_ends[0], (size_t)out_ends[0]) == 0);
    return out_ends[0];
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    uint32_t drop = size ? data[0] & 3u : 0;
    size_t length = size ? size - 1 : 0;
    uint8_t *input = malloc(length ? 2 * length : 1), *out;
    require(input != NULL);
    if (length) memcpy(input, data + 1, length);
    if (length) memcpy(input + length, data + 1, length);
    uint64_t written = strip(input, length, drop, &out),
             most = utf8_repair(input, length, NULL) + 3;
    for (size_t i = 0; i < length; i++) most += 3u * (input[i] == '\n');
    require(written <= most && is_utf8(out, (size_t)written));
    free(out);
    free(input);
    return 0;
}

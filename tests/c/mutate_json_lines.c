/* mutate_json_lines ROUNDS < LINES: lines with bytes changed, cut out and put in, each time in
 * memory of exactly their size and with exactly the room that is promised, for the sanitizers.
 * Prints how many documents were read and how many lines were left. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "ingest/pocket_ingest.h"

static uint64_t state = 2007;
static size_t below(size_t n) {
    state = state * 6364136223846793005u + 1442695040888963407u;
    return (size_t)(state >> 33) % n;
}

static uint8_t *copy(const uint8_t *bytes, size_t length) {
    uint8_t *out = malloc(length ? length : 1);
    if (length) memcpy(out, bytes, length);
    return out;
}

int main(int argc, char **argv) {
    static uint8_t all[1 << 16], some[1 << 17];
    static const char put[] = "\"\\{}[]:,u0\nd8e- \xC3\xE3\x80";
    size_t size = fread(all, 1, sizeof all, stdin);
    uint64_t read = 0, left = 0;
    for (long round = argc > 1 ? atol(argv[1]) : 1000; round > 0; round--) {
        size_t from = below(size), length = 1 + below(size - from < 600 ? size - from : 600);
        memcpy(some, all + from, length);
        for (size_t i = below(4); i > 0; i--) {
            size_t at = below(length);
            if (below(3) == 0)
                some[at] = (uint8_t)(some[at] ^ 1u << below(8));
            else if (below(2))
                some[at] = (uint8_t)put[below(sizeof put - 1)];
            else
                memmove(some + at + 1, some + at, length++ - at);
        }
        size_t lines = 1;
        for (size_t i = 0; i < length; i++) lines += some[i] == '\n';
        pocket_json_lines x = {.bytes = copy(some, length), .length = length};
        uint8_t *before = copy((const uint8_t *)"123456789012345678901234", 24);
        x.before = before;
        x.before_length = below(25);
        x.first = UINT64_MAX - below(2) * (UINT64_MAX - 1);
        x.needs_id = (uint32_t)below(2);
        const char *names[] = {"id", "title", "text", "url", "lang", ""};
        for (int i = 0; i < 6; i++) {
            x.name_lengths[i] = strlen(names[i]);
            x.names[i] = copy((const uint8_t *)names[i], x.name_lengths[i]);
        }
        x.texts = malloc(length);
        x.heads = malloc(4 * length + 128 * lines);
        x.text_ends = malloc(lines * sizeof *x.text_ends);
        x.head_ends = malloc(lines * sizeof *x.head_ends);
        x.hashes = malloc(lines * sizeof *x.hashes);
        for (;;) {
            pocket_read_json_lines(&x);
            if (x.at >= length) break;
            const uint8_t *end = memchr(x.bytes + x.at, '\n', length - x.at);
            x.at = end ? (uint64_t)(end - x.bytes) + 1 : length;
            x.lines++;
            left++;
        }
        if (x.at != length || x.lines > lines || x.texts_length > length) return 1;
        read += x.count;
        for (int i = 0; i < 6; i++) free((void *)x.names[i]);
        free(before);
        free((void *)x.bytes);
        free(x.texts);
        free(x.heads);
        free(x.text_ends);
        free(x.head_ends);
        free(x.hashes);
    }
    printf("%llu %llu\n", (unsigned long long)read, (unsigned long long)left);
    return 0;
}

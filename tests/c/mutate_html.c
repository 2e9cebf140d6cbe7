/* mutate_html ROUNDS < PAGES: pieces of pages with bytes changed, cut out and put in, marked,
 * parted into lines, given back, and taken apart into texts and tags, each time in memory of
 * exactly their size and with exactly the room that is promised, for the sanitizers. Prints how
 * many bytes marks were, how many pieces came back as they were, how many words they had, and how
 * many bytes their texts and tags. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "ingest/pocket_ingest.h"

static const pocket_html_name names[] = {
    {"p", POCKET_HTML_LINE | POCKET_HTML_BOX},
    {"xmp", POCKET_HTML_LINE | POCKET_HTML_KEPT | POCKET_HTML_LOOK},
    {"td", POCKET_HTML_CELL | POCKET_HTML_BOX},
    {"img", POCKET_HTML_APART | POCKET_HTML_VOID},
    {"nav", POCKET_HTML_LINE | POCKET_HTML_LOOK | POCKET_HTML_NAVIGATION},
    {"toc", POCKET_HTML_NAVIGATION},
    {"role", POCKET_HTML_ROLE},
    {"a-name-of-23-characters", POCKET_HTML_LINE},
};
#define COUNT (sizeof names / sizeof *names)
static const pocket_html_name told[] = {
    {"p", POCKET_HTML_NAMED},
    {"xmp", POCKET_HTML_UNREAD},
    {"td", POCKET_HTML_TOLD},
    {"img", POCKET_HTML_TOLD | POCKET_HTML_EMPTY},
    {"span", POCKET_HTML_JOINED},
    {"br", POCKET_HTML_EMPTY | POCKET_HTML_BREAK},
    {"a", POCKET_HTML_JOINED | POCKET_HTML_NAMED | POCKET_HTML_LINK},
};

static uint64_t state = 2007;
static size_t below(size_t n) {
    state = state * 6364136223846793005u + 1442695040888963407u;
    return (size_t)(state >> 33) % n;
}

static uint8_t *room(const uint8_t *bytes, size_t length) {
    uint8_t *out = malloc(length ? length : 1);
    if (!out) abort();
    if (bytes && length) memcpy(out, bytes, length);
    return out;
}

static size_t mutated(const uint8_t *all, size_t size, uint8_t *out) {
    static const char put[] = "<</>>p  \"=\n\t\f\r\x1c\x1d\xC2\xA0\xAD\xE2\x80\xE3";
    size_t from = below(size), length = 1 + below(size - from < 300 ? size - from : 300);
    memcpy(out, all + from, length);
    for (size_t i = below(6); i > 0; i--) {
        size_t at = below(length);
        if (below(4) == 0)
            out[at] = (uint8_t)(out[at] ^ 1u << below(8));
        else if (below(2))
            out[at] = (uint8_t)put[below(sizeof put - 1)];
        else
            memmove(out + at + 1, out + at, length++ - at);
    }
    return length;
}

int main(int argc, char **argv) {
    static uint8_t all[1 << 16], some[1 << 10];
    size_t size = fread(all, 1, sizeof all, stdin);
    uint64_t marks = 0, same = 0, words = 0, taken = 0;
    if (!size) return 1;
    for (long round = argc > 1 ? atol(argv[1]) : 1000; round > 0; round--) {
        size_t length = mutated(all, size, some), tags = 0;
        uint64_t found;
        for (size_t i = 0; i < length; i++) tags += some[i] == '<';
        uint8_t *source = room(some, length);
        uint8_t *put = room(NULL, 2 * length + POCKET_HTML_MARKS * tags);
        size_t more = pocket_html_marked(source, length, names, COUNT, (uint32_t)below(2), put);
        uint8_t *marked = room(put, more);
        uint8_t *plain = room(NULL, more), *lines = room(NULL, 4 * more);
        size_t less = pocket_html_unmarked(marked, more, names, COUNT, plain);
        size_t shown = pocket_html_lines(marked, more, lines, &found);
        uint8_t *open = room(NULL, length / 24 + 1), *apart = room(NULL, length + 2);
        size_t tokens =
            pocket_html_tokens(source, length, told, sizeof told / sizeof *told, open, apart);
        if (tokens > length + 2) return 1;
        taken += tokens;
        if (more < length - tags || less > more || shown > 4 * more || found > shown) return 1;
        marks += more;
        same += less == length && memcmp(plain, source, length) == 0;
        words += found;
        free(source);
        free(put);
        free(marked);
        free(plain);
        free(lines);
        free(open);
        free(apart);
    }
    printf("%llu %llu %llu %llu\n", (unsigned long long)marks, (unsigned long long)same,
           (unsigned long long)words, (unsigned long long)taken);
    return 0;
}

/* Ask a pocket file for the documents most similar to a document: everything that an application
 * does with pocket.h, errors included.
 *
 *     make lib
 *     cc -std=c11 -O2 -Ibuild/lib examples/query.c build/lib/pocket.c -pthread -o query
 *     ./query docs.pocket draft.txt
 *
 * A line a hit: rank, similarity, id, title, with tabs between. `make programs` makes stand-alone
 * programs of this file. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#ifdef _WIN32
#include <fcntl.h>
#include <io.h>
#include <windows.h>
#endif

#include "pocket.h"

enum {
    FOUND = 0,
    NOTHING_FOUND = 1,
    USAGE = 2,
    DAMAGED = 3
}; /* exit codes: those of the command `pocketindex` */
enum { MOST_HITS = 10000 };
#define MOST_TEXT 268435456u /* bytes that pocket_query takes */

static const char usage[] = "usage: pocketquery [--top N] [--memory] FILE.pocket [DOCUMENT]\n"
                            "\n"
                            "Prints the documents of FILE.pocket that are most similar to "
                            "DOCUMENT, best first: rank, similarity, id, title.\n"
                            "DOCUMENT is a text file in UTF-8; - or nothing is standard input.\n"
                            "\n"
                            "  --top N     hits to show, 1 .. 10000 (default 10)\n"
                            "  --memory    read the file into memory instead of mapping it\n"
                            "\n"
                            "exit codes: 0 found, 1 nothing found, 2 usage or input/output error, "
                            "3 damaged or no pocket file\n";

typedef struct arguments {
    const char *pocket, *document; /* document: "-" for standard input */
    uint32_t top;
    int memory;
} arguments;

typedef struct bytes {
    uint8_t *data;
    size_t length;
} bytes;

/* ---- errors ---- */

static int complain(const char *name, const char *what) {
    fprintf(stderr, "pocketquery: %s: %s\n", name, what);
    return USAGE;
}

static int explain(const char *name, const pocket_error *error) {
    char what[512];
    pocket_describe(error, what, sizeof what);
    complain(name, what);
    return error->status == POCKET_FILE_CHANGED || error->status >= POCKET_NOT_POCKET ? DAMAGED
                                                                                      : USAGE;
}

/* ---- input ---- */

/* All bytes of a stream, fewer than most. Returns 0, or after a complaint an exit code; data has to
 * be freed in either case. */
static int read_stream(FILE *stream, const char *name, size_t most, bytes *out) {
    size_t room = 0;
    for (;;) {
        if (out->length == room) {
            if (room == most)
                return complain(
                    name,
                    "the text is too long: expected at most 268435456 bytes; give a part of it");
            room = room < 65536 ? 65536 : room > most / 2 ? most : 2 * room;
            uint8_t *grown = realloc(out->data, room);
            if (!grown) return complain(name, "memory ran out");
            out->data = grown;
        }
        size_t read = fread(out->data + out->length, 1, room - out->length, stream);
        out->length += read;
        if (read > 0) continue;
        return ferror(stream) ? complain(name, "cannot be read; is it a file?") : 0;
    }
}

static int read_file(const char *path, size_t most, bytes *out) {
    FILE *stream = fopen(path, "rb");
    if (!stream) return complain(path, "cannot open the file; check the path");
    int code = read_stream(stream, path, most, out);
    fclose(stream);
    return code;
}

static int is_stdin(const char *document) { return !strcmp(document, "-"); }

static const char *name_of(const char *document) {
    return is_stdin(document) ? "<stdin>" : document;
}

static int read_document(const char *document, bytes *text) {
    return is_stdin(document) ? read_stream(stdin, name_of(document), MOST_TEXT + 1, text)
                              : read_file(document, MOST_TEXT + 1, text);
}

/* ---- output ---- */

/* UTF-8 without control characters: a title may neither steer the terminal nor end the line. */
static void print_plain(const char *string, uint32_t length) {
    const unsigned char *s = (const unsigned char *)string;
    for (uint32_t i = 0; i < length; i++) {
        int second = s[i] == 0xC2 && i + 1 < length && s[i + 1] < 0xA0; /* U+0080 .. U+009F */
        putchar(s[i] < 0x20 || s[i] == 0x7F || second ? '?' : s[i]);
        i += (uint32_t)second;
    }
}

static int print_hits(const pocket_index *index, const arguments *a, pocket_hit *hits,
                      uint32_t count) {
    uint32_t shown = 0;
    count = pocket_more_than_chance(index, 0, 0, hits, count); /* those behind chance finds, too */
    for (; shown < count; shown++) {
        pocket_document *d;
        pocket_error error;
        if (pocket_document_get(index, hits[shown].document, &d, &error))
            return explain(a->pocket, &error);
        printf("%u\t%u.%04u\t", (unsigned)shown + 1, (unsigned)hits[shown].similarity / 10000,
               (unsigned)hits[shown].similarity % 10000);
        print_plain(d->id, d->id_length);
        putchar('\t');
        print_plain(d->title, d->title_length);
        putchar('\n');
        pocket_document_free(d);
    }
    if (fflush(stdout) || ferror(stdout)) return complain("<stdout>", "cannot be written");
    if (shown == 0) fprintf(stderr, "nothing similar found\n");
    return shown ? FOUND : NOTHING_FOUND;
}

/* ---- the query ---- */

static int query(const pocket_index *index, const arguments *a, const bytes *text) {
    pocket_error error;
    uint32_t count = a->top;
    pocket_hit *hits = malloc(count * sizeof *hits);
    if (!hits) return complain(a->pocket, "memory ran out");
    uint32_t status = pocket_query(index, text->data, text->length, NULL, hits, &count, &error);
    int is_of_text = status == POCKET_TEXT_TOO_SHORT || status == POCKET_TEXT_TOO_LONG;
    int code = status ? explain(is_of_text ? name_of(a->document) : a->pocket, &error)
                      : print_hits(index, a, hits, count);
    free(hits);
    return code;
}

/* From a path the file is mapped; or its bytes are the caller's, and stay until pocket_close. */
static int open_and_query(const arguments *a, const bytes *text) {
    pocket_index *index;
    pocket_error error;
    bytes file = {NULL, 0};
    int code = a->memory ? read_file(a->pocket, SIZE_MAX, &file) : 0;
    if (!code) {
        uint32_t status = a->memory ? pocket_open(file.data, file.length, &index, &error)
                                    : pocket_open_path(a->pocket, &index, &error);
        code = status ? explain(a->pocket, &error) : query(index, a, text);
        if (!status) pocket_close(index);
    }
    free(file.data);
    return code;
}

/* ---- the command ---- */

/* 0 when the arguments are not those of the usage. */
static int parse(int count, char **given, arguments *a) {
    *a = (arguments){NULL, "-", 10, 0};
    int places = 0;
    for (int i = 1; i < count; i++) {
        if (!strcmp(given[i], "--memory")) {
            a->memory = 1;
        } else if (!strcmp(given[i], "--top") && i + 1 < count) {
            char *end;
            unsigned long top = strtoul(given[++i], &end, 10);
            if (*end || given[i][0] < '0' || given[i][0] > '9' || top < 1 || top > MOST_HITS)
                return 0;
            a->top = (uint32_t)top;
        } else if (given[i][0] == '-' && given[i][1] != 0) {
            return 0;
        } else if (places++ == 0) {
            a->pocket = given[i];
        } else {
            a->document = given[i];
        }
    }
    return places == 1 || places == 2;
}

int main(int count, char **given) {
    arguments a;
    bytes text = {NULL, 0};
#ifdef _WIN32
    _setmode(_fileno(stdin),
             _O_BINARY); /* the bytes as they are: identical texts are told by them */
    SetConsoleOutputCP(CP_UTF8);
#endif
    int help = count == 2 && !strcmp(given[1], "--help");
    if (help || !parse(count, given, &a)) {
        fputs(usage, help ? stdout : stderr);
        return help ? FOUND : USAGE;
    }
    int code = read_document(a.document, &text);
    if (!code) code = open_and_query(&a, &text);
    free(text.data);
    return code;
}

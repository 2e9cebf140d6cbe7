/* The terms of a text in a row of lines: for the builder and for tests. */
#include "base/memory.h"
#include "build/pocket_build.h"
#include "sketch/profile.h"
#include "text/word_stream.h"

typedef struct lines {
    uint8_t *out;
    uint64_t capacity, at;
} lines;

static void write_line(lines *l, const uint8_t *bytes, uint32_t length) {
    if (l->capacity >= l->at && l->capacity - l->at > length) {
        memcpy(l->out + l->at, bytes, length);
        l->out[l->at + length] = '\n';
    }
    l->at += length + 1;
}

pocket_status pocket_terms_write(const uint8_t *text, uint64_t length, uint32_t stream,
                                 uint8_t *out, uint64_t capacity, uint64_t *out_length) {
    term_stream terms;
    word_stream words;
    lines l = {out, capacity, 0};
    *out_length = 0;
    if (stream < STREAM_FOLDED || stream > STREAM_EVERY_MARKED) return POCKET_BAD_ARGUMENT;
    if (length > MOST_TEXT) return POCKET_TEXT_TOO_LONG;
    if (stream == STREAM_WORDS) {
        word_stream_begin(&words, text, length, STREAM_EVERY_WORD, NULL);
        while (word_stream_next(&words)) write_line(&l, words.bytes, words.length);
    } else {
        term_stream_begin(&terms, text, length, stream);
        while (term_stream_next(&terms)) write_line(&l, terms.bytes, terms.length);
    }
    *out_length = l.at;
    return l.at <= capacity ? POCKET_OK : POCKET_BAD_ARGUMENT;
}

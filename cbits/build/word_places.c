/* The words of a text with their places, and those that a question asks for: for a reader that has
 * an index of its own, as the search of a website. */
#include "base/memory.h"
#include "base/meter.h"
#include "build/pocket_build.h"
#include "sketch/profile.h"
#include "text/asked_words.h"

/* Where words and the numbers of each go. at and used go on where there is no more room. */
typedef struct written {
    uint8_t *out;
    uint64_t capacity, at;
    uint32_t *numbers, room, used;
} written;

static void write_word(written *w, const uint8_t *bytes, uint32_t length) {
    if (w->capacity >= w->at && w->capacity - w->at > length) {
        memcpy(w->out + w->at, bytes, length);
        w->out[w->at + length] = '\n';
    }
    w->at += length + 1;
}

static void write_number(written *w, uint64_t number) {
    if (w->used < w->room) w->numbers[w->used] = (uint32_t)number;
    w->used++;
}

static pocket_status end_written(const written *w, uint64_t *out_length, uint32_t *count) {
    *out_length = w->at;
    *count = w->used;
    return w->at <= w->capacity && w->used <= w->room ? POCKET_OK : POCKET_BAD_ARGUMENT;
}

pocket_status pocket_words_places(const uint8_t *text, uint64_t length, uint8_t *out,
                                  uint64_t capacity, uint64_t *out_length, uint32_t *numbers,
                                  uint32_t *count) {
    written w = {out, capacity, 0, numbers, *count, 0};
    word_stream words;
    *out_length = *count = 0;
    if (length > MOST_TEXT) return POCKET_TEXT_TOO_LONG;
    word_stream_begin(&words, text, length, STREAM_EVERY_WORD, NULL);
    while (word_stream_next(&words)) {
        write_word(&w, words.bytes, words.length);
        write_number(&w, (uint64_t)(words.from - text));
        write_number(&w, (uint64_t)(words.to - text));
        write_number(&w, words.kind);
    }
    return end_written(&w, out_length, count);
}

static void write_asked(written *w, const asked_words *a) {
    write_number(w, a->count);
    for (uint32_t i = 0; i < a->count; i++) {
        const asked_word *word = &a->words[i];
        write_word(w, word->bytes, word->length);
        write_number(w, word->start);
        write_number(w, word->end);
        write_number(w, (uint32_t)word->role);
        write_number(w, (uint32_t)word->alone);
    }
    for (uint32_t i = 0; i < a->quote_count; i++) {
        const asked_quote *q = &a->quotes[i];
        write_number(w, q->negative ? 2 : (uint32_t)q->run);
        write_number(w, q->count);
        for (uint32_t k = 0; k < q->count; k++) write_number(w, a->terms[q->first + k]);
    }
}

pocket_status pocket_asked_write(const uint8_t *text, uint64_t length, uint8_t *out,
                                 uint64_t capacity, uint64_t *out_length, uint32_t *numbers,
                                 uint32_t *count) {
    written w = {out, capacity, 0, numbers, *count, 0};
    meter steps = {0};
    asked_words asked;
    *out_length = *count = 0;
    if (length > MOST_TEXT) return POCKET_TEXT_TOO_LONG;
    asked_words_read(&asked, text, length, STREAM_EVERY_WORD, 0, &steps);
    write_asked(&w, &asked);
    return end_written(&w, out_length, count);
}

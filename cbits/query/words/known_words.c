/* How common the terms of a text are in the collection. */
#include "file/words.h"

struct known {
    const pocket_index *index;
    const uint8_t *text;
    uint64_t length, *documents, room, *count;
    pocket_error *error;
};

/* All blocks that are not at hand are missed at once. */
static uint32_t count_known(void *argument) {
    struct known *a = argument;
    meter steps = meter_of(a->index);
    term_stream terms;
    words_block b;
    uint32_t missing = POCKET_OK;
    term_stream_begin(&terms, a->text, a->length, every_word_of(a->index->profile.stream));
    terms.meter = &steps;
    for (*a->count = 0; term_stream_next(&terms); ++*a->count) {
        word_list list;
        int found;
        if (*a->count >= a->room) continue;
        if (interrupted(&steps, 8)) break;
        uint32_t status =
            word_list_find(&list, &b, a->index, terms.bytes, terms.length, &found, a->error);
        if (status && status != POCKET_NOT_AT_HAND) return status;
        if (status) missing = status;
        a->documents[*a->count] = list.documents;
    }
    return steps.ended ? (uint32_t)POCKET_INTERRUPTED : missing;
}

pocket_status pocket_known_words(const pocket_index *x, const uint8_t *text, uint64_t length,
                                 uint64_t *documents, uint64_t *count, pocket_error *error) {
    struct known a = {x, text, length, documents, *count, count, error};
    clear(error);
    *count = 0;
    if (!x->by_kind[POCKET_WORDS])
        return fail(error, POCKET_NO_WORDS, POCKET_WORDS, -1, "sections", 1, 0);
    if (length > MOST_TEXT) return text_too_long(error, length);
    return fail_as(error, guarded(x, count_known, &a));
}

/* The classes of words that are forms of one another (docs/format.md 6.4): each word says how the
 * next one of its class differs from it. */
#include "base/memory.h"
#include "file/words.h"

static uint32_t forms_wrong(pocket_error *error, int64_t block, const char *field,
                            uint64_t expected, uint64_t found) {
    return fail(error, POCKET_DAMAGED_FIELD, POCKET_WORDS, block, field, expected, found);
}

static const uint8_t *ending_of(const pocket_index *x, uint32_t number) {
    const uint8_t *p = x->word_endings;
    while (number-- > 0) p += 2 + p[1];
    return p;
}

uint32_t word_list_next_form(const word_list *l, uint8_t *word, uint32_t *length) {
    uint32_t dropped = l->spelled.dropped, more = l->spelled.length;
    const uint8_t *bytes = l->spelled.bytes;
    if (l->ending <= l->index->word_ending_count) {
        const uint8_t *p = ending_of(l->index, l->ending - 1);
        dropped = p[0];
        more = p[1];
        bytes = p + 2;
    }
    uint64_t found = (uint64_t)*length + more;
    if (dropped > *length || found - dropped < 1 || found - dropped > TERM_BYTES)
        return allowing(l->error, "1 .. %",
                        forms_wrong(l->error, l->first_block, "length of a form", TERM_BYTES,
                                    dropped > *length ? 0 : found - dropped));
    memcpy(word + *length - dropped, bytes, more);
    *length += more - dropped;
    return POCKET_OK;
}

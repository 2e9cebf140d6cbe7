/* Another form of a word that no document has, by the rules of the file (docs/format.md 6.4, 10). */
#include "base/memory.h"
#include "query/words/word_search.h"

#define LEAST_STEM 3u /* letters before an ending */

static uint32_t count_letters(const uint8_t *bytes, uint32_t length) {
    uint32_t count = 0;
    for (uint32_t i = 0; i < length; i++) count += (bytes[i] & 0xc0) != 0x80;
    return count;
}

static int is_of_letters(const asked_word *word) {
    for (uint32_t i = 0; i < word->length; i++)
        if (word->bytes[i] < 'a') return 0;
    return 1;
}

/* How many bytes of a word stay where this ending goes, 0 where it may not; doubled: and of two
 * equal letters before it, one. */
static uint32_t stem_without(const asked_word *word, const uint8_t *ending, uint32_t length,
                             uint32_t doubled) {
    if (length >= word->length) return 0;
    uint32_t left = word->length - length;
    if (memcmp(word->bytes + left, ending, length) != 0 ||
        count_letters(word->bytes, left) < LEAST_STEM + doubled)
        return 0;
    return doubled && word->bytes[left - 1] != word->bytes[left - 2] ? 0 : left - doubled;
}

/* Ask another ending behind so many bytes of the word, and their last letter once more if that is
 * doubled: do documents have what comes of it? */
static uint32_t try_ending(word_search *s, const asked_word *word, uint32_t left, uint32_t doubled,
                           const uint8_t *ending, uint32_t length, replacement *r) {
    words_block b;
    word_list list;
    int found;
    if (left == 0 || left + doubled + length > TERM_BYTES) return POCKET_OK;
    memcpy(r->bytes, word->bytes, left);
    r->bytes[left] = r->bytes[left - 1];
    left += doubled;
    memcpy(r->bytes + left, ending, length);
    r->length = left + length;
    uint32_t status = word_list_find(&list, &b, s->index, r->bytes, r->length, &found, s->error);
    if (!status && (list.documents || list.ending)) r->how = POCKET_REPLACED_FORM;
    return status;
}

uint32_t find_form(word_search *s, uint32_t i, replacement *r) {
    const uint8_t *p = s->index->word_rules;
    const asked_word *word = &s->asked.words[i];
    uint32_t doubled = 0, missing = POCKET_OK;
    r->start = word->start;
    r->end = word->end;
    r->documents = 0;
    if (!is_of_letters(word)) return POCKET_OK;
    for (uint32_t k = 0; k < 2 * s->index->word_rule_count && !r->how; k++) {
        uint32_t one = p[0], other = p[1] - one, status;
        const uint8_t *ending = p + 2;
        if (k & 1)
            status = try_ending(s, word, stem_without(word, ending, one, 0), doubled, ending + one,
                                other, r);
        else
            status = try_ending(s, word, stem_without(word, ending + one, other, doubled), 0,
                                ending, one, r);
        if (status && status != POCKET_NOT_AT_HAND) return status;
        if (status) missing = status;
        if (k & 1) {
            doubled |= p[1] == 0;
            p += 2 + p[1];
        }
    }
    return missing;
}

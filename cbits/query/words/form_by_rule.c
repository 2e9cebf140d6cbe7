/* Another form of a word that no document has, by the rules of the file (docs/format.md 6.4, 10).
 */
#include "base/memory.h"
#include "query/words/word_search.h"

#define LEAST_STEM 3u /* letters before an ending */

/* How many bytes of a word stay where this ending goes, 0 where it may not; doubled: and of two
 * equal letters before it, one. */
static uint32_t stem_without(const asked_word *word, const uint8_t *ending, uint32_t length,
                             uint32_t doubled) {
    uint32_t left = length < word->length ? word->length - length : 0, letters = 0;
    for (uint32_t i = 0; i < word->length; i++) {
        if (word->bytes[i] < 'a') return 0;
        letters += i < left && (word->bytes[i] & 0xc0) != 0x80;
    }
    if (letters < LEAST_STEM + doubled || memcmp(word->bytes + left, ending, length) != 0) return 0;
    return doubled && word->bytes[left - 1] != word->bytes[left - 2] ? 0 : left - doubled;
}

uint32_t find_form(word_search *s, uint32_t i, replacement *r) {
    const uint8_t *p = s->index->word_rules;
    const asked_word *word = &s->asked.words[i];
    uint32_t doubled = 0, missing = POCKET_OK;
    words_block b;
    word_list list;
    for (uint32_t k = 0; k < 2 * s->index->word_rule_count && !r->how; k++) {
        /* First the second ending goes and the first one comes, then the other way round. */
        uint32_t back = k & 1, from = back ? p[0] : p[1] - p[0], to = p[1] - from;
        const uint8_t *goes = back ? p + 2 : p + 2 + to, *comes = back ? p + 2 + from : p + 2;
        uint32_t left = stem_without(word, goes, from, back ? 0 : doubled), twice = back & doubled;
        int found;
        if (back) {
            doubled |= p[1] == 0;
            p += 2 + p[1];
        }
        if (left == 0 || left + twice + to > TERM_BYTES) continue;
        memcpy(r->bytes, word->bytes, left);
        r->bytes[left] = r->bytes[left - 1];
        memcpy(r->bytes + left + twice, comes, to);
        r->length = left + twice + to;
        uint32_t status =
            word_list_find(&list, &b, s->index, r->bytes, r->length, &found, s->error);
        if (status && status != POCKET_NOT_AT_HAND) return status;
        if (status)
            missing = status;
        else if (list.documents || list.ending)
            r->how = POCKET_REPLACED_FORM;
    }
    return missing;
}

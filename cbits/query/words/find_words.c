/* Asked words to words of the file. */
#include "base/array.h"
#include "base/memory.h"
#include "base/sort.h"
#include "query/words/word_search.h"

#define MOST_BEGUN 4096u /* words that begin with an asked one */
#define MOST_BEGUN_COLD 256u

static uint32_t add_found_word(word_search *s, const word_list *list, uint32_t asked, int form) {
    found_word *found =
        array_grow(s->found, &s->found_room, s->found_count, s->found_count + 1, sizeof *found);
    if (!found) return fail(s->error, POCKET_NO_MEMORY, POCKET_WORDS, -1, NULL, 0, 0);
    s->found = found;
    s->found[s->found_count++] = (found_word){*list, asked, form};
    return POCKET_OK;
}

/* Add the other words of the class of one whose list was opened. */
static uint32_t find_forms(word_search *s, uint32_t i, const words_block *first,
                           const word_list *list) {
    uint8_t word[TERM_BYTES];
    uint32_t length = first->word_length, status = POCKET_OK, count = 0;
    uint64_t others = 0;
    word_list own = *list;
    memcpy(word, first->word, length);
    while (own.ending && !(status = word_list_next_form(&own, word, &length))) {
        words_block b;
        int found;
        if (!compare_bytes(word, length, first->word, first->word_length)) break;
        if (++count == MOST_FORMS) {
            s->capped = 1;
            break;
        }
        if (interrupted(&s->steps, 8)) return POCKET_INTERRUPTED;
        status = words_find(&b, s->index, word, length, &found, s->error);
        if (!status && !found)
            status =
                fail(s->error, POCKET_DAMAGED_FIELD, POCKET_WORDS, own.first_block, "form", 1, 0);
        if (status || (status = word_list_open(&own, &b))) return status;
        others += own.documents;
        if (own.total && (status = add_found_word(s, &own, i, 1))) return status;
        s->forms[i] |= own.total > 0;
    }
    if (!s->documents[i])
        s->documents[i] = others < s->index->documents ? others : s->index->documents;
    return status;
}

static uint32_t find_word(word_search *s, uint32_t i) {
    const asked_word *word = &s->asked.words[i];
    words_block b;
    word_list list;
    int found;
    uint32_t status = words_find(&b, s->index, word->bytes, word->length, &found, s->error);
    if (status || !found || (status = word_list_open(&list, &b))) return status;
    s->documents[i] = list.documents;
    if (list.total && (status = add_found_word(s, &list, i, 0))) return status;
    if (s->options.exact || word->quoted || word->role != WORD_WANTED) return POCKET_OK;
    return find_forms(s, i, &b, &list);
}

static uint32_t find_beginnings(word_search *s, uint32_t i) {
    const asked_word *word = &s->asked.words[i];
    words_block b;
    word_list list;
    int found;
    uint32_t most = s->options.cold ? MOST_BEGUN_COLD : MOST_BEGUN,
             status = words_seek(&b, s->index, word->bytes, word->length, &found, s->error);
    for (uint32_t k = 0; !status && found && asked_word_is(word, b.word, b.word_length); k++) {
        if (k == most) {
            s->capped = 1;
            break;
        }
        if (interrupted(&s->steps, 8)) return POCKET_INTERRUPTED;
        if ((status = word_list_open(&list, &b))) return status;
        s->documents[i] += list.documents;
        if (list.total && (status = add_found_word(s, &list, i, 0))) return status;
        status = words_next(&b, &found);
    }
    if (s->documents[i] > s->index->documents) s->documents[i] = s->index->documents;
    return status;
}

uint32_t find_words(word_search *s) {
    uint32_t status = POCKET_OK;
    for (uint32_t i = 0; i < s->asked.count && !status; i++) {
        const asked_word *word = &s->asked.words[i];
        status = search_unless_missed(s, word->prefix ? find_beginnings(s, i) : find_word(s, i));
        int known = s->documents[i] || (s->options.having && s->options.having[i]);
        if (word->role == WORD_WANTED) ++*(known ? &s->wanted : &s->not_found);
    }
    return status;
}

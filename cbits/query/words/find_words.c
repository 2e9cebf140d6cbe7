/* Asked words to words of the file. */
#include "base/array.h"
#include "base/byte_strings.h"
#include "base/memory.h"
#include "base/sort.h"
#include "query/words/word_search.h"
#include "text/marks.h"
#include "text/plain.h"

#define MOST_BEGUN 4096u /* words that begin with an asked one */
#define MOST_BEGUN_COLD 256u

/* A word without postings is of no use. */
static uint32_t add_found_word(word_search *s, const word_list *list, uint32_t asked, int how) {
    if (!list->total) return POCKET_OK;
    found_word *found =
        array_grow(s->found, &s->found_room, s->found_count, s->found_count + 1, sizeof *found);
    if (!found) return fail(s->error, POCKET_NO_MEMORY, POCKET_WORDS, -1, NULL, 0, 0);
    s->found = found;
    s->found[s->found_count++] = (found_word){*list, asked, how};
    return POCKET_OK;
}

/* Has a form other marks than the word that is asked? Who types marks types all of them, so that
 * they tell words apart; a word without any is a plain spelling. */
static int is_marked_otherwise(const word_search *s, const asked_word *word, const uint8_t *form,
                               uint32_t length) {
    return s->asked.marked && letters_length(form, length) < length &&
           !(has_marks_of(word->bytes, word->length, form, length) &&
             has_marks_of(form, length, word->bytes, word->length));
}

/* Was a word asked without marks and without letters that many keyboards lack? */
static int is_plainly_asked(const asked_word *word) {
    return !compare_bytes(word->bytes, word->length, word->plain, word->plain_length);
}

/* Is a word another one that is spelled plainly so? */
static int is_spelled_out(const asked_word *word, const uint8_t *bytes, uint32_t length) {
    uint8_t plain[TERM_BYTES];
    if (length < word->length || !compare_bytes(bytes, length, word->bytes, word->length)) return 0;
    return !compare_bytes(plain, plain_spelling(bytes, length, plain), word->bytes, word->length);
}

int is_spelling_of(const word_search *s, const asked_word *word, const uint8_t *bytes,
                   uint32_t length) {
    if (!compare_bytes(bytes, length, word->bytes, word->length)) return 1;
    if (s->options.exact || word->role != WORD_WANTED) return 0;
    if (is_plainly_asked(word))
        return !is_marked_otherwise(s, word, bytes, length) && is_spelled_out(word, bytes, length);
    return !compare_bytes(bytes, length, word->plain, word->plain_length);
}

static int how_it_is_found(const asked_word *asked, const uint8_t *form, uint32_t length,
                           int with_marks) {
    if (!with_marks && is_spelled_out(asked, form, length)) return FOUND_SPELLED;
    return compare_bytes(form, length, asked->plain, asked->plain_length) ? FOUND_FORM
                                                                          : FOUND_PLAIN;
}

/* How many documents have one of two words, if having one says nothing of having the other. */
static uint64_t with_either(const word_search *s, uint64_t one, uint64_t other) {
    uint64_t all = s->index->documents;
    if (one > all) one = all;
    if (other > all) other = all;
    return all ? one + other - one * other / all : 0;
}

/* Add the other words of the class of one whose list was opened. plain: that is the asked word's
 * plain spelling, of which no document has the word; with_marks: it is that without its marks. */
static uint32_t find_forms(word_search *s, uint32_t i, const words_block *first,
                           const word_list *list, int plain, int with_marks) {
    uint8_t word[TERM_BYTES];
    uint32_t length = first->word_length, status = POCKET_OK, count = 0;
    uint64_t others = plain ? list->documents : 0;
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
        uint32_t from = own.first_block;
        status = word_list_find(&own, &b, s->index, word, length, &found, s->error);
        if (!status && !found)
            status = fail(s->error, POCKET_DAMAGED_FIELD, POCKET_WORDS, from, "form", 1, 0);
        if (status) return status;
        const asked_word *asked = &s->asked.words[i];
        if (!plain && is_marked_otherwise(s, asked, word, length)) continue;
        if (asked->quoted && !is_spelling_of(s, asked, word, length)) continue;
        int how = how_it_is_found(asked, word, length, with_marks);
        if (how == FOUND_SPELLED)
            s->documents[i] = with_either(s, s->documents[i], own.documents);
        else
            others += own.documents;
        if ((status = add_found_word(s, &own, i, how))) return status;
        s->forms[i] |= own.total > 0;
    }
    if (!s->documents[i]) s->documents[i] = others;
    return status;
}

/* A spelling that no word of the file has is another one of all with its plain spelling. */
static uint32_t find_by_plain(word_search *s, uint32_t i) {
    const asked_word *word = &s->asked.words[i];
    words_block b;
    word_list list;
    int found;
    uint32_t status =
        word_list_find(&list, &b, s->index, word->plain, word->plain_length, &found, s->error);
    if (status || (status = add_found_word(s, &list, i, FOUND_PLAIN))) return status;
    s->forms[i] |= list.total > 0;
    return found ? find_forms(s, i, &b, &list, 1, 0) : (uint32_t)POCKET_OK;
}

static uint32_t find_word(word_search *s, uint32_t i) {
    const asked_word *word = &s->asked.words[i];
    words_block b;
    word_list list;
    int found, alone = s->options.exact || word->role != WORD_WANTED, with_marks = 0;
    uint32_t status;
    if (word->spelled_length && !alone) {
        if ((status = word_list_find(&list, &b, s->index, word->spelled, word->spelled_length,
                                     &found, s->error)) ||
            (status = add_found_word(s, &list, i, FOUND_ITSELF)))
            return status;
        s->documents[i] = list.documents;
        /* Of files that are asked together another one may have it so. */
        with_marks = found || s->options.having;
    }
    if ((status = word_list_find(&list, &b, s->index, word->bytes, word->length, &found, s->error)))
        return status;
    if (!found && !alone && !is_plainly_asked(word)) return find_by_plain(s, i);
    s->forms[i] |= with_marks && list.total && list.documents > s->documents[i];
    if (!s->documents[i]) s->documents[i] = list.documents;
    if ((status = add_found_word(s, &list, i, with_marks ? FOUND_PLAIN : FOUND_ITSELF)) || !found)
        return status;
    return alone ? (uint32_t)POCKET_OK : find_forms(s, i, &b, &list, 0, with_marks);
}

static uint32_t find_beginnings(word_search *s, uint32_t i) {
    const asked_word *word = &s->asked.words[i];
    words_block b;
    word_list list;
    int found;
    uint32_t most = s->options.cold ? MOST_BEGUN_COLD : MOST_BEGUN,
             letters = letters_length(word->bytes, word->length),
             status = words_seek(&b, s->index, word->bytes, letters, &found, s->error);
    for (uint32_t k = 0;
         !status && found && b.word_length >= letters && !memcmp(b.word, word->bytes, letters);
         status = words_next(&b, &found)) {
        if (k == most) {
            s->capped = 1;
            break;
        }
        if (interrupted(&s->steps, 8)) return POCKET_INTERRUPTED;
        if (is_spelling(b.word, b.word_length)) continue;
        k++;
        if (asked_word_is(word, b.word, b.word_length)) {
            if ((status = word_list_open(&list, &b))) return status;
            s->documents[i] += list.documents;
            if ((status = add_found_word(s, &list, i, FOUND_ITSELF))) return status;
        }
    }
    return status;
}

uint32_t find_words(word_search *s) {
    uint32_t status = POCKET_OK;
    for (uint32_t i = 0; i < s->asked.count && !status; i++) {
        const asked_word *word = &s->asked.words[i];
        status = search_unless_missed(s, word->prefix ? find_beginnings(s, i) : find_word(s, i));
        if (s->documents[i] > s->index->documents) s->documents[i] = s->index->documents;
        int known = s->documents[i] || (s->options.having && s->options.having[i]);
        if (word->role == WORD_WANTED) ++*(known ? &s->wanted : &s->not_found);
    }
    return status;
}

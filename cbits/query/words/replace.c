/* What is asked instead of words that no document has (docs/format.md, section 10): another form,
 * two of them in one, one as two neighbours, or another spelling of the file's own words. */
#include "base/memory.h"
#include "base/utf8.h"
#include "query/words/word_search.h"
#include "text/marks.h"

#define LEAST_HALF 3u    /* letters of a half of a word */
#define MOST_SPLITS 4u   /* that are looked for in documents */
#define LEAST_SPELLED 5u /* letters of a word that may be misspelt, by one edit */
#define LEAST_TWICE 8u   /* by two */
#define MOST_SPELLED 32u
#define SURE_TWICE 3u  /* documents of a word that is two edits away */
#ifndef COMMONER       /* the files of the harnesses have few documents */
#define COMMONER 1000u /* times as many documents have what is asked instead of a rare word */
#endif
#define MOST_SPELLED_BLOCKS 256u
#define MOST_SPELLED_BLOCKS_COLD 12u
#define EDIT_COSTS 2032 /* 5.5 of the natural logarithm, in 256ths of that to base 2 */
#define LAST_IS_WORTH 369

typedef struct letters {
    uint32_t codes[MOST_SPELLED];
    uint32_t count;
    uint64_t seen; /* a bit for each code, of its lowest six */
} letters;

/* Its letters, where there are few enough and no digit of ASCII. */
static int letters_of(letters *l, const uint8_t *bytes, uint32_t length) {
    const uint8_t *p = bytes, *end = bytes + length;
    l->count = 0;
    l->seen = 0;
    while (p < end) {
        uint32_t code = utf8_decode(&p, end);
        if (l->count == MOST_SPELLED || code < 'a' || is_kept_mark(code)) return 0;
        l->codes[l->count++] = code;
        l->seen |= 1ull << (code & 63);
    }
    return 1;
}

static uint32_t ones(uint64_t x) {
    uint32_t count = 0;
    for (; x; x &= x - 1) count++;
    return count;
}

static uint32_t least(uint32_t a, uint32_t b) { return a < b ? a : b; }

/* The optimal string alignment distance: insertions, deletions, substitutions, and neighbours that
 * change places; most + 1 where it is more than that. */
static uint32_t edits_between(const letters *a, const letters *b, uint32_t most) {
    uint32_t rows[3][MOST_SPELLED + 1], longer = a->count > b->count ? a->count : b->count,
                                        shorter = least(a->count, b->count);
    if (longer - shorter > most || ones(a->seen ^ b->seen) > 2 * most) return most + 1;
    for (uint32_t k = 0; k <= b->count; k++) rows[0][k] = k;
    for (uint32_t i = 1; i <= a->count; i++) {
        uint32_t *row = rows[i % 3], *before = rows[(i + 2) % 3], *two = rows[(i + 1) % 3],
                 lowest = row[0] = i;
        for (uint32_t k = 1; k <= b->count; k++) {
            uint32_t own = before[k - 1] + (a->codes[i - 1] != b->codes[k - 1]);
            own = least(own, least(before[k], row[k - 1]) + 1);
            if (i > 1 && k > 1 && a->codes[i - 1] == b->codes[k - 2] &&
                a->codes[i - 2] == b->codes[k - 1])
                own = least(own, two[k - 2] + 1);
            row[k] = own;
            lowest = least(lowest, own);
        }
        if (lowest > most) return most + 1;
    }
    return rows[a->count % 3][b->count];
}

/* ---- the words of the file ---- */

static uint32_t count_documents(word_search *s, const uint8_t *bytes, uint32_t length,
                                uint64_t *documents) {
    words_block b;
    word_list list;
    int found;
    uint32_t status = word_list_find(&list, &b, s->index, bytes, length, &found, s->error);
    *documents = list.documents;
    return status;
}

/* The blocks of the words that begin with these bytes: how many, and the first one. */
static uint32_t blocks_of_beginning(const pocket_index *x, const uint8_t *bytes, uint32_t length,
                                    uint32_t *from) {
    const section *s = x->by_kind[POCKET_WORDS];
    uint64_t first = first_eight(bytes, length),
             last = first | (length < 8 ? UINT64_MAX >> (8 * length) : 0);
    uint32_t below = first ? block_find(s, 0, s->blocks, first - 1) : s->blocks,
             to = block_find(s, 0, s->blocks, last);
    *from = below == s->blocks ? 0 : below;
    return to == s->blocks ? 0 : to - *from + 1;
}

/* Have all of some blocks at hand, or miss all that are not. */
static uint32_t have_blocks(word_search *s, uint32_t from, uint32_t count) {
    const uint8_t *bytes;
    uint64_t length;
    uint32_t missing = POCKET_OK;
    for (uint32_t i = from; i < from + count; i++) {
        uint32_t status = words_block_get(s->index, i, 0, &bytes, &length, s->error);
        if (status && status != POCKET_NOT_AT_HAND) return status;
        if (status) missing = status;
    }
    return missing;
}

typedef struct spelling {
    letters asked;
    uint32_t most;
    uint64_t least; /* documents of a word that is one edit away */
    int64_t best;
    uint8_t bytes[TERM_BYTES];
    uint32_t length;
} spelling;

static uint32_t consider(word_search *s, spelling *sp, const words_block *b) {
    letters own;
    word_list list;
    if (interrupted(&s->steps, 1)) return POCKET_INTERRUPTED;
    if (!letters_of(&own, b->word, b->word_length)) return POCKET_OK;
    uint32_t edits = edits_between(&sp->asked, &own, sp->most), status;
    if (edits > sp->most) return POCKET_OK;
    if ((status = word_list_open(&list, b))) return status;
    if (list.documents < (edits > 1 ? SURE_TWICE : sp->least)) return POCKET_OK;
    int same = own.codes[own.count - 1] == sp->asked.codes[sp->asked.count - 1];
    int64_t worth = (int64_t)word_logarithm(list.documents) - (int64_t)edits * EDIT_COSTS +
                    (same ? LAST_IS_WORTH : 0);
    if (sp->length && worth <= sp->best) return POCKET_OK;
    sp->best = worth;
    memcpy(sp->bytes, b->word, sp->length = b->word_length);
    return POCKET_OK;
}

/* The commonest of the words that are an edit or two from this one, and begin as it does: with its
 * first letter, or with two or three, where those with fewer take more than so many blocks. One
 * that some documents have is an edit away from a word that far more have. */
static uint32_t find_spelling(word_search *s, const asked_word *word, uint64_t documents,
                              spelling *sp) {
    uint32_t most = s->options.cold ? MOST_SPELLED_BLOCKS_COLD : MOST_SPELLED_BLOCKS, from, count,
             length = 0, status;
    const uint8_t *p = word->bytes;
    words_block b;
    int found;
    sp->length = 0;
    if (!letters_of(&sp->asked, word->bytes, word->length) || sp->asked.count < LEAST_SPELLED)
        return POCKET_OK;
    sp->most = documents || sp->asked.count < LEAST_TWICE ? 1 : 2;
    sp->least = documents ? COMMONER * documents : 1;
    for (uint32_t i = 0; i < 3; i++) {
        utf8_decode(&p, word->bytes + word->length);
        length = (uint32_t)(p - word->bytes);
        count = blocks_of_beginning(s->index, word->bytes, length, &from);
        if (count <= most) break;
    }
    if (count > most) return POCKET_OK;
    if ((status = have_blocks(s, from, count)) ||
        (status = words_seek(&b, s->index, word->bytes, length, &found, s->error)))
        return status;
    while (!status && found && b.word_length >= length && !memcmp(b.word, word->bytes, length))
        if (!(status = consider(s, sp, &b))) status = words_next(&b, &found);
    return status;
}

/* ---- one word as two ---- */

typedef struct split {
    uint64_t documents; /* of the rarer half */
    uint32_t at;
} split;

static uint32_t add_split(word_search *s, const asked_word *word, uint32_t at, split *splits,
                          uint32_t *count) {
    uint64_t first, second;
    uint32_t one = count_documents(s, word->bytes, at, &first),
             other = count_documents(s, word->bytes + at, word->length - at, &second);
    if (one || other) return one && one != POCKET_NOT_AT_HAND ? one : other ? other : one;
    uint64_t rarer = first < second ? first : second, commoner = first + second - rarer;
    if (rarer == 0 || commoner > s->index->documents / 4 + 8) return POCKET_OK;
    uint32_t i = *count < MOST_SPLITS ? (*count)++ : MOST_SPLITS;
    for (; i > 0 && splits[i - 1].documents < rarer; i--)
        if (i < MOST_SPLITS) splits[i] = splits[i - 1];
    if (i < MOST_SPLITS) splits[i] = (split){rarer, at};
    return POCKET_OK;
}

/* Where to part a word into two that are neighbours in some document, or 0. */
static uint32_t find_split(word_search *s, const asked_word *word, uint32_t *at) {
    split splits[MOST_SPLITS];
    letters l;
    uint32_t count = 0, missing = POCKET_OK, place = 0;
    const uint8_t *p = word->bytes, *end = word->bytes + word->length;
    *at = 0;
    if (!letters_of(&l, word->bytes, word->length)) return POCKET_OK;
    for (uint32_t i = 0; i + LEAST_HALF <= l.count; i++) {
        if (i >= LEAST_HALF) {
            uint32_t status = add_split(s, word, place, splits, &count);
            if (status && status != POCKET_NOT_AT_HAND) return status;
            if (status) missing = status;
        }
        utf8_decode(&p, end);
        place = (uint32_t)(p - word->bytes);
    }
    for (uint32_t i = 0; i < count && !missing && !*at; i++) {
        int found = 0;
        missing = s->neighbours(s, word->bytes, splits[i].at, word->length, &found);
        if (found) *at = splits[i].at;
    }
    return missing;
}

/* ---- all of them ---- */

static int is_replaceable(const word_search *s, uint32_t i) {
    const asked_word *word = &s->asked.words[i];
    return word->role == WORD_WANTED && word->alone && !word->prefix && !word->quoted &&
           letters_length(word->bytes, word->length) == word->length;
}

/* The asked word behind this one, where nothing but blanks is between them; MOST_ASKED: none. */
static uint32_t next_word(const word_search *s, uint32_t i) {
    uint64_t at = s->asked.words[i].end;
    while (at < s->length && s->text[at] == ' ') at++;
    for (uint32_t k = 0; k < s->asked.count; k++)
        if (s->asked.words[k].start == at && at > s->asked.words[i].end && is_replaceable(s, k))
            return k;
    return MOST_ASKED;
}

static uint32_t find_joined(word_search *s, uint32_t i, uint32_t other, replacement *r) {
    const asked_word *one = &s->asked.words[i], *next = &s->asked.words[other];
    uint64_t documents;
    if (one->length + next->length > TERM_BYTES) return POCKET_OK;
    memcpy(r->bytes, one->bytes, one->length);
    memcpy(r->bytes + one->length, next->bytes, next->length);
    uint32_t length = one->length + next->length,
             status = count_documents(s, r->bytes, length, &documents);
    if (status || !documents) return status;
    r->end = next->end;
    r->length = length;
    r->how = POCKET_REPLACED_JOINED;
    r->documents = 0;
    return POCKET_OK;
}

/* The plain letter of each of ae, oe, ue and aa, as people write ä, ö, ü and å without these; none
 * where no document has the word that comes of it. */
static uint32_t find_transcribed(word_search *s, const asked_word *word, replacement *r) {
    const uint8_t *p = word->bytes, *end = p + word->length;
    uint64_t documents;
    letters l;
    r->length = 0;
    if (!letters_of(&l, p, word->length)) return POCKET_OK;
    while (p < end) {
        uint8_t byte = r->bytes[r->length++] = *p++;
        int vowel = byte == 'a' || byte == 'o' || byte == 'u';
        if (p < end && ((vowel && *p == 'e') || (byte == 'a' && *p == 'a'))) p++;
    }
    if (r->length == word->length) return POCKET_OK;
    uint32_t status = count_documents(s, r->bytes, r->length, &documents);
    if (!status && documents) r->how = POCKET_REPLACED_SPELLED;
    return status;
}

static uint32_t find_other(word_search *s, uint32_t i, replacement *r) {
    const asked_word *word = &s->asked.words[i];
    spelling sp;
    uint32_t at = 0, status = r->documents ? POCKET_OK : find_transcribed(s, word, r);
    if (status || r->how) return status;
    if (!r->documents && (status = find_split(s, word, &at))) return status;
    if (at) {
        r->how = POCKET_REPLACED_PARTED;
        memcpy(r->bytes, word->bytes, at);
        r->bytes[at] = ' ';
        memcpy(r->bytes + at + 1, word->bytes + at, word->length - at);
        r->length = word->length + 1;
    } else {
        if ((status = find_spelling(s, word, r->documents, &sp)) || !sp.length) return status;
        r->how = POCKET_REPLACED_SPELLED;
        memcpy(r->bytes, sp.bytes, r->length = sp.length);
    }
    return POCKET_OK;
}

/* Is it so rare that it may be another word, misspelt? Not where documents have it beside all other
 * words that are asked. */
static int is_rare(const word_search *s, uint32_t i, uint64_t documents) {
    return s->options.replace > 1 && !s->options.cold && !s->asked.quote_count && !s->forms[i] &&
           (s->wanted == 1 || !s->all) && documents <= s->index->documents / COMMONER;
}

uint32_t find_replacements(word_search *s) {
    uint32_t missing = POCKET_OK;
    uint64_t used = 0; /* as the second of two */
    const uint64_t *documents = s->options.having ? s->options.having : s->documents;
    for (uint32_t i = 0; i < s->asked.count && s->replaced < MOST_REPLACED; i++) {
        if (!is_replaceable(s, i) || used >> i & 1) continue;
        replacement *r = &s->replacements[s->replaced];
        uint32_t other = next_word(s, i), status = POCKET_OK;
        r->how = 0;
        r->start = s->asked.words[i].start;
        r->end = s->asked.words[i].end;
        r->documents = documents[i];
        if (!r->documents) status = find_form(s, i, r);
        if (!status && !r->how && other != MOST_ASKED && (!r->documents || !documents[other])) {
            status = find_joined(s, i, other, r);
            if (!status && r->how) used |= 1ull << other;
        }
        if (!status && !r->how && (!r->documents || is_rare(s, i, r->documents)))
            status = find_other(s, i, r);
        if (status && status != POCKET_NOT_AT_HAND) return status;
        if (status) missing = status;
        s->replaced += !status && r->how;
    }
    return missing;
}

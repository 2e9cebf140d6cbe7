#include "text/asked_words.h"

#include "base/memory.h"
#include "base/utf8.h"
#include "text/marks.h"
#include "text/plain.h"

#define MOST_LOOKED 512 /* bytes behind a minus, more than a term of three letters has */

/* A piece of the text between quotation marks, behind a minus, or neither. */
typedef struct piece {
    const uint8_t *from, *to;
    int quoted, negative;
} piece;

/* Has a term three code points that are neither digits nor lines, or a letter of three bytes? */
static int is_excludable(const word_stream *t) {
    const uint8_t *p = t->bytes, *end = p + t->length;
    uint32_t letters = 0;
    while (p < end && letters < 3) {
        uint32_t code = utf8_decode(&p, end);
        letters += code > 0x7FF ? 3 : code >= 'a';
    }
    return letters >= 3;
}

/* Does what stands behind a minus begin with a quote, or with a word of three letters? Else the
 * minus is one of an option, a number, a list. */
static int is_excluded(const uint8_t *p, const uint8_t *end) {
    word_stream t;
    if (p < end && mark_at(p, end)) return 1;
    word_stream_begin(&t, p, (uint64_t)(end - p < MOST_LOOKED ? end - p : MOST_LOOKED),
                      STREAM_EVERY_WORD, NULL);
    return word_stream_next(&t) && t.from == p && is_excludable(&t);
}

static int is_minus(const asked_words *a, const uint8_t *p, const uint8_t *end) {
    return *p == '-' && a->syntax && p >= a->first_end && is_space(p[-1]) &&
           is_excluded(p + 1, end);
}

/* Read the quote that begins behind a mark; returns where the text goes on, or NULL where it is not
 * closed. */
static const uint8_t *read_quote(piece *found, const uint8_t *p, const uint8_t *end) {
    found->from = p + mark_at(p, end);
    found->to = next_mark(found->from, end);
    found->quoted = 1;
    return found->to < end ? found->to + mark_at(found->to, end) : NULL;
}

/* Read the next piece; returns where the text goes on. */
static const uint8_t *next_piece(const asked_words *a, piece *found, const uint8_t *p,
                                 const uint8_t *end) {
    *found = (piece){p, end, 0, is_minus(a, p, end)};
    if (found->negative) found->from = ++p;
    if (mark_at(p, end)) {
        const uint8_t *behind = read_quote(found, p, end);
        if (behind) return behind;
        *found = (piece){found->from, end, 0, 0};
        return end;
    }
    while (p < end && !mark_at(p, end) && (found->negative ? !is_space(*p) : !is_minus(a, p, end)))
        p++;
    return found->to = p;
}

/* The place of a word among those asked, or MOST_ASKED where there is no room. */
static uint32_t asked_place(asked_words *a, const word_stream *t, const uint8_t *text, int role) {
    for (uint32_t i = 0; i < a->count; i++)
        if (a->words[i].role == role && a->words[i].length == t->length &&
            !memcmp(a->words[i].bytes, t->bytes, t->length))
            return i;
    if (a->count == MOST_ASKED) return a->capped = 1, MOST_ASKED;
    asked_word *word = &a->words[a->count];
    *word = (asked_word){.length = t->length, .role = role};
    memcpy(word->bytes, t->bytes, t->length);
    word->plain_length = plain_spelling(t->bytes, t->length, word->plain);
    a->marked |= letters_length(t->bytes, t->length) < t->length;
    word->start = (uint64_t)(t->from - text);
    word->end = (uint64_t)(t->to - text);
    return a->count++;
}

static void begin_words(word_stream *t, const asked_words *a, const piece *p) {
    word_stream_begin(t, p->from, (uint64_t)(p->to - p->from), a->stream, a->steps);
}

/* One code point of three bytes or more is seldom a whole term. */
static int is_lone(const word_stream *t) {
    return t->length >= 3 && t->bytes[0] >= 0xE0 && t->length == (t->bytes[0] < 0xF0 ? 3u : 4u);
}

/* Is a term the beginning of words, as configur* is? Where a star stands on both sides it is not.
 */
static int is_starred(const word_stream *t, const uint8_t *text, const uint8_t *end) {
    const uint8_t *star = t->to;
    return star < end && *star == '*' && (star + 1 == end || is_space(star[1])) &&
           (t->from == text || t->from[-1] != '*');
}

/* Keep a run of pairs; of one pair there is none. */
static void end_run(asked_words *a, asked_quote *run) {
    if (run->count > 1) {
        for (uint32_t i = 0; i < run->count; i++) {
            asked_word *word = &a->words[a->terms[run->first + i]];
            word->of_run = 1;
            word->alone = 0;
        }
        a->quotes[a->quote_count++] = *run;
    } else {
        a->term_count = run->first;
    }
    *run = (asked_quote){a->term_count, 0, 0, 1};
}

/* The words of a plain piece, but for single letters of compounds and names. */
static void read_plain(asked_words *a, const piece *p, const uint8_t *text, const uint8_t *end,
                       int prefix) {
    word_stream t;
    asked_quote run = {a->term_count, 0, 0, 1};
    const uint8_t *last = p->from; /* the end of the whole word before */
    uint32_t whole = MOST_ASKED;   /* the last one that was alone */
    uint32_t fresh = MOST_ASKED;   /* the last whole word, if it was not asked before */
    begin_words(&t, a, p);
    while (word_stream_next(&t)) {
        if (t.kind == WORD_WHOLE) {
            if (t.from >= last) end_run(a, &run);
            last = t.to;
            fresh = MOST_ASKED;
        }
        if (t.kind == WORD_SPELLING) {
            if (fresh == MOST_ASKED) continue;
            memcpy(a->words[fresh].spelled, t.bytes, t.length);
            a->words[fresh].spelled_length = t.length;
            continue;
        }
        if (t.single || (p->negative && t.kind != WORD_WHOLE)) continue;
        uint32_t before = a->count,
                 place = asked_place(a, &t, text, p->negative ? WORD_EXCLUDED : WORD_WANTED);
        if (t.kind == WORD_WHOLE && place == before && !p->negative) fresh = place;
        if (place == MOST_ASKED || p->negative || p->quoted) continue;
        if ((prefix && t.to == end) || is_lone(&t) || (a->syntax && is_starred(&t, text, end)))
            a->words[place].prefix = 1;
        if (t.kind == WORD_WHOLE && place == before && a->syntax && !t.compounded)
            a->words[whole = place].alone = 1;
        else if (whole != MOST_ASKED && t.kind == WORD_PART)
            a->words[whole].alone = 0;
        if (!a->syntax || t.kind != WORD_WHOLE) continue;
        a->terms[a->term_count++] = place;
        run.count++;
    }
    end_run(a, &run);
}

static void read_quoted(asked_words *a, const piece *p, const uint8_t *text) {
    asked_quote q = {a->term_count, 0, p->negative, 0};
    word_stream t;
    begin_words(&t, a, p);
    while (word_stream_next_whole(&t)) {
        uint32_t place =
            asked_place(a, &t, text, p->negative ? WORD_IN_NEGATIVE_QUOTE : WORD_WANTED);
        a->words[place].quoted = 1;
        a->terms[a->term_count++] = place;
        q.count++;
    }
    a->quotes[a->quote_count++] = q;
}

/* How many whole words a piece has, up to `most`, and where the first one ends. */
static uint32_t count_words(const asked_words *a, const piece *p, uint32_t most,
                            const uint8_t **first_end) {
    word_stream t;
    uint32_t count = 0;
    begin_words(&t, a, p);
    while (count < most && word_stream_next_whole(&t))
        if (count++ == 0 && first_end) *first_end = t.to;
    return count;
}

/* Read the text piece by piece; only_look: does it have a piece that is quoted or negative? */
static int read_pieces(asked_words *a, const uint8_t *text, uint64_t length, int prefix,
                       int only_look) {
    const uint8_t *p = text, *end = text + length;
    while (p < end) {
        piece found;
        const uint8_t *behind = next_piece(a, &found, p, end);
        if (interrupted(a->steps, steps_of((uint64_t)(behind - p)))) return 0;
        p = behind;
        if (only_look) {
            if (found.quoted || found.negative) return 1;
        } else if ((found.quoted || found.negative) && count_words(a, &found, 2, NULL) > 1) {
            read_quoted(a, &found, text);
        } else {
            read_plain(a, &found, text, end, prefix);
        }
    }
    return 0;
}

/* Read a text without filters, or whose filters are blank: of few words alone, or of any number. */
static int read_text(asked_words *a, const uint8_t *text, uint64_t length, int prefix) {
    piece whole = {text, text + length, 0, 0};
    a->first_end = text + length;
    int many = count_words(a, &whole, PASTED_WORDS, &a->first_end) == PASTED_WORDS;
    if (many && a->filter_count) return 0;
    if (a->filter_count && text + a->filters[0].to < a->first_end)
        a->first_end = text + a->filters[0].to;
    if (!many) return read_pieces(a, text, length, prefix, 0), 1;
    a->ignored |= read_pieces(a, text, length, prefix, 1);
    a->syntax = 0;
    read_plain(a, &whole, text, text + length, prefix);
    return 1;
}

uint32_t asked_words_read(asked_words *a, const uint8_t *text, uint64_t length, uint32_t stream,
                          int prefix, meter *steps) {
    a->count = a->quote_count = a->term_count = a->filter_count = 0;
    a->capped = a->ignored = a->marked = 0;
    a->syntax = 1;
    a->stream = stream;
    a->steps = steps;
    asked_filters_add(a->filters, &a->filter_count, text, length, &a->capped);
    if (a->filter_count) {
        uint8_t *rest = pocket_malloc((size_t)length);
        if (!rest) return POCKET_NO_MEMORY;
        memcpy(rest, text, (size_t)length);
        for (uint32_t i = 0; i < a->filter_count; i++)
            memset(rest + a->filters[i].from, ' ', (size_t)(a->filters[i].to - a->filters[i].from));
        int read = read_text(a, rest, length, prefix);
        pocket_free(rest);
        if (read) return POCKET_OK;
        a->filter_count = 0;
        a->capped = 0;
        a->ignored = 1;
    }
    read_text(a, text, length, prefix);
    return POCKET_OK;
}

int asked_word_is(const asked_word *word, const uint8_t *term, uint32_t length) {
    if (!word->prefix) return length == word->length && !memcmp(word->bytes, term, length);
    uint32_t letters = letters_length(word->bytes, word->length);
    return length >= letters && !memcmp(word->bytes, term, letters) &&
           has_marks_of(word->bytes, word->length, term, length);
}

/* A text's terms are read ahead as a chain, which a compound may be made of. Of each term come
 * first the emoji before it, then the term, then its parts. */
#include "text/word_stream.h"

#include "base/memory.h"
#include "base/utf8.h"

#define LONGEST_SPELLED 10u /* letters */
#define FEW 16u /* bytes of most terms, which are copied faster where their number is known */

static int is_capital_letter(uint8_t byte) { return byte >= 'A' && byte <= 'Z'; }
static int is_small_letter(uint8_t byte) { return byte >= 'a' && byte <= 'z'; }
static int is_numeral(uint8_t byte) { return byte >= '0' && byte <= '9'; }

static int is_single(const uint8_t *bytes, uint32_t length) {
    const uint8_t *p = bytes;
    utf8_decode(&p, bytes + length);
    return p == bytes + length;
}

/* ---- chains ---- */

static int is_number(const chained_term *t, uint32_t least, uint32_t most) {
    for (uint32_t i = 0; i < t->length; i++)
        if (!is_numeral(t->bytes[i])) return 0;
    return t->length >= least && t->length <= most;
}

/* The sign that joins two words, where it is all that stands between them: one of -'./&+, or
 * U+2010, U+2011, U+2019, U+00B7; a comma or a blank between the digits of a number. */
static int is_joint(const chained_term *before, const chained_term *after) {
    const uint8_t *p = before->to;
    uint64_t size = (uint64_t)(after->from - p);
    if (size > 3) return 0;
    int thousands = is_number(before, 1, 3) && is_number(after, 3, 3);
    if (size == 1) {
        if (*p == ' ') return thousands;
        if (*p == ',') return is_number(before, 1, TERM_BYTES) && is_number(after, 1, TERM_BYTES);
        return *p == '-' || *p == '\'' || *p == '.' || *p == '/' || *p == '&' || *p == '+';
    }
    if (size == 2) return p[0] == 0xC2 && (p[1] == 0xB7 || (p[1] == 0xA0 && thousands));
    if (size != 3 || p[0] != 0xE2 || p[1] != 0x80) return 0;
    return p[2] == 0x90 || p[2] == 0x91 || p[2] == 0x99 ||
           ((p[2] == 0x89 || p[2] == 0xAF) && thousands);
}

/* Is it the s of Iceland's, which is no word that people look for? */
static int is_possessive(const chained_term *before, const chained_term *t) {
    const uint8_t *p = before->to;
    if (t->length != 1 || t->bytes[0] != 's') return 0;
    return (t->from - p == 1 && *p == '\'') ||
           (t->from - p == 3 && p[0] == 0xE2 && p[1] == 0x80 && p[2] == 0x99);
}

/* Take the signs of C++ and C# into a word of one letter. */
static void take_signs(word_stream *w, chained_term *t) {
    uint64_t left = (uint64_t)(w->text_end - t->to);
    uint32_t signs = left >= 1 && t->to[0] == '#' ? 1 : 0;
    if (left >= 2 && t->to[0] == '+' && t->to[1] == '+') signs = 2;
    if (t->length != 1 || !is_small_letter(t->bytes[0]) || !signs) return;
    memcpy(t->bytes + 1, t->to, signs);
    t->length += signs;
    t->spelling_size = 0;
    t->to += signs;
    t->alone = 1;
}

/* Read the next term to the end of the chain; *joined: is it joined to the one before? */
static int read_term(word_stream *w, int *joined) {
    chained_term *t = &w->chain[w->chained];
    if (!term_stream_next(&w->terms)) return 0;
    memcpy(t->bytes, w->terms.bytes, w->terms.length <= FEW ? FEW : TERM_BYTES);
    t->length = w->terms.length;
    t->spelling_size = w->terms.spelling_size;
    memcpy(t->spelling, w->terms.spelling, SPELLING_BYTES);
    t->from = w->terms.term;
    t->to = w->terms.term_end;
    t->alone = w->terms.of_pairs;
    t->last = t->alone && !is_single(t->bytes, t->length) ? w->terms.pair_from : NULL;
    take_signs(w, t);
    t->possessive = w->chained && is_possessive(t - 1, t);
    t->alone |= t->possessive;
    *joined = w->chained && !t->alone && !t[-1].alone && is_joint(t - 1, t);
    return 1;
}

/* All terms of the chain in one, where they fit. */
static void join_chain(word_stream *w) {
    w->compound_length = 0;
    for (uint32_t i = 0; i < w->chained; i++) {
        const chained_term *t = &w->chain[i];
        if (w->compound_length + t->length > TERM_BYTES) {
            w->has_compound = 0;
            return;
        }
        memcpy(w->compound + w->compound_length, t->bytes, t->length);
        w->compound_length += t->length;
    }
}

/* Read the terms of a chain, and the one after it. What is too long for a compound comes in several
 * chains. */
static void read_chain(word_stream *w) {
    int joined = 0, goes_on = w->goes_on;
    if (w->ahead) w->chain[0] = w->chain[w->chained];
    w->chained = (uint32_t)w->ahead;
    w->at = 0;
    w->ahead = w->goes_on = 0;
    while (!w->ahead && !w->ended) {
        if (!read_term(w, &joined)) {
            w->ended = 1;
        } else if (w->chained && (!joined || w->chained == MOST_JOINED)) {
            w->ahead = 1;
            w->goes_on = joined;
        } else {
            w->chained++;
        }
    }
    w->has_compound = w->chained > 1 && !w->goes_on && !goes_on;
    if (w->has_compound) join_chain(w);
    w->due = w->has_compound;
}

/* ---- what is given ---- */

static int give(word_stream *w, uint32_t kind, const uint8_t *bytes, uint32_t length,
                const uint8_t *from, const uint8_t *to) {
    w->kind = kind;
    w->bytes = bytes;
    w->length = length;
    w->from = from;
    w->to = to;
    w->single = w->compounded = 0;
    return 1;
}

/* A pictograph, a flag's letter; not what changes another one's colour. */
static int is_emoji(uint32_t code) {
    if (code >= 0x1F3FB && code <= 0x1F3FF) return 0;
    return (code >= 0x2600 && code <= 0x27BF) || (code >= 0x2B00 && code <= 0x2BFF) ||
           (code >= 0x1F000 && code <= 0x1FAFF);
}

/* The next emoji before `to`. */
static int next_emoji(word_stream *w, const uint8_t *to) {
    while (w->gap < to) {
        const uint8_t *from = w->gap;
        if (*from < 0x80) {
            w->gap++;
            continue;
        }
        uint32_t code = utf8_decode(&w->gap, to);
        if (!is_emoji(code)) continue;
        return give(w, WORD_WHOLE, w->emoji, utf8_encode(w->emoji, code), from, w->gap);
    }
    return 0;
}

/* Where the part of a name ends that begins at `from`: at a line, and before a capital letter that
 * begins a word: behind a small letter, or before one. */
static const uint8_t *part_behind(const uint8_t *from, const uint8_t *to) {
    const uint8_t *p = from;
    while (p < to && *p != '_') {
        p++;
        if (p == to || !is_capital_letter(*p)) continue;
        if (is_small_letter(p[-1])) break;
        if ((is_capital_letter(p[-1]) || is_numeral(p[-1])) && p + 1 < to && is_small_letter(p[1]))
            break;
    }
    return p;
}

static int next_part(word_stream *w) {
    for (;;) {
        if (w->in_part && term_stream_next(&w->parts)) {
            give(w, WORD_PART, w->parts.bytes, w->parts.length, w->parts.term, w->parts.term_end);
            w->single = is_single(w->bytes, w->length);
            return 1;
        }
        while (w->part && w->part < w->part_end && *w->part == '_') w->part++;
        w->in_part = w->part && w->part < w->part_end;
        if (!w->in_part) return 0;
        const uint8_t *to = part_behind(w->part, w->part_end);
        term_stream_begin(&w->parts, w->part, (uint64_t)(to - w->part), w->terms.stream);
        w->part = to;
    }
}

static void begin_parts(word_stream *w, const chained_term *t) {
    w->part = part_behind(t->from, t->to) < t->to ? t->from : NULL;
    w->part_end = t->to;
    w->in_part = 0;
}

void word_stream_begin(word_stream *w, const uint8_t *text, uint64_t length, uint32_t stream,
                       struct meter *m) {
    memset(w, 0, sizeof *w);
    term_stream_begin(&w->terms, text, length, stream);
    w->terms.meter = m;
    w->gap = text;
    w->text_end = w->terms.end;
}

/* The second character of a pair that none follows. */
static int give_last(word_stream *w, const chained_term *t) {
    const uint8_t *second = t->bytes;
    utf8_decode(&second, t->bytes + t->length);
    w->run_ends = 0;
    give(w, WORD_PART, second, (uint32_t)(t->bytes + t->length - second), t->last, t->to);
    w->single = 1;
    return 1;
}

/* Few long words are another word without their marks. */
static int is_short(const chained_term *t) {
    uint32_t letters = 0;
    for (uint32_t i = 0; i < t->length; i++) letters += (t->bytes[i] & 0xC0) != 0x80;
    return letters <= LONGEST_SPELLED;
}

static int give_spelling(word_stream *w, const chained_term *t) {
    w->is_spelled = 0;
    memcpy(w->compound, t->bytes, t->length);
    memcpy(w->compound + t->length, t->spelling, t->spelling_size);
    return give(w, WORD_SPELLING, w->compound, t->length + t->spelling_size, t->from, t->to);
}

int word_stream_next(word_stream *w) {
    if (w->is_spelled) return give_spelling(w, &w->chain[w->at - 1]);
    if (next_part(w)) return 1;
    if (w->run_ends) return give_last(w, &w->chain[w->at - 1]);
    if (w->at == w->chained && !w->ended) read_chain(w);
    const chained_term *t = w->at < w->chained ? &w->chain[w->at] : NULL;
    if (next_emoji(w, t ? t->from : w->text_end)) return 1;
    if (!t) return 0;
    if (w->due) {
        w->due = 0;
        return give(w, WORD_COMPOUND, w->compound, w->compound_length, t->from,
                    w->chain[w->chained - 1].to);
    }
    w->at++;
    w->gap = t->to;
    begin_parts(w, t);
    w->is_spelled = w->terms.stream == STREAM_EVERY_MARKED && t->spelling_size && is_short(t);
    w->run_ends = t->last && (!w->ahead || w->chain[w->chained].from >= t->to);
    give(w, WORD_WHOLE, t->bytes, t->length, t->from, t->to);
    w->compounded = w->has_compound;
    w->single = t->possessive || (w->has_compound && is_single(w->bytes, w->length));
    return 1;
}

/* The term stream `folded` in stages, each pulling from the one before: decode, folded (steps 1 and
 * 2 of docs/format.md 7), ordered (3 and 4), word and pair (5 and 6). Words of ASCII skip the
 * stages. */
#include "text/terms.h"
#include "text/interop.h"
#include "text/marks.h"

#include "base/bytes.h"
#include "base/memory.h"
#include "base/meter.h"
#include "base/utf8.h"
#include "text/unicode/unicode_tables.h"

enum { SEPARATOR, LETTER, BARE, PAIR, OTHER, MARK, MAPPED, IGNORED };

/* A point: code point, kind << 21, canonical combining class << 24. Every separator is the same
 * point, SPACE. */
#define POINT(code, kind, class) \
    ((uint32_t)(code) | (uint32_t)(kind) << 21 | (uint32_t)(class) << 24)
#define CODE(point) ((point) & 0x1FFFFFu)
#define KIND(point) ((point) >> 21 & 7u)
#define CLASS(point) ((point) >> 24)
#define NONE 0u
#define SPACE POINT(1, SEPARATOR, 0)
#define WORD_KINDS (1u << LETTER | 1u << BARE | 1u << OTHER | 1u << MARK)

#define IOTA_SUBSCRIPT 0x345u
#define KANA 0x3040u
#define KANAS 192u
#define VOICED 0x3099u
#define VOICING_CLASS 8u
#define SYLLABLES 0xAC00u
#define LEADS 0x1100u
#define VOWELS 0x1161u
#define TRAILS 0x11A7u /* the trail before the first stands for none */

#define EVERY_BYTE(byte) (0x0101010101010101ull * (byte))
#define TOPS EVERY_BYTE(0x80u)

/* The fold of an ASCII word character, 0 for any other. */
static const uint8_t ascii[128] = {
    ['0'] = '0', '1', '2', '3', '4', '5', '6', '7', '8', '9', ['A'] = 'a', 'b',         'c',
    'd',         'e', 'f', 'g', 'h', 'i', 'j', 'k', 'l', 'm', 'n',         'o',         'p',
    'q',         'r', 's', 't', 'u', 'v', 'w', 'x', 'y', 'z', ['_'] = '_', ['a'] = 'a', 'b',
    'c',         'd', 'e', 'f', 'g', 'h', 'i', 'j', 'k', 'l', 'm',         'n',         'o',
    'p',         'q', 'r', 's', 't', 'u', 'v', 'w', 'x', 'y', 'z',
};

static uint32_t entry(uint32_t code) {
    return unicode_entries[unicode_middle[unicode_top[code >> 9] + (code >> 4 & 31)] + (code & 15)];
}

static void begin_fold(term_stream *t, uint32_t place) {
    uint32_t group = 1;
    while (group < UNICODE_GROUPS && place >= unicode_groups[2 * group]) group++;
    t->fold = unicode_folds + place;
    t->fold_end = t->fold + unicode_groups[2 * group - 1];
}

/* ---- characters with blanks between them ---- */

#define IN_RUN UINT32_MAX

/* A character of Chinese or Japanese. */
static int is_cjk(uint32_t code) {
    return (code == 0x3005 || (code >= 0x3041 && code <= 0x30FF) ||
            (code >= 0x3400 && code <= 0x9FFF) || (code >= 0x20000 && code <= 0x3FFFF)) &&
           (entry(code) >> 13 == PAIR || entry(code) >> 13 == MAPPED);
}

/* Does a single character follow at *text? It goes behind it, and behind a blank that follows. */
static int next_single(const uint8_t **text, const uint8_t *end, int *blank) {
    const uint8_t *p = *text;
    if (p == end || !is_cjk(utf8_decode(&p, end))) return 0;
    *text = p;
    *blank = p != end && *p == ' ';
    if (*blank) ++*text;
    return *blank || p == end || !is_cjk(utf8_decode(&p, end));
}

/* The next code point of the text. In `marked`, a blank between single characters is left out,
 * where there are three or more in a row, as in text from OCR. spaced: how many there are so far, 0
 * behind anything else, IN_RUN behind characters that are not single. */
static uint32_t read_code(term_stream *t) {
    uint32_t code = utf8_decode(&t->text, t->end);
    if (t->stream != STREAM_MARKED && t->stream != STREAM_EVERY_MARKED) return code;
    if (code == ' ' && t->spaced && t->spaced != IN_RUN) {
        const uint8_t *p = t->text;
        int blank = 0, more = next_single(&p, t->end, &blank);
        if (more && t->spaced == 1) more = blank && next_single(&p, t->end, &blank);
        if (more) {
            t->spaced++;
            t->folded_from = t->text;
            return utf8_decode(&t->text, t->end);
        }
    }
    t->spaced = !is_cjk(code) ? 0 : t->spaced ? IN_RUN : 1;
    return code;
}

/* The next point of the folded text, in the order of the text. */
static uint32_t folded(term_stream *t) {
    uint32_t code, found;
    if (t->ahead) {
        found = t->ahead;
        t->ahead = NONE;
        t->folded_from = t->ahead_from;
        t->folded_to = t->ahead_to;
        return found;
    }
    for (;;) {
        if (t->fold != t->fold_end) {
            code = *t->fold++;
            if ((code & 0xFC00) == 0xD800)
                code = 0x10000 + ((code & 0x3FF) << 10) + (*t->fold++ & 0x3FFu);
        } else if (t->text != t->end) {
            t->folded_from = t->text;
            code = read_code(t);
        } else {
            t->folded_from = t->folded_to = t->text;
            return SPACE; /* a text ends as before a separator */
        }
        found = entry(code);
        t->folded_to = t->text;
        switch (found >> 13) {
        case MAPPED: begin_fold(t, found & 0x1FFF); continue;
        case IGNORED: continue;
        case SEPARATOR: return SPACE;
        default: return POINT(code, found >> 13, found & 0xFF);
        }
    }
}

/* Keep a folded point for the next call. */
static void hold_back(term_stream *t, uint32_t point) {
    t->ahead = point;
    t->ahead_from = t->folded_from;
    t->ahead_to = t->folded_to;
}

/* Put point and the marks after it into run[1] on, sorted; the rest of more than TERM_RUN is a run
 * of its own. */
static void gather(term_stream *t, uint32_t point) {
    const uint8_t *from = t->folded_from, *to = t->folded_to;
    uint32_t n = 0;
    while (CLASS(point)) {
        uint32_t i = ++n;
        for (; i > 1 && CLASS(t->run[i - 1]) > CLASS(point); i--) t->run[i] = t->run[i - 1];
        t->run[i] = point;
        to = t->folded_to;
        if (n == TERM_RUN) break;
        point = folded(t);
        if (!CLASS(point)) hold_back(t, point);
    }
    for (uint32_t i = 1; i <= n; i++) {
        t->run_from[i] = from;
        t->run_to[i] = to;
    }
    /* Case folding makes this mark a letter. It comes after all other marks, so now it can no
     * longer part them. */
    for (uint32_t i = n; i > 0 && CODE(t->run[i]) == IOTA_SUBSCRIPT; i--)
        t->run[i] = POINT(0x3B9, BARE, 0);
    t->run_at = 1;
    t->run_end = 1 + n;
}

/* A kana that can be voiced, with the marks after it. */
static void voice(term_stream *t, uint32_t kana) {
    const uint8_t *from = t->folded_from, *to = t->folded_to;
    uint32_t next = folded(t), at = 1;
    if (!CLASS(next)) hold_back(t, next);
    gather(t, next);
    while (at < t->run_end && CLASS(t->run[at]) < VOICING_CLASS) at++;
    if (at < t->run_end && CLASS(t->run[at]) == VOICING_CLASS) {
        uint32_t low = unicode_voicing[KANAS * (CODE(t->run[at]) - VOICED) + CODE(kana) - KANA];
        if (low) {
            kana = POINT(0x3000 | low, PAIR, 0);
            to = t->run_to[at];
            t->run_end--;
            for (; at < t->run_end; at++) t->run[at] = t->run[at + 1];
        }
    }
    t->run[0] = kana;
    t->run_from[0] = from;
    t->run_to[0] = to;
    t->run_at = 0;
}

/* A syllable or the first jamo of one, with the jamo that complete it. */
static uint32_t hangul(term_stream *t, uint32_t point) {
    const uint8_t *from = t->folded_from, *to = t->folded_to;
    uint32_t code = CODE(point), next = folded(t);
    if (code - LEADS < 19 && CODE(next) - VOWELS < 21) {
        code = SYLLABLES + 28 * (21 * (code - LEADS) + CODE(next) - VOWELS);
        to = t->folded_to;
        next = folded(t);
    }
    if (code >= SYLLABLES && CODE(next) - TRAILS - 1 < 27) {
        code += CODE(next) - TRAILS;
        to = t->folded_to;
    } else {
        hold_back(t, next);
    }
    t->from = from;
    t->to = to;
    return POINT(code, LETTER, 0);
}

/* The next point in canonical order, composed; it was read from what lies between from and to. */
static uint32_t ordered(term_stream *t) {
    if (t->run_at == t->run_end) {
        uint32_t point = folded(t), code = CODE(point);
        if (CLASS(point)) {
            gather(t, point);
        } else if (code - KANA < KANAS &&
                   (unicode_voicing[code - KANA] || unicode_voicing[KANAS + code - KANA])) {
            voice(t, point);
        } else if (code - LEADS < 19 ||
                   (code - SYLLABLES < 11172 && (code - SYLLABLES) % 28 == 0)) {
            return hangul(t, point);
        } else {
            t->from = t->folded_from;
            t->to = t->folded_to;
            return point;
        }
    }
    t->from = t->run_from[t->run_at];
    t->to = t->run_to[t->run_at];
    return t->run[t->run_at++];
}

/* Give the last point of ordered back to it. */
static void give_back(term_stream *t, uint32_t point) {
    t->run[--t->run_at] = point;
    t->run_from[t->run_at] = t->from;
    t->run_to[t->run_at] = t->to;
}

/* Has every stage passed on all that lies before text? */
static int drained(const term_stream *t) {
    return t->run_at == t->run_end && t->fold == t->fold_end && !t->ahead;
}

/* What word knows of the word under way. */
typedef struct word_state {
    uint32_t limit;   /* of its bytes: falls to its length once a code point did not fit */
    int letter, bare; /* does it hold a letter; does a mark that comes now follow a bare one? */
    word_marks marks;
} word_state;

/* Append the ASCII word characters that lie at text, eight at a time while there are eight and room
 * for them. */
static void ascii_run(term_stream *t, word_state *w) {
    const uint8_t *text = t->text, *end = t->end;
    uint32_t length = t->length;
    uint64_t run = 8;
    while (run == 8 && end - text >= 8 && length + 8 <= w->limit) {
        uint64_t eight = load64(text), low = eight & ~TOPS, lower = low | EVERY_BYTE(0x20u);
        uint64_t letters = (lower + EVERY_BYTE(0x80u - 'a')) &
                           ~(lower + EVERY_BYTE(0x80u - 'z' - 1)) & ~eight & TOPS;
        uint64_t digits = (low + EVERY_BYTE(0x80u - '0')) & ~(low + EVERY_BYTE(0x80u - '9' - 1));
        uint64_t lines = ~((low ^ EVERY_BYTE('_')) + EVERY_BYTE(0x7Fu));
        uint64_t stops = ~(letters | ((digits | lines) & ~eight)) & TOPS;
        uint64_t before = (stops & (0 - stops)) - 1; /* the bits below the first stop, or all */
        run = ((before >> 7 & EVERY_BYTE(1u)) * EVERY_BYTE(1u)) >> 56;
        store64(t->bytes + length, eight | letters >> 2);
        length += (uint32_t)run;
        text += run;
        letters &= before;
        w->letter |= letters != 0;
        if (run) w->bare = (int)(letters >> (8 * run - 1) & 1);
    }
    for (uint8_t to; text != end && *text < 0x80 && (to = ascii[*text]) != 0; text++) {
        w->bare = to >= 'a';
        if (length < w->limit) {
            t->bytes[length++] = to;
            w->letter |= w->bare;
        }
    }
    if (text != t->text) t->term_end = text;
    t->text = text;
    t->length = length;
}

/* Read a word that begins at from into bytes, length; is it a term? */
static int word(term_stream *t, const uint8_t *from) {
    word_state w = {TERM_BYTES, 0, 0, {0}};
    t->length = 0;
    t->of_pairs = 0;
    t->term = t->term_end = from;
    for (;;) {
        if (drained(t)) {
            ascii_run(t, &w);
            if (t->text == t->end || *t->text < 0x80) break;
        }
        uint32_t point = ordered(t), kind = KIND(point);
        if (!(WORD_KINDS >> kind & 1)) {
            give_back(t, point);
            break;
        }
        t->term_end = t->to;
        if (kind == MARK && w.bare) {
            if (t->length) marks_add(&w.marks, CODE(point), t->bytes[t->length - 1]);
            continue;
        }
        w.bare = kind == BARE;
        uint8_t *to = t->bytes + t->length;
        uint32_t length = t->length + utf8_encode(to, CODE(point));
        if (length > w.limit) {
            w.limit = t->length;
        } else {
            t->length = length;
            w.letter |= kind == BARE || kind == LETTER;
        }
    }
    t->spelling_size = 0;
    if (t->stream == STREAM_MARKED || t->stream == STREAM_EVERY_MARKED) {
        uint32_t length = marks_append(&w.marks, t->bytes, t->length);
        if (length == t->length) t->spelling_size = w.marks.size;
        memcpy(t->spelling, w.marks.spelled, SPELLING_BYTES);
        t->length = length;
    }
    t->letter = w.letter;
    return w.letter || t->stream == STREAM_EVERY_WORD || t->stream == STREAM_EVERY_MARKED;
}

/* The next term of the pair run under way, or 0 at its end. */
static int pair(term_stream *t) {
    uint32_t first = t->pair, second = ordered(t);
    int in_run = KIND(second) == PAIR, term = in_run || !t->paired;
    if (term) t->length = utf8_encode(t->bytes, CODE(first));
    t->of_pairs = 1;
    t->spelling_size = 0;
    t->letter = 1;
    t->term = t->pair_from;
    t->term_end = in_run ? t->to : t->pair_to;
    if (in_run) {
        t->length += utf8_encode(t->bytes + t->length, CODE(second));
        t->pair_from = t->from;
        t->pair_to = t->to;
    } else {
        give_back(t, second);
    }
    t->pair = in_run ? second : NONE;
    t->paired = 1;
    return term;
}

void term_stream_begin(term_stream *terms, const uint8_t *text, uint64_t length, uint32_t stream) {
    terms->stream = stream;
    terms->text = text;
    terms->end = length ? text + length : text;
    terms->length = 0;
    terms->letter = 0;
    terms->meter = NULL;
    terms->fold = terms->fold_end = unicode_folds;
    terms->spaced = 0;
    terms->ahead = NONE;
    terms->from = terms->to = terms->folded_from = terms->folded_to = text;
    terms->run_at = terms->run_end = 1; /* give_back needs a place before */
    terms->pair = NONE;
    terms->paired = 0;
    terms->of_pairs = 0;
}

int term_stream_next(term_stream *terms) {
    term_stream *t = terms;
    if (t->meter && interrupted(t->meter, 1)) return 0;
    if (t->stream == STREAM_INTEROP) return interop_next(t);
    for (;;) {
        if (t->pair) {
            if (pair(t)) return 1;
            continue;
        }
        if (drained(t)) {
            while (t->text != t->end && *t->text < 0x80 && !ascii[*t->text]) t->text++;
            if (t->text == t->end) return 0;
            if (*t->text < 0x80) {
                if (word(t, t->text)) return 1;
                continue;
            }
        }
        uint32_t point = ordered(t);
        if (KIND(point) == PAIR) {
            t->pair = point;
            t->pair_from = t->from;
            t->pair_to = t->to;
            t->paired = 0;
        } else if (KIND(point) != SEPARATOR) {
            give_back(t, point);
            if (word(t, t->from)) return 1;
        }
    }
}

/* Append a code point, behind a space where there is a gap; 0 where it does not fit. */
static int append_folded(uint8_t *out, uint32_t *size, uint32_t room, uint32_t code, int gap) {
    uint8_t bytes[5] = {' '};
    uint32_t more = 1 + utf8_encode(bytes + 1, code), from = !gap;
    if (more - from > room - *size) return 0;
    memcpy(out + *size, bytes + from, more - from);
    *size += more - from;
    return 1;
}

static uint32_t unfolded(const uint8_t *text, const uint8_t *end, uint8_t *out, uint32_t room) {
    uint32_t size = 0;
    int gap = 0;
    while (text != end) {
        uint32_t code = utf8_decode(&text, end);
        int space = code == ' ' || (code >= '\t' && code <= '\r');
        if (!space && !append_folded(out, &size, room, code, gap)) break;
        gap = space && size > 0;
    }
    return size;
}

uint32_t terms_folded(const uint8_t *text, uint64_t length, uint8_t *out, uint32_t room) {
    term_stream t;
    uint32_t size = 0;
    int bare = 0, gap = 0;
    term_stream_begin(&t, text, length, STREAM_FOLDED);
    while (!drained(&t) || t.text != t.end) {
        uint32_t point = ordered(&t), kind = KIND(point);
        if (kind == SEPARATOR) gap = size > 0;
        if (kind != MARK) bare = kind == BARE;
        if (kind == SEPARATOR || (kind == MARK && bare)) continue;
        if (!append_folded(out, &size, room, CODE(point), gap)) break;
        gap = 0;
    }
    return size ? size : unfolded(text, text + length, out, room);
}

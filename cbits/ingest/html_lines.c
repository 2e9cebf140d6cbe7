/* The text of a tree with marks (html_marks.c) in lines, in one pass. */
#include <stdbool.h>

#include "base/memory.h"
#include "ingest/html_signs.h"
#include "ingest/pocket_ingest.h"

/* A text on its way: bytes are read at `at` and written at `to`. */
typedef struct html_text {
    const uint8_t *text;
    size_t length, at, to;
    uint8_t *out;
    uint64_t words;
    uint8_t sign; /* the mark of what the next line begins, or 0 */
} html_text;

static void see_sign(html_text *x) {
    uint8_t c = x->text[x->at];
    if (pocket_html_is_sign(x->text, x->length, x->at)) {
        x->sign = c;
        x->at += 2;
    } else if (c == POCKET_HTML_HEADING_MARK) {
        x->sign = 0;
    }
}

static void begin_line(html_text *x) {
    if (!x->sign) return;
    const char *sign = x->sign == POCKET_HTML_HEADING_MARK ? "\xE2\x80\x85" : "\xE2\x80\x86";
    memcpy(x->out + x->to, sign, 3);
    x->to += 3;
    x->sign = 0;
}

static bool soft_hyphen(const html_text *x) {
    return x->text[x->at] == 0xC2 && x->length - x->at > 1 && x->text[x->at + 1] == 0xAD;
}

/* Copy bytes of a word up to one that may be the first of something else; at least one. */
static size_t copy_word(html_text *x, size_t to) {
    const uint8_t *text = x->text;
    size_t at = x->at + 1, length = x->length;
    while (at < length && text[at] > ' ' && text[at] < 0xC2) at++;
    memcpy(x->out + to, text + x->at, at - x->at);
    to += at - x->at;
    x->at = at;
    return to;
}

/* Text whose white space only separates words, up to what keeps its own. */
static void flow(html_text *x) {
    bool in_word = false, ended = true; /* ended: the line before the next word */
    size_t cells = 0, space;
    while (x->at < x->length && x->text[x->at] != POCKET_HTML_KEPT_BEGIN) {
        if (soft_hyphen(x)) {
            x->at += 2;
        } else if ((space = pocket_html_space(x->text, x->length, x->at)) > 0) {
            ended |= x->text[x->at] == POCKET_HTML_BLOCK;
            see_sign(x);
            cells += x->text[x->at] == POCKET_HTML_CELL_MARK;
            in_word = false;
            x->at += space;
        } else {
            if (!in_word && x->to) {
                size_t separators = ended || !cells ? 1 : cells;
                memset(x->out + x->to, ended ? '\n' : cells ? '\t' : ' ', separators);
                x->to += separators;
            }
            if (ended) begin_line(x);
            x->words += !in_word;
            in_word = true;
            ended = false;
            cells = 0;
            x->to = copy_word(x, x->to);
        }
    }
}

static size_t put_code(html_text *x, size_t to) {
    memcpy(x->out + to, "\xE2\x80\x84", 3);
    return to + 3;
}

/* Text that keeps its white space, but for empty lines at both ends; each line gets its sign. */
static void kept(html_text *x) {
    size_t start = x->to + (x->to > 0), begin = put_code(x, start), to = begin, end = begin, space;
    bool in_word = false;
    while (x->at < x->length && x->text[x->at] != POCKET_HTML_KEPT_BEGIN &&
           x->text[x->at] != POCKET_HTML_KEPT_END) {
        uint8_t c = x->text[x->at];
        if (soft_hyphen(x)) {
            x->at += 2;
        } else if (pocket_html_is_sign(x->text, x->length, x->at)) {
            in_word = false;
            x->at += 3;
        } else if ((space = pocket_html_space(x->text, x->length, x->at)) > 0) {
            bool is_line = c == POCKET_HTML_BLOCK || c == '\n';
            if (is_line && to > begin) {
                x->out[to++] = '\n';
                to = put_code(x, to);
            }
            if (!is_line && (space == 1 || (c == 0xC2 && x->text[x->at + 1] == 0xA0)))
                x->out[to++] = c == POCKET_HTML_CELL_MARK ? '\t' : c >= 28 ? ' ' : c;
            else if (space > 1)
                for (size_t i = 0; i < space; i++) x->out[to++] = x->text[x->at + i];
            in_word = false;
            x->at += space;
        } else {
            x->words += !in_word;
            in_word = true;
            end = to = copy_word(x, to);
        }
    }
    if (end == begin) return;
    x->sign = 0; /* an item that begins with what keeps its white space is that */
    if (x->to) x->out[x->to] = '\n';
    x->to = end;
}

size_t pocket_html_lines(const uint8_t *text, size_t length, uint8_t *out, uint64_t *words) {
    html_text x = {text, length, 0, 0, out, 0, 0};
    flow(&x);
    while (x.at < length) {
        bool keeps = text[x.at++] == POCKET_HTML_KEPT_BEGIN;
        if (keeps)
            kept(&x);
        else
            flow(&x);
    }
    *words = x.words;
    return x.to;
}

/* Wikitext to the text that a reader of the page sees, in one pass; wiki_page.h says how. Nothing
 * is expanded: templates are dropped, but for those that only wrap text. */
#include "ingest/wiki_page.h"

#include "base/limits.h"
#include "base/memory.h"
#include "ingest/pocket_ingest.h"
#include "ingest/utf8_repair.h"

/* Bytes that may begin something; all others are copied in runs. */
static const uint8_t special[256] = {
    ['\n'] = 1, ['!'] = 1, ['&'] = 1, ['\''] = 1, [':'] = 1, ['<'] = 1,
    ['['] = 1,  [']'] = 1, ['_'] = 1, ['{'] = 1,  ['|'] = 1, ['}'] = 1,
};

static size_t run_of(const page *p, uint8_t byte) {
    size_t length = 0;
    while (peek(p, length) == byte) length++;
    return length;
}

static void skip_spaces(page *p) {
    while (peek(p, 0) == ' ' || peek(p, 0) == '\t') p->at++;
}

static bool is_comment(const page *p) {
    return peek(p, 0) == '<' && peek(p, 1) == '!' && peek(p, 2) == '-' && peek(p, 3) == '-';
}

/* Tables */

static void begin_cell(page *p, frame *table, state s) {
    table->part = p->out;
    table->state = (uint8_t)s;
}

/* A cell goes on with the line of the one before it, unless that has several lines. */
static void next_cell(page *p, frame *table) {
    size_t end = p->out - 1;
    if (table->seen && p->out > table->part && p->text[end] == '\n' &&
        !memchr(p->text + table->part, '\n', end - table->part)) {
        p->out = end;
        put_tab(p);
    }
    table->seen = 1;
    begin_cell(p, table, CELL);
    p->line = p->out;
}

static void end_row(page *p, frame *table) {
    size_t end = p->out - 1, at = end;
    if (p->out > table->start && p->text[end] == '\n') {
        while (at > table->start && p->text[at - 1] == '\t') at--;
        p->text[at] = '\n';
        p->out = p->line = at + 1;
    }
    table->seen = 0;
}

/* A line of a table that begins with | or !; false where it is none. */
static bool table_line(page *p) {
    uint8_t first = peek(p, 0), second = peek(p, 1);
    frame *f;
    if ((first != '|' && first != '!') ||
        (first == '|' && second == '}' && peek(p, 2) == '}' && p->innermost[TEMPLATE]))
        return false;
    if ((f = reach(p, TABLE)) == NULL) return false;
    p->at++;
    if (first == '!') {
        f->visible = true;
        next_cell(p, f);
    } else if (second == '}') {
        p->at++;
        end_row(p, f);
        if (p->drop & POCKET_DROP_TABLES) take_back(p, f->start);
        pop(p);
    } else if (second == '-') {
        p->at += run_of(p, '-');
        end_row(p, f);
        begin_cell(p, f, ATTRIBUTES);
    } else if (second == '+') {
        p->at++;
        end_row(p, f);
        begin_cell(p, f, CELL);
    } else {
        next_cell(p, f);
    }
    return true;
}

/* | or ! within a line. */
static void cell_mark(page *p, uint8_t mark) {
    frame *f = top(p);
    if (mark == '|' && f && (f->kind == LINK || f->kind == GALLERY)) {
        link_pipe(p, f);
        return;
    }
    if (mark == '|' && f && f->kind == VARIANT) {
        variant_flags(p, f);
        return;
    }
    p->at++;
    if (mark == '|' && f && f->kind == TEMPLATE && f->wrapper) {
        template_end_parameter(p, f);
        template_parameter(p, f);
        return;
    }
    if (f && f->kind == TABLE && f->state != ATTRIBUTES && peek(p, 0) == mark &&
        (mark == '|' || f->visible)) {
        p->at++;
        put_tab(p);
        begin_cell(p, f, CELL);
    } else if (mark == '|' && f && f->kind == TABLE && f->state == CELL) {
        take_back(p, f->part);
        f->state = CONTENT;
    } else {
        put(p, mark);
    }
}

/* Lines */

/* Whether the line ends as a heading does, but for comments behind that. */
static bool ends_heading(const page *p) {
    const uint8_t *start = p->text + p->at, *end = memchr(start, '\n', p->end - p->at), *open;
    if (!end) end = p->text + p->end;
    for (;; end = open) {
        while (end > start && (end[-1] == ' ' || end[-1] == '\t')) end--;
        if (end - start < 7 || memcmp(end - 3, "-->", 3) != 0) break;
        for (open = end - 7; open > start && memcmp(open, "<!--", 4) != 0; open--) {
        }
        if (open == start) break;
    }
    return end > start && end[-1] == '=';
}

/* The marks that a line begins with. */
static void begin_line(page *p) {
    p->begins_line = p->heading = false;
    p->line = p->out;
    skip_spaces(p);
    p->line_at = p->at;
    if (top_is(p, GALLERY)) begin_cell(p, top(p), TARGET);
    if (is_comment(p)) {
        p->begins_line = true; /* it may come before the marks */
        return;
    }
    if (table_line(p)) return;
    if (peek(p, 0) == '=') {
        p->heading = true;
        p->at += run_of(p, '=');
        skip_spaces(p);
        if (ends_heading(p)) put_sign(p, HEADING_SIGN);
        return;
    }
    if (peek(p, 0) == '-' && run_of(p, '-') >= 4) {
        p->at += run_of(p, '-');
        return;
    }
    bool is_item = false;
    for (uint8_t c; (c = peek(p, 0)) == '*' || c == '#' || c == ':' || c == ';'; p->at++)
        is_item |= c == '*' || c == '#';
    skip_spaces(p);
    if (peek(p, 0) == '{' && peek(p, 1) == '|') {
        p->at += 2;
        open_frame(p, TABLE, ATTRIBUTES);
    } else if (is_item) {
        put_sign(p, ITEM_SIGN);
    }
}

static void trim(page *p, uint8_t byte) {
    size_t least = p->line > least_out(p) ? p->line : least_out(p);
    while (p->out > least && (p->text[p->out - 1] == ' ' || p->text[p->out - 1] == byte)) p->out--;
}

static void end_line(page *p) {
    frame *f;
    bool blank = p->at == p->line_at;
    while ((f = top(p)) &&
           (f->kind == EXTERNAL || (f->kind == LINK && (blank || f->state == TARGET))))
        pop(p);
    if (f && f->kind == TABLE) {
        if (f->state == ATTRIBUTES) take_back(p, f->part);
        f->state = CONTENT;
        f->visible = false;
    }
    if (f && f->kind == GALLERY) link_end_picture(p, f);
    trim(p, ' ');
    if (p->heading && p->out > p->line && p->text[p->out - 1] == '=') trim(p, '=');
    drop_sign(p);
    p->heading = false;
    p->begins_line = true;
}

static void new_line(page *p) {
    end_line(p);
    p->at++;
    if (p->out > 0 && (p->text[p->out - 1] != '\n' || (p->out > 1 && p->text[p->out - 2] != '\n')))
        put(p, '\n');
}

/* Templates */

static void braces(page *p, uint8_t brace) {
    size_t run = run_of(p, brace), pairs = run / 2;
    frame *f;
    if (run == 1 && brace == '}' && peek(p, 1) == '-' && (f = reach(p, VARIANT)) != NULL) {
        p->at += 2;
        variant_close(p, f);
        return;
    }
    p->at += run;
    if (brace == '{') {
        if (run == 1 && !variant_open(p)) put(p, brace);
        for (; pairs; pairs--)
            if ((f = open_frame(p, TEMPLATE, CONTENT)) == NULL) {
                p->lost += pairs;
                return;
            }
        if (run > 1 && run % 2 == 0) template_name(p, f);
        return;
    }
    if (run == 1) put(p, brace);
    for (; pairs; pairs--) {
        if (p->lost) {
            p->lost--;
        } else if ((f = reach(p, TEMPLATE)) != NULL) {
            template_close(p, f);
        }
    }
    if (run > 1 && run % 2 && peek(p, 0) == '-' && (f = reach(p, VARIANT)) != NULL) {
        p->at++;
        variant_close(p, f);
    }
}

/* All together */

static void apostrophes(page *p) {
    size_t run = run_of(p, '\'');
    p->at += run;
    if (run == 1 || run == 4) put(p, '\'');
}

/* __NOTOC__ and the like, in any language: two underscores, capitals, two underscores. */
#define LONGEST_SWITCH 48u
static void underscore(page *p) {
    size_t at = 2;
    if (peek(p, 1) == '_') {
        while (at < LONGEST_SWITCH &&
               (peek(p, at) >= 0x80 || (peek(p, at) >= 'A' && peek(p, at) <= 'Z') ||
                (peek(p, at) == '_' && peek(p, at + 1) != '_')))
            at++;
        if (at > 3 && peek(p, at) == '_' && peek(p, at + 1) == '_') {
            p->at += at + 2;
            return;
        }
    }
    put(p, p->text[p->at++]);
}

static void mark(page *p, uint8_t byte) {
    switch (byte) {
    case '\n': new_line(p); break;
    case '\'': apostrophes(p); break;
    case '[': link_open(p); break;
    case ']': link_close(p); break;
    case '{':
    case '}': braces(p, byte); break;
    case '|':
    case '!': cell_mark(p, byte); break;
    case '&': reference_mark(p); break;
    case ':': link_url(p); break;
    case '_': underscore(p); break;
    default:
        if (is_comment(p))
            comment_mark(p);
        else
            tag_mark(p);
    }
}

static void strip(page *p) {
    while (p->at < p->end) {
        if (p->begins_line) begin_line(p);
        if (peek(p, 0) == ' ' && behind_space(p)) p->at++;
        size_t run = p->at;
        while (run < p->end && !special[p->text[run]]) run++;
        if (run > p->at) {
            if (p->out != p->at) memmove(p->text + p->out, p->text + p->at, run - p->at);
            p->out += run - p->at;
            p->at = run;
        } else if (p->at < p->end) {
            mark(p, p->text[p->at]);
        }
    }
    end_line(p);
    for (uint8_t last; p->out > 0; p->out--) {
        while (behind_sign(p)) p->out -= SIGN_BYTES;
        last = p->out > 0 ? p->text[p->out - 1] : 0;
        if (last != ' ' && last != '\n' && last != '\t') break;
    }
}

/* What the signs of a page's lines may take beside their marks. */
static size_t room_for_signs(const uint8_t *text, size_t length) {
    size_t lines = 1, at = 0;
    for (const uint8_t *found; (found = memchr(text + at, '\n', length - at)) != NULL; lines++)
        at = (size_t)(found - text) + 1;
    return SIGN_BYTES * lines;
}

/* Strip the page whose `length` bytes from `at` on are UTF-8; returns how many are left, at 0. */
static size_t strip_page(page *p, uint8_t *text, size_t at, size_t length, const char *files,
                         const char *categories, uint32_t drop) {
    memset(p, 0, offsetof(page, frames));
    p->text = text;
    p->at = at;
    p->end = at + length;
    p->files = files;
    p->categories = categories;
    p->drop = drop;
    p->begins_line = true;
    strip(p);
    return p->out;
}

pocket_status pocket_wikitext(const uint8_t *texts, const uint64_t *ends, size_t count,
                              const char *files, const char *categories, uint32_t drop,
                              uint8_t *out, uint64_t *out_ends) {
    uint64_t start = 0, to = 0;
    for (size_t i = 0; i < count; start = ends[i++])
        if (ends[i] - start > MOST_TEXT) return POCKET_TEXT_TOO_LONG;
    page *p = pocket_malloc(sizeof *p);
    if (!p) return POCKET_NO_MEMORY;
    start = 0;
    for (size_t i = 0; i < count; start = ends[i++]) {
        size_t length = (size_t)(ends[i] - start), at = room_for_signs(texts + start, length);
        size_t whole = utf8_repair(texts + start, length, out + to + at);
        to += strip_page(p, out + to, at, whole, files, categories, drop);
        out_ends[i] = to;
    }
    pocket_free(p);
    return POCKET_OK;
}

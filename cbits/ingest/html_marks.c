/* The marks of builder/inputs/pages/marks.py, put into the source of an HTML page and taken out of
 * text again. Each tag is looked at where it stands, without a tree: what is no tag there, as
 * within a script, gets marks too, which are taken away when its place in the tree is known. */
#include <stdbool.h>

#include "base/memory.h"
#include "ingest/html_names.h"
#include "ingest/html_signs.h"
#include "ingest/pocket_ingest.h"

static const char look[] = " look-here", cell[] = "&#13;";
#define LOOK (sizeof look - 1)
#define CELL (sizeof cell - 1)

/* A tag from its "<" on: its name without the slash, and its end, behind ">" where it has one. */
typedef struct html_tag {
    size_t name, name_end, end;
    bool closes;
    uint32_t kinds;
} html_tag;

static bool is_capital(uint8_t c) { return c >= 'A' && c <= 'Z'; }
static bool is_letter(uint8_t c) { return is_capital(c) || (c >= 'a' && c <= 'z'); }
static bool in_word(uint8_t c) {
    return is_letter(c) || (c >= '0' && c <= '9') || c == '-' || c == '_';
}
/* A source has neither form feeds nor carriage returns any more, which are marks. */
static bool ends_name(uint8_t c) {
    return c == ' ' || c == '\n' || c == '\t' || c == '/' || c == '>';
}

/* The tag at a "<"; false where none begins there, or its name runs into another "<", which is its
 * end then. */
static bool read_tag(const html_names *t, const uint8_t *text, size_t length, size_t at,
                     html_tag *tag) {
    at++;
    tag->kinds = 0;
    tag->closes = at < length && text[at] == '/';
    tag->name = tag->end = at += tag->closes;
    if (at == length || !is_letter(text[at])) return false;
    while (at < length && !ends_name(text[at]) && text[at] != '<') at++;
    tag->end = at;
    if (at == length || text[at] == '<') return false;
    tag->kinds = pocket_html_kinds(t, text + tag->name, at - tag->name);
    tag->name_end = at;
    while (at < length && text[at] != '>' && text[at] != '<') at++;
    tag->end = at + (at < length && text[at] == '>');
    return true;
}

/* Whether a tag is read at a "<", and may get a mark there. within: where a name that began before
 * runs into a "<". In "<script<p>" no tag begins there, and a mark would end the name of the first:
 * what follows would be a script. But "a<b</textarea>" ends raw text. */
static bool has_mark(const html_names *t, const uint8_t *text, size_t length, size_t at,
                     size_t *within, html_tag *tag) {
    if (!read_tag(t, text, length, at, tag)) {
        if (tag->end > tag->name) *within = tag->end;
        return false;
    }
    return at != *within || (tag->closes && tag->kinds & POCKET_HTML_KEPT);
}

/* Whether an element of these kinds with such attributes may be navigation. */
static bool may_lead(const html_names *t, uint32_t kinds, const uint8_t *attributes,
                     size_t length) {
    uint32_t words = 0;
    for (size_t at = 0, begin; at < length; at++) {
        for (begin = at; at < length && in_word(attributes[at]);) at++;
        if (at > begin) words |= pocket_html_kinds(t, attributes + begin, at - begin);
    }
    return words & POCKET_HTML_NAVIGATION && (kinds & POCKET_HTML_BOX || words & POCKET_HTML_ROLE);
}

static size_t put(uint8_t *out, const void *bytes, size_t size) {
    memcpy(out, bytes, size);
    return size;
}

static bool ends_with_cell(const uint8_t *out, size_t to) {
    return to >= CELL && memcmp(out + to - CELL, cell, CELL) == 0;
}

/* A mark that becomes a character of three bytes. */
static size_t put_sign(uint8_t *out, uint8_t mark) {
    memset(out, mark, 3);
    return 3;
}

/* Write a tag up to the end of its name, with its marks; returns the number of bytes. closes: as an
 * end tag. */
static size_t put_name(const html_names *t, const uint8_t *text, const html_tag *tag, bool closes,
                       uint8_t *out) {
    uint32_t kinds = tag->kinds;
    size_t to = 0;
    if (kinds & POCKET_HTML_LINE) {
        if (closes && kinds & POCKET_HTML_KEPT) out[to++] = POCKET_HTML_KEPT_END;
        if (closes && kinds & (POCKET_HTML_HEADING | POCKET_HTML_ITEM))
            out[to++] = POCKET_HTML_HEADING_MARK;
        out[to++] = POCKET_HTML_BLOCK;
    } else if (kinds & POCKET_HTML_APART) {
        out[to++] = ' ';
    } else if (kinds & POCKET_HTML_CELL && !closes) {
        to += put(out + to, cell, CELL);
    }
    out[to++] = '<';
    if (closes) out[to++] = '/';
    to += put(out + to, text + tag->name, tag->name_end - tag->name);
    if (kinds && !closes &&
        (kinds & POCKET_HTML_LOOK ||
         may_lead(t, kinds, text + tag->name_end, tag->end - tag->name_end)))
        to += put(out + to, look, LOOK);
    return to;
}

size_t pocket_html_marked(const uint8_t *source, size_t length, const pocket_html_name *names,
                          size_t count, uint32_t xml, uint8_t *out) {
    html_names t;
    html_tag tag;
    size_t at = 0, to = 0, within = SIZE_MAX;
    pocket_html_fill(&t, names, count);
    while (at < length) {
        const uint8_t *found = memchr(source + at, '<', length - at);
        size_t begin = found ? (size_t)(found - source) : length;
        to += put(out + to, source + at, begin - at);
        at = begin;
        if (!found) break;
        if (!has_mark(&t, source, length, at, &within, &tag)) {
            /* In raw text the page's own reference would be taken away as the mark that is missing
             * here. It ends no name. */
            if (tag.kinds & POCKET_HTML_CELL && !tag.closes && ends_with_cell(out, to))
                to += put(out + to, cell, CELL);
            out[to++] = source[at++];
            continue;
        }
        to += put_name(&t, source, &tag, tag.closes, out + to);
        bool is_empty = xml && !tag.closes && !(tag.kinds & POCKET_HTML_VOID) &&
                        source[tag.end - 1] == '>' && source[tag.end - 2] == '/';
        to += put(out + to, source + tag.name_end, tag.end - tag.name_end - 2 * is_empty);
        if (is_empty) out[to++] = '>';
        if (tag.kinds & POCKET_HTML_KEPT && !tag.closes) out[to++] = POCKET_HTML_KEPT_BEGIN;
        if (tag.kinds & POCKET_HTML_HEADING && !tag.closes)
            to += put_sign(out + to, POCKET_HTML_HEADING_MARK);
        if (tag.kinds & POCKET_HTML_ITEM && !tag.closes)
            to += put_sign(out + to, POCKET_HTML_ITEM_MARK);
        if (is_empty) {
            to += put_name(&t, source, &tag, true, out + to);
            out[to++] = '>';
        }
        at = tag.end;
    }
    return to;
}

/* How many bytes at the end of what is written are the mark of a tag. */
static size_t mark_before(const uint8_t *out, size_t to, const html_tag *tag) {
    uint8_t last = to ? out[to - 1] : 0;
    if (tag->kinds & POCKET_HTML_LINE) return last == POCKET_HTML_BLOCK;
    if (tag->kinds & POCKET_HTML_APART) return last == ' ';
    if (!(tag->kinds & POCKET_HTML_CELL) || tag->closes) return 0;
    if (ends_with_cell(out, to)) return CELL;
    return last == POCKET_HTML_CELL_MARK;
}

size_t pocket_html_unmarked(const uint8_t *text, size_t length, const pocket_html_name *names,
                            size_t count, uint8_t *out) {
    html_names t;
    html_tag tag;
    size_t at = 0, to = 0;
    pocket_html_fill(&t, names, count);
    while (at < length) {
        if (text[at] == '<' && read_tag(&t, text, length, at, &tag) && tag.kinds) {
            to -= mark_before(out, to, &tag);
            to += put(out + to, text + at, tag.name_end - at);
            at = tag.name_end;
            while (length - at >= LOOK && memcmp(text + at, look, LOOK) == 0) at += LOOK;
        } else if (pocket_html_is_sign(text, length, at)) {
            at += 3;
        } else if (text[at] == POCKET_HTML_KEPT_BEGIN || text[at] == POCKET_HTML_KEPT_END ||
                   text[at] == POCKET_HTML_HEADING_MARK) {
            at++;
        } else {
            out[to++] = text[at++];
        }
    }
    return to;
}

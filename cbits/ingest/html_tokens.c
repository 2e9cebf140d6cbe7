/* A page as its parser has written it, in the texts and tags by which a site is read. */
#include <stdbool.h>

#include "base/memory.h"
#include "ingest/html_names.h"
#include "ingest/html_signs.h"
#include "ingest/markup.h"

#define SIGN_BYTES 16384u /* of a link to a heading that shows nothing but a sign, at most */

/* A page on its way: bytes are read at `at` and written at `to`, which never passes it. open: a bit
 * for each element that is open, set where its end is told. */
typedef struct page {
    html_names names;
    const uint8_t *text;
    size_t length, at, to, depth;
    uint8_t *out, *open;
    bool space; /* white space is still to be written */
} page;

/* A tag from its "<" on; what its attributes are. */
typedef struct tag {
    size_t name, name_end, end; /* end: behind ">" */
    uint32_t kinds;
    bool closes, has_id, says, links;
} tag;

static bool begins(const page *p, size_t at, const char *with) {
    size_t size = strlen(with);
    return p->length - at >= size && memcmp(p->text + at, with, size) == 0;
}

/* Where such bytes are next before the end, or the end. */
static size_t find(const page *p, size_t at, size_t end, const uint8_t *bytes, size_t size) {
    while (at < end && end - at >= size) {
        const uint8_t *found = memchr(p->text + at, bytes[0], end - at - size + 1);
        if (!found) break;
        at = (size_t)(found - p->text);
        if (memcmp(found, bytes, size) == 0) return at;
        at++;
    }
    return end;
}

static bool is_space(uint8_t c) { return c == ' ' || (c >= 9 && c <= 13) || (c >= 28 && c < 32); }

static bool in_word(uint8_t c) {
    return (c >= '0' && c <= '9') || ((c | 0x20) >= 'a' && (c | 0x20) <= 'z') || c == '_' ||
           c >= 0x80;
}

/* Whether a class has a part by which links to headings are told. */
static bool names_link(const uint8_t *value, size_t length) {
    static const char *const parts[] = {"headerlink", "anchor", "hash-link"};
    for (size_t i = 0; i < length; i++) {
        if (i && in_word(value[i - 1])) continue;
        for (size_t j = 0; j < sizeof parts / sizeof *parts; j++) {
            size_t size = strlen(parts[j]);
            if (length - i >= size && memcmp(value + i, parts[j], size) == 0 &&
                (length - i == size || !in_word(value[i + size])))
                return true;
        }
    }
    return false;
}

static bool is_named(const uint8_t *name, size_t length, const char *as) {
    return length == strlen(as) && memcmp(name, as, length) == 0;
}

static void see_attribute(tag *t, const uint8_t *name, size_t length, const uint8_t *value,
                          size_t value_length) {
    static const char own[] = "data-pagefind-";
    if (is_named(name, length, "id") || is_named(name, length, "name"))
        t->has_id = true;
    else if (length >= sizeof own && memcmp(name, own, sizeof own - 1) == 0)
        t->says = true;
    else if (is_named(name, length, "href"))
        t->links |= value_length && value[0] == '#';
    else if (is_named(name, length, "class"))
        t->links |= names_link(value, value_length);
}

/* Read the tag at a "<"; false where none begins there. */
static bool read_tag(const page *p, size_t at, tag *t) {
    const uint8_t *text = p->text;
    size_t length = p->length;
    *t = (tag){0};
    t->closes = ++at < length && text[at] == '/';
    t->name = at += t->closes;
    if (at == length || (text[at] | 0x20) < 'a' || (text[at] | 0x20) > 'z') return false;
    while (at < length && !is_space(text[at]) && text[at] != '/' && text[at] != '>') at++;
    t->name_end = at;
    t->kinds = pocket_html_kinds(&p->names, text + t->name, at - t->name);
    while (at < length && text[at] != '>') {
        size_t name = at, name_end, value = at, end = at;
        while (at < length && text[at] != '=' && text[at] != '>' && !is_space(text[at])) at++;
        name_end = at;
        if (at + 1 < length && text[at] == '=' && text[at + 1] == '"') {
            value = at + 2;
            at = end = find(p, value, length, (const uint8_t *)"\"", 1);
            see_attribute(t, text + name, name_end - name, text + value, end - value);
        }
        if (at < length && text[at] != '>') at++;
    }
    t->end = at + (at < length);
    return true;
}

/* The bytes of a sign that links to headings, or of what is left out beside it: ¶ # § U+1F517
 * U+200B U+FE0F and private use, where fonts of icons have their signs; 0 for another character. */
static size_t sign(const page *p, size_t at) {
    const uint8_t *c = p->text + at;
    size_t space = pocket_html_space(p->text, p->length, at);
    if (space) return space;
    if (*c == '#') return 1;
    if (begins(p, at, "\xC2\xB6") || begins(p, at, "\xC2\xA7")) return 2;
    if (begins(p, at, "\xE2\x80\x8B") || begins(p, at, "\xEF\xB8\x8F")) return 3;
    if (begins(p, at, "\xF0\x9F\x94\x97")) return 4;
    if (begins(p, at, "&nbsp;")) return 6;
    return (*c == 0xEE || (*c == 0xEF && p->length - at > 2 && c[1] < 0xA4)) ? 3 : 0;
}

/* Behind the end tag of a link at whose content this is, where it shows nothing but signs; else
 * 0. */
static size_t behind_sign(const page *p, size_t at) {
    size_t size, most = p->length - at < SIGN_BYTES ? p->length : at + SIGN_BYTES;
    tag t;
    while (at < most) {
        if ((size = sign(p, at)) > 0) {
            at += size;
        } else if (begins(p, at, "</a>")) {
            return at + 4;
        } else if (begins(p, at, "<!--")) {
            at = find(p, at + 4, most, (const uint8_t *)"-->", 3) + 3;
        } else if (p->text[at] == '<' && read_tag(p, at, &t)) {
            bool drawn = is_named(p->text + t.name, t.name_end - t.name, "svg");
            if (!drawn && !is_named(p->text + t.name, t.name_end - t.name, "span")) return 0;
            at = t.end;
            if (drawn && !t.closes) at = find(p, at, most, (const uint8_t *)"</svg>", 6);
        } else {
            return 0;
        }
    }
    return 0;
}

static uint8_t last(const page *p) { return p->to ? p->out[p->to - 1] : POCKET_HTML_TAG_MARK; }

static void put(page *p, const uint8_t *bytes, size_t size) {
    if (p->space && last(p) != POCKET_HTML_APART_MARK) p->out[p->to++] = ' ';
    p->space = false;
    memcpy(p->out + p->to, bytes, size);
    p->to += size;
}

/* Part what comes from what was there. A text of spaces alone stays where it is beside a tag, for
 * it may part the words of two elements. */
static void put_apart(page *p) {
    if (p->space && last(p) == POCKET_HTML_TAG_MARK) p->out[p->to++] = ' ';
    p->space = false;
    if (last(p) != POCKET_HTML_APART_MARK) p->out[p->to++] = POCKET_HTML_APART_MARK;
}

static void put_tag(page *p, size_t from, size_t end) {
    if (p->space) p->out[p->to++] = ' ';
    p->space = false;
    p->out[p->to++] = POCKET_HTML_TAG_MARK;
    for (; from < end; from++)
        p->out[p->to++] = p->text[from] >= 28 && p->text[from] < 32 ? ' ' : p->text[from];
    p->out[p->to++] = POCKET_HTML_TAG_MARK;
}

static void end_element(page *p, const tag *t) {
    bool told = false;
    if (p->depth) {
        p->depth--;
        told = p->open[p->depth / 8] >> p->depth % 8 & 1;
    }
    if (told)
        put_tag(p, t->name - 1, t->name_end);
    else if (!(t->kinds & POCKET_HTML_JOINED))
        put_apart(p);
    p->at = t->end;
}

static void begin_element(page *p, const tag *t) {
    bool told =
        t->kinds & POCKET_HTML_TOLD || (t->kinds & POCKET_HTML_NAMED && t->has_id) || t->says;
    size_t behind = t->kinds & POCKET_HTML_LINK && t->links && !t->has_id && !t->says
                        ? behind_sign(p, t->end)
                        : 0;
    p->at = behind ? behind : t->end;
    if (behind) return;
    if (told)
        put_tag(p, t->name, t->end - (p->text[t->end - 1] == '>'));
    else if (t->kinds & POCKET_HTML_BREAK)
        p->space = true;
    else if (!(t->kinds & POCKET_HTML_JOINED))
        put_apart(p);
    if (t->kinds & POCKET_HTML_EMPTY) return;
    uint8_t bit = (uint8_t)(1u << p->depth % 8);
    p->open[p->depth / 8] = (uint8_t)((p->open[p->depth / 8] & ~bit) | (told ? bit : 0));
    p->depth++;
    if (!(t->kinds & POCKET_HTML_UNREAD)) return;
    for (size_t size = t->name_end - t->name; p->at < p->length; p->at++) {
        p->at = find(p, p->at, p->length, (const uint8_t *)"</", 2);
        if (p->length - p->at > size + 2 &&
            memcmp(p->text + p->at + 2, p->text + t->name, size) == 0 &&
            p->text[p->at + 2 + size] == '>')
            break;
    }
}

/* The bytes of a character without width: U+200B, U+2060, U+FEFF; else 0. */
static size_t hidden(const page *p) {
    return begins(p, p->at, "\xE2\x80\x8B") || begins(p, p->at, "\xE2\x81\xA0") ||
                   begins(p, p->at, "\xEF\xBB\xBF")
               ? 3
               : 0;
}

/* One character of text, or a run of those that mean nothing. */
static void read_text(page *p) {
    const uint8_t *c = p->text + p->at;
    size_t size = pocket_html_space(p->text, p->length, p->at), skipped;
    uint8_t meant[4];
    if (size > 0) {
        p->space = true;
        p->at += size;
    } else if (*c == '&' && (skipped = markup_reference(c, p->length - p->at, meant, &size)) > 0) {
        if (pocket_html_space(meant, size, 0))
            p->space = true;
        else
            put(p, meant, size);
        p->at += skipped;
    } else if (*c >= 0xE2 && (size = hidden(p)) > 0) {
        p->at += size;
    } else {
        size_t end = p->at + 1;
        while (end < p->length && p->text[end] > ' ' && p->text[end] < 0xC2 &&
               p->text[end] != '<' && p->text[end] != '&')
            end++;
        put(p, c, end - p->at);
        p->at = end;
    }
}

size_t pocket_html_tokens(const uint8_t *written, size_t length, const pocket_html_name *names,
                          size_t count, uint8_t *open, uint8_t *out) {
    page p = {.text = written, .length = length, .out = out, .open = open};
    tag t;
    pocket_html_fill(&p.names, names, count);
    while (p.at < length) {
        if (written[p.at] != '<') {
            read_text(&p);
        } else if (begins(&p, p.at, "<!--")) {
            size_t end = find(&p, p.at + 4, length, (const uint8_t *)"-->", 3);
            p.at = end < length ? end + 3 : length;
        } else if (!read_tag(&p, p.at, &t)) {
            put(&p, written + p.at++, 1);
        } else if (t.closes) {
            end_element(&p, &t);
        } else {
            begin_element(&p, &t);
        }
    }
    if (p.space) out[p.to++] = ' ';
    return p.to;
}

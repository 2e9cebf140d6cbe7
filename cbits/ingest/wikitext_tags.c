/* Tags of HTML and of extensions, comments and character references. */
#include "base/memory.h"
#include "ingest/pocket_ingest.h"
#include "ingest/wiki_page.h"

void reference_mark(page *p) {
    uint8_t bytes[4];
    size_t size, length = markup_reference(p->text + p->at, p->end - p->at, bytes, &size);
    if (!length) {
        bytes[0] = '&';
        length = size = 1;
    }
    p->at += length;
    for (size_t i = 0; i < size; i++) put(p, bytes[i]);
}

void comment_mark(page *p) {
    p->at += 4;
    if (p->comment_end < p->at) {
        size_t at = p->at;
        while (p->end - at >= 3 &&
               !(p->text[at] == '-' && p->text[at + 1] == '-' && p->text[at + 2] == '>'))
            at++;
        p->comment_end = p->end - at >= 3 ? at : p->end;
    }
    if (p->comment_end < p->end) p->at = p->comment_end + 3;
}

/* The letters and digits at a place. */
static size_t name_length(const page *p, size_t at) {
    size_t length = 0;
    while (length <= MARKUP_TAG_NAME && length < p->end - at) {
        uint8_t c = p->text[at + length];
        if (!((c >= '0' && c <= '9') || ((c | 0x20) >= 'a' && (c | 0x20) <= 'z'))) break;
        length++;
    }
    return length;
}

/* The place of the next closing tag, end where there is none. Each place is searched once for each
 * tag: what was found, or not, is remembered. */
static size_t closing(page *p, uint32_t tag) {
    if (p->closing[tag] < p->at) {
        size_t at = p->at;
        const uint8_t *found = NULL;
        while (at < p->end && (found = memchr(p->text + at, '<', p->end - at)) != NULL) {
            at = (size_t)(found - p->text);
            if (p->end - at > 2 && found[1] == '/' &&
                markup_tag(found + 2, name_length(p, at + 2)) == tag)
                break;
            at++;
            found = NULL;
        }
        p->closing[tag] = found ? at : p->end;
    }
    return p->closing[tag];
}

static void verbatim(page *p, size_t end, bool is_code) {
    if (peek(p, 0) == '\n') p->at++;
    if (is_code) put_sign(p, CODE_SIGN);
    while (p->at < end) {
        uint8_t c = p->text[p->at];
        if (c == '&') {
            reference_mark(p);
        } else {
            p->at++;
            put(p, c);
            if (is_code && c == '\n') put_sign(p, CODE_SIGN);
        }
    }
}

static void html_table(page *p, bool closes) {
    frame *f;
    put_break(p);
    if (!closes) {
        open_frame(p, HTML_TABLE, CONTENT);
    } else if ((f = reach(p, HTML_TABLE)) != NULL) {
        if (p->drop & POCKET_DROP_TABLES) take_back(p, f->start);
        pop(p);
    }
}

/* An element whose closing tag is known to come, so that nothing in it reaches beyond. */
static void nested(page *p, uint32_t tag, kind k, bool closes, bool empty) {
    frame *f;
    if (closes && (f = reach(p, k)) != NULL) {
        if (k == GALLERY) link_end_picture(p, f);
        pop(p);
    } else if (!closes && !empty && !p->innermost[k] && closing(p, tag) < p->end) {
        open_frame(p, k, CONTENT);
    }
    if (k == GALLERY) {
        put_break(p);
        p->begins_line |= !closes;
    } else {
        put_space(p);
    }
}

void tag_mark(page *p) {
    bool closes = peek(p, 1) == '/', empty;
    size_t name = p->at + 1 + closes, end;
    uint32_t number = name < p->end ? markup_tag(p->text + name, name_length(p, name)) : 0;
    markup_kind k = markup_tag_kind(number);
    for (end = name; end < p->end && p->text[end] != '>' && p->text[end] != '<'; end++) {
    }
    if (k == MARKUP_UNKNOWN || end == p->end || p->text[end] != '>') {
        put(p, p->text[p->at++]);
        return;
    }
    empty = p->text[end - 1] == '/';
    p->at = end + 1;
    if ((k == MARKUP_REF || k == MARKUP_REFERENCES) && (p->drop & POCKET_DROP_REFERENCES))
        k = MARKUP_HIDDEN;
    switch (k) {
    case MARKUP_UNKNOWN:
    case MARKUP_INLINE: break;
    case MARKUP_REFERENCES:
    case MARKUP_BLOCK: put_break(p); break;
    case MARKUP_HEADING:
    case MARKUP_ITEM:
        put_break(p);
        if (!closes) put_sign(p, k == MARKUP_ITEM ? ITEM_SIGN : HEADING_SIGN);
        break;
    case MARKUP_CELL:
        if (!closes) put_tab(p);
        break;
    case MARKUP_VERBATIM: put_break(p); /* fallthrough */
    case MARKUP_NOWIKI:
        if (!closes && !empty && closing(p, number) < p->end)
            verbatim(p, p->closing[number], k == MARKUP_VERBATIM);
        break;
    case MARKUP_HIDDEN:
        if (!closes && !empty && closing(p, number) < p->end) p->at = p->closing[number];
        if (closes) put_space(p);
        break;
    case MARKUP_REF: nested(p, number, REFERENCE, closes, empty); break;
    case MARKUP_GALLERY: nested(p, number, GALLERY, closes, empty); break;
    case MARKUP_TABLE: html_table(p, closes); break;
    }
}

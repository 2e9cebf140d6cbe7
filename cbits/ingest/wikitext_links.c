/* Links to pages, files, categories and elsewhere. */
#include "base/memory.h"
#include "ingest/pocket_ingest.h"
#include "ingest/wiki_page.h"

/* Longer ones are no option of a file, no name of a name space and no protocol. */
#define LONGEST_OPTION 40u
#define LONGEST_PREFIX 100u
#define LONGEST_PROTOCOL 9u

static const char *const protocols[] = {"http", "https", "ftp", "ftps", "sftp",   "irc",    "ircs",
                                        "git",  "svn",   "ssh", "mms",  "gopher", "telnet", "nntp"};
static const char *const short_protocols[] = {"mailto", "news", "tel", "sms",  "urn",    "geo",
                                              "magnet", "xmpp", "sip", "sips", "bitcoin"};

static bool is_lower(uint8_t c) { return c >= 'a' && c <= 'z'; }
static bool is_letter(uint8_t c) { return is_lower(c | 0x20); }
static bool is_digit(uint8_t c) { return c >= '0' && c <= '9'; }
static uint8_t folded(uint8_t c) { return c >= 'A' && c <= 'Z' ? c | 0x20 : c == '_' ? ' ' : c; }

static bool among(const char *const *names, size_t count, const uint8_t *text, size_t length) {
    for (size_t i = 0; i < count; i++) {
        size_t j = 0;
        while (j < length && names[i][j] && (uint8_t)names[i][j] == folded(text[j])) j++;
        if (j == length && !names[i][j]) return true;
    }
    return false;
}
#define AMONG(names, text, length) among(names, sizeof(names) / sizeof *(names), text, length)

/* Is it one of names, each of which ends with a line feed? */
static bool listed(const char *names, const uint8_t *text, size_t length) {
    while (*names) {
        size_t j = 0;
        while (j < length && names[j] != '\n' && (uint8_t)names[j] == folded(text[j])) j++;
        if (j == length && names[j] == '\n') return true;
        while (*names++ != '\n') {
        }
    }
    return false;
}

/* Of another language's Wikipedia: shown beside the page, not in it. */
static bool is_language(const uint8_t *text, size_t length) {
    bool hyphen = false;
    for (size_t i = 0; i < length; i++) {
        if (!is_lower(text[i]) && text[i] != '-') return false;
        hyphen |= text[i] == '-';
    }
    return length == 2 || length == 3 || (hyphen && length > 3 && length <= 12) ||
           (length == 6 && memcmp(text, "simple", 6) == 0);
}

/* What the text of a frame, a link's target, leads to. *language: whether to another language. */
static state leads_to(const page *p, const frame *f, bool *language) {
    const uint8_t *text = p->text + f->start;
    size_t length = p->out > f->start ? p->out - f->start : 0, colon = 0;
    *language = false;
    if (length > LONGEST_PREFIX) length = LONGEST_PREFIX;
    while (length && (*text == ' ' || *text == '_')) text++, length--;
    while (colon < length && text[colon] != ':') colon++;
    if (colon == length) return CONTENT;
    while (colon && (text[colon - 1] == ' ' || text[colon - 1] == '_')) colon--;
    *language = is_language(text, colon);
    if (f->visible) return CONTENT;
    return listed(p->files, text, colon)        ? FILE_PART
           : listed(p->categories, text, colon) ? CATEGORY
                                                : CONTENT;
}

/* Is the part under way an option of a file ("thumb", "200px", "alt=…"), and not its caption? Only
 * English options are spelt here: in any language they are single words, and stand before the
 * caption. */
static bool is_option(const page *p, const frame *f, bool last) {
    const uint8_t *text = p->text + f->part;
    size_t length = p->out > f->part ? p->out - f->part : 0, i = 0;
    while (length && (*text == ' ' || *text == '\n')) text++, length--;
    while (length && (text[length - 1] == ' ' || text[length - 1] == '\n')) length--;
    if (!length) return true;
    while (i < length && i < LONGEST_OPTION && is_lower(text[i])) i++;
    if (i && i < length && text[i] == '=') return true;
    if (f->kind == GALLERY || length > LONGEST_OPTION || memchr(text, ' ', length) ||
        memchr(text, '\n', length))
        return false;
    return !last || is_lower(*text) || is_digit(*text);
}

static void end_part(page *p, frame *f, bool last) {
    if (is_option(p, f, last))
        take_back(p, f->part);
    else if (!last)
        put_space(p);
    f->part = p->out;
}

/* The length of a protocol with its colon at the place read, 0 where there is none. */
static size_t protocol(const page *p) {
    const uint8_t *text = p->text + p->at;
    size_t length = 0;
    if (peek(p, 0) == '/' && peek(p, 1) == '/') return 2;
    while (length < LONGEST_PROTOCOL && is_letter(peek(p, length))) length++;
    if (!length || peek(p, length) != ':') return 0;
    if (peek(p, length + 1) == '/' && peek(p, length + 2) == '/')
        return AMONG(protocols, text, length) ? length + 3 : 0;
    return AMONG(short_protocols, text, length) ? length + 1 : 0;
}

static void skip_url(page *p) {
    while (p->at < p->end) {
        uint8_t c = p->text[p->at];
        if (c <= ' ' || c == '[' || c == ']' || c == '<' || c == '>' || c == '"' || c == '{' ||
            c == '}' || c == '|')
            break;
        if (c == '\'' && peek(p, 1) == '\'') break;
        p->at++;
    }
}

void link_open(page *p) {
    frame *f = top(p);
    p->at++;
    if (peek(p, 0) != '[') {
        size_t length = protocol(p);
        if (!length) {
            put(p, '[');
            return;
        }
        p->at += length;
        skip_url(p);
        while (peek(p, 0) == ' ') p->at++;
        open_frame(p, EXTERNAL, CONTENT);
        return;
    }
    p->at++;
    if (f && f->kind == TABLE && f->state == CELL)
        f->state = CONTENT; /* attributes have no links */
    f = open_frame(p, LINK, TARGET);
    if (peek(p, 0) != ':') return;
    p->at++;
    if (f) f->visible = true;
}

void link_end_picture(page *p, frame *f) {
    if (f->state == TARGET) take_back(p, f->part);
    if (f->state == FILE_PART) end_part(p, f, true);
}

static void end_link(page *p, frame *f) {
    bool language;
    state s = f->state;
    if (s == TARGET) {
        s = leads_to(p, f, &language);
        if ((s != CONTENT || language) && !f->visible) take_back(p, f->start);
    } else if (s == FILE_PART) {
        end_part(p, f, true);
        if (p->out > f->start) put_break(p);
    } else if (s == CATEGORY) {
        take_back(p, f->start);
    }
}

void link_close(page *p) {
    frame *f;
    p->at++;
    if (top_is(p, EXTERNAL)) {
        pop(p);
    } else if (peek(p, 0) == ']' && (f = reach(p, LINK)) != NULL) {
        p->at++;
        end_link(p, f);
        pop(p);
    } else {
        put(p, ']');
    }
}

void link_pipe(page *p, frame *f) {
    bool language;
    p->at++;
    if (f->state == TARGET) {
        f->state = (uint8_t)(f->kind == GALLERY ? FILE_PART : leads_to(p, f, &language));
        take_back(p, f->part);
        f->part = p->out;
    } else if (f->state == FILE_PART) {
        end_part(p, f, false);
    } else {
        put(p, '|');
    }
}

/* The protocol of a bare url is written by then. */
void link_url(page *p) {
    size_t length = 0;
    p->at++;
    if (peek(p, 0) == '/' && peek(p, 1) == '/') {
        while (length < LONGEST_PROTOCOL && length < p->out - least_out(p) &&
               is_letter(p->text[p->out - 1 - length]))
            length++;
        if (AMONG(protocols, p->text + p->out - length, length)) {
            p->out -= length;
            skip_url(p);
            return;
        }
    }
    put(p, ':');
}

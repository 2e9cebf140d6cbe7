#include "ingest/markup.h"

#include "base/memory.h"
#include "ingest/html_entities.h"
#include "ingest/pocket_ingest.h"

/* What MediaWiki knows, core and usual extensions; any other tag is text. In the order of strcmp.
 */
static const struct tag {
    char name[MARKUP_TAG_NAME + 1];
    uint8_t kind;
} tags[] = {
    {"", MARKUP_UNKNOWN},
    {"abbr", MARKUP_INLINE},
    {"b", MARKUP_INLINE},
    {"bdi", MARKUP_INLINE},
    {"bdo", MARKUP_INLINE},
    {"big", MARKUP_INLINE},
    {"blockquote", MARKUP_BLOCK},
    {"br", MARKUP_BLOCK},
    {"caption", MARKUP_BLOCK},
    {"categorytree", MARKUP_HIDDEN},
    {"ce", MARKUP_HIDDEN},
    {"center", MARKUP_BLOCK},
    {"charinsert", MARKUP_HIDDEN},
    {"chem", MARKUP_HIDDEN},
    {"cite", MARKUP_INLINE},
    {"code", MARKUP_INLINE},
    {"data", MARKUP_INLINE},
    {"dd", MARKUP_BLOCK},
    {"del", MARKUP_INLINE},
    {"dfn", MARKUP_INLINE},
    {"div", MARKUP_BLOCK},
    {"dl", MARKUP_BLOCK},
    {"dt", MARKUP_BLOCK},
    {"em", MARKUP_INLINE},
    {"font", MARKUP_INLINE},
    {"gallery", MARKUP_GALLERY},
    {"graph", MARKUP_HIDDEN},
    {"h1", MARKUP_HEADING},
    {"h2", MARKUP_HEADING},
    {"h3", MARKUP_HEADING},
    {"h4", MARKUP_HEADING},
    {"h5", MARKUP_HEADING},
    {"h6", MARKUP_HEADING},
    {"hiero", MARKUP_HIDDEN},
    {"hr", MARKUP_BLOCK},
    {"i", MARKUP_INLINE},
    {"imagemap", MARKUP_HIDDEN},
    {"includeonly", MARKUP_HIDDEN},
    {"indicator", MARKUP_HIDDEN},
    {"inputbox", MARKUP_HIDDEN},
    {"ins", MARKUP_INLINE},
    {"kbd", MARKUP_INLINE},
    {"langconvert", MARKUP_INLINE},
    {"li", MARKUP_ITEM},
    {"link", MARKUP_INLINE},
    {"mapframe", MARKUP_HIDDEN},
    {"maplink", MARKUP_HIDDEN},
    {"mark", MARKUP_INLINE},
    {"math", MARKUP_HIDDEN},
    {"meta", MARKUP_INLINE},
    {"noinclude", MARKUP_INLINE},
    {"nowiki", MARKUP_NOWIKI},
    {"ol", MARKUP_BLOCK},
    {"onlyinclude", MARKUP_INLINE},
    {"p", MARKUP_BLOCK},
    {"poem", MARKUP_BLOCK},
    {"pre", MARKUP_VERBATIM},
    {"q", MARKUP_INLINE},
    {"rb", MARKUP_INLINE},
    {"ref", MARKUP_REF},
    {"references", MARKUP_REFERENCES},
    {"rp", MARKUP_INLINE},
    {"rt", MARKUP_INLINE},
    {"rtc", MARKUP_INLINE},
    {"ruby", MARKUP_INLINE},
    {"s", MARKUP_INLINE},
    {"samp", MARKUP_INLINE},
    {"score", MARKUP_HIDDEN},
    {"section", MARKUP_INLINE},
    {"small", MARKUP_INLINE},
    {"source", MARKUP_VERBATIM},
    {"span", MARKUP_INLINE},
    {"strike", MARKUP_INLINE},
    {"strong", MARKUP_INLINE},
    {"sub", MARKUP_INLINE},
    {"sup", MARKUP_INLINE},
    {"syntaxhighlight", MARKUP_VERBATIM},
    {"table", MARKUP_TABLE},
    {"tbody", MARKUP_BLOCK},
    {"td", MARKUP_CELL},
    {"templatedata", MARKUP_HIDDEN},
    {"templatestyles", MARKUP_HIDDEN},
    {"tfoot", MARKUP_BLOCK},
    {"th", MARKUP_CELL},
    {"thead", MARKUP_BLOCK},
    {"time", MARKUP_INLINE},
    {"timeline", MARKUP_HIDDEN},
    {"tr", MARKUP_BLOCK},
    {"tt", MARKUP_INLINE},
    {"u", MARKUP_INLINE},
    {"ul", MARKUP_BLOCK},
    {"var", MARKUP_INLINE},
    {"wbr", MARKUP_INLINE},
};

#define COUNT(array) (sizeof(array) / sizeof *(array))
_Static_assert(COUNT(tags) <= MARKUP_TAGS, "a tag's number is below MARKUP_TAGS");

/* The place of a key of length bytes in rows of size bytes that begin with a name; count where
 * there is none. */
static size_t look_up(const char *key, const void *rows, size_t size, size_t count) {
    size_t low = 0, high = count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        int order = strcmp(key, (const char *)rows + middle * size);
        if (order == 0) return middle;
        if (order < 0)
            high = middle;
        else
            low = middle + 1;
    }
    return count;
}

uint32_t markup_tag(const uint8_t *name, size_t length) {
    char key[MARKUP_TAG_NAME + 1];
    if (length > MARKUP_TAG_NAME) return 0;
    for (size_t i = 0; i < length; i++)
        key[i] = (char)(name[i] >= 'A' && name[i] <= 'Z' ? name[i] | 0x20 : name[i]);
    key[length] = 0;
    size_t found = look_up(key, tags, sizeof *tags, COUNT(tags));
    return found < COUNT(tags) ? (uint32_t)found : 0;
}

markup_kind markup_tag_kind(uint32_t tag) { return tags[tag].kind; }

static size_t encode(uint32_t code, uint8_t out[4]) {
    size_t more = 0u + (code >= 0x80) + (code >= 0x800) + (code >= 0x10000);
    if (!more) {
        out[0] = (uint8_t)code;
        return 1;
    }
    for (size_t i = more; i > 0; i--, code >>= 6) out[i] = (uint8_t)(0x80 | (code & 0x3F));
    out[0] = (uint8_t)(0xFF00u >> (more + 1) | code);
    return more + 1;
}

static int letter_or_digit(uint8_t c) {
    return (c >= '0' && c <= '9') || ((c | 0x20) >= 'a' && (c | 0x20) <= 'z');
}

/* The value of a digit, or 16. */
static uint32_t digit(uint8_t c) {
    if (c >= '0' && c <= '9') return c - '0';
    return (c | 0x20) >= 'a' && (c | 0x20) <= 'f' ? (c | 0x20u) - 'a' + 10 : 16;
}

static size_t numbered(const uint8_t *text, size_t length, uint8_t out[4], size_t *size) {
    size_t hex = length > 2 && (text[2] | 0x20) == 'x', first = 2 + hex, at = first;
    uint32_t base = hex ? 16 : 10, code = 0;
    for (; at < length && at < first + 8 && digit(text[at]) < base; at++)
        code = code * base + digit(text[at]);
    if (at == first || at == length || text[at] != ';') return 0;
    if (code == 0 || code > 0x10FFFF || (code >= 0xD800 && code <= 0xDFFF)) code = 0xFFFD;
    *size = encode(code, out);
    return at + 1;
}

size_t markup_reference(const uint8_t *text, size_t length, uint8_t out[4], size_t *size) {
    char key[HTML_ENTITY_NAME + 1];
    size_t at = 1;
    if (length > 1 && text[1] == '#') return numbered(text, length, out, size);
    for (; at < length && at <= HTML_ENTITY_NAME && letter_or_digit(text[at]); at++)
        key[at - 1] = (char)text[at];
    key[at - 1] = 0;
    if (at == length || text[at] != ';') return 0;
    size_t found = look_up(key, html_entities, sizeof *html_entities, COUNT(html_entities));
    if (found == COUNT(html_entities)) return 0;
    *size = encode(html_entities[found].code, out);
    return at + 1;
}

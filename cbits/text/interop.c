/* The term stream `interop` (docs/format.md 7.2): the tokens of the interoperability draft, as they
 * stand in the text. */
#include "text/interop.h"

#include "base/utf8.h"
#include "text/unicode/unicode_ranges.h"

enum { CLASS_OTHER, CLASS_WORD, CLASS_LETTER, CLASS_REMOVED };

/* The class of a code point: that of the last range which begins at or before it. */
static uint32_t kind_of(uint32_t code) {
    uint32_t low = 0, high = UNICODE_RANGES;
    while (high - low > 1) {
        uint32_t middle = (low + high) / 2;
        if (unicode_ranges[middle] >> 2 <= code)
            low = middle;
        else
            high = middle;
    }
    return unicode_ranges[low] & 3;
}

static uint32_t class_of_ascii(uint32_t code) {
    if ((code | 0x20) - 'a' < 26) return CLASS_LETTER;
    return code - '0' < 10 || code == '_' ? CLASS_WORD : CLASS_OTHER;
}

static int is_digit(uint32_t byte) { return byte - '0' < 10; }
static int is_plain(uint32_t byte) {
    return is_digit(byte) || (byte | 0x20) - 'a' < 26;
} /* an ASCII letter or digit */

/* Does RFC 3986 allow it? */
static int is_of_urls(uint32_t byte) {
    static const char marks[] = "-._~:/?#[]@!$&'()*+,;=%";
    for (uint32_t i = 0; i < sizeof marks - 1; i++)
        if (byte == (uint8_t)marks[i]) return 1;
    return is_plain(byte);
}

/* Behind `words`, in lower case, if the text at `at` begins so in whatever case; else NULL. */
static const uint8_t *behind(const uint8_t *at, const uint8_t *end, const char *words) {
    for (; *words; at++, words++)
        if (at == end ||
            (*at != (uint8_t)*words && (!is_plain(*at) || (*at | 0x20) != (uint8_t)*words)))
            return NULL;
    return at;
}

/* Behind 10., four to nine digits and a slash; else NULL. */
static const uint8_t *behind_doi(const uint8_t *at, const uint8_t *end) {
    uint32_t digits = 0;
    if (!(at = behind(at, end, "10."))) return NULL;
    for (; at != end && is_digit(*at) && digits < 10; at++) digits++;
    return digits >= 4 && digits <= 9 ? behind(at, end, "/") : NULL;
}

/* Behind the groups of a UUID, 8-4-4-4-12; else NULL. */
static const uint8_t *behind_uuid(const uint8_t *at, const uint8_t *end) {
    for (uint32_t i = 0; i < 36; i++, at++) {
        int hyphen = i == 8 || i == 13 || i == 18 || i == 23;
        if (at == end || (hyphen ? *at != '-' : !is_digit(*at) && (*at | 0x20u) - 'a' >= 6))
            return NULL;
    }
    return at;
}

/* Behind a digit, 7 to 17 digits and hyphens, and an X, as ISSN, ISBN and ORCID end; else NULL. */
static const uint8_t *behind_checked(const uint8_t *at, const uint8_t *end) {
    uint32_t count = 0;
    for (; at != end && count < 19 && (is_digit(*at) || (*at == '-' && count)); at++) count++;
    return count >= 8 && count <= 18 ? behind(at, end, "x") : NULL;
}

/* Behind the URL or identifier at `at`, a letter or digit that follows none; `at` itself where
 * there is none. */
static const uint8_t *behind_name(const uint8_t *at, const uint8_t *end) {
    static const char *const before[] = {"arxiv:", "doi:", "hdl:", "mailto:", "urn:", "www."};
    const uint8_t *run = at, *found = NULL, *past;
    while (run != end && is_plain(*run)) run++;
    for (size_t i = 0; i < sizeof before / sizeof *before && !found; i++)
        found = behind(at, end, before[i]);
    if (!found) found = behind(run, end, "://");
    if (!found) found = behind_doi(at, end);
    if (found) {
        for (past = found; past != end && is_of_urls(*past); past++) continue;
        return past > found ? past : at;
    }
    if (!(past = behind_uuid(at, end))) past = behind_checked(at, end);
    return past && (past == end || !is_plain(*past)) ? past : at;
}

int interop_next(term_stream *t) {
    while (t->text != t->end) {
        uint32_t limit = TERM_BYTES, class = CLASS_WORD;
        int letter = 0, within = 0; /* within: the code point before is an ASCII letter or digit */
        t->length = 0;
        while (t->text != t->end && class != CLASS_OTHER) {
            if (!within && is_plain(*t->text)) {
                const uint8_t *past = behind_name(t->text, t->end);
                if (past != t->text) {
                    t->text = past;
                    break;
                }
            }
            uint32_t code = utf8_decode(&t->text, t->end);
            within = is_plain(code);
            class = code < 0x80 ? class_of_ascii(code) : kind_of(code);
            if (class == CLASS_OTHER || class == CLASS_REMOVED) continue;
            uint32_t length = t->length + utf8_encode(t->bytes + t->length, code);
            if (length > limit)
                limit = t->length;
            else {
                t->length = length;
                letter |= class == CLASS_LETTER;
            }
        }
        if (letter) return 1;
    }
    return 0;
}

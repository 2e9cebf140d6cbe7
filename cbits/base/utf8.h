/* UTF-8, reading and writing. */
#ifndef POCKET_UTF8_H
#define POCKET_UTF8_H

#include <stddef.h>
#include <stdint.h>

/* The code point at *text, before end; *text moves behind it. Every maximal ill-formed part is
 * U+FFFD. */
static inline uint32_t utf8_decode(const uint8_t **text, const uint8_t *end) {
    const uint8_t *at = *text;
    uint32_t lead = *at++, low = 0x80, high = 0xBF;
    *text = at;
    if (lead < 0x80) return lead;
    if (lead < 0xC2 || lead > 0xF4) return 0xFFFD;
    uint32_t more = 1u + (lead >= 0xE0) + (lead >= 0xF0), code = lead & 0x3Fu >> more;
    /* Only the second byte can make an overlong form, a surrogate or a code point beyond the last.
     */
    if (lead == 0xE0) low = 0xA0;
    if (lead == 0xED) high = 0x9F;
    if (lead == 0xF0) low = 0x90;
    if (lead == 0xF4) high = 0x8F;
    for (; more; more--, low = 0x80, high = 0xBF) {
        if (at == end || *at < low || *at > high) {
            code = 0xFFFD;
            break;
        }
        code = code << 6 | (*at++ & 0x3Fu);
    }
    *text = at;
    return code;
}

/* Write a code point; returns its bytes, 1 .. 4. */
static inline uint32_t utf8_encode(uint8_t *to, uint32_t code) {
    if (code < 0x80) {
        to[0] = (uint8_t)code;
        return 1;
    }
    uint32_t more = 1u + (code >= 0x800) + (code >= 0x10000);
    to[0] = (uint8_t)(0xFF00u >> (more + 1) | code >> 6 * more);
    for (uint32_t i = 1; i <= more; i++)
        to[i] = (uint8_t)(0x80u | (code >> 6 * (more - i) & 0x3Fu));
    return 1 + more;
}

/* A place in a text, between code points: how many bytes and code points lie before it. A module
 * for the web, which is to be small, counts no code points: a page has its places by bytes. */
typedef struct text_place {
    uint32_t bytes;
#ifndef POCKET_FREESTANDING
    uint32_t points;
#endif
} text_place;

/* Returns the place of a byte, counted from another place. */
#ifdef POCKET_FREESTANDING
#define place_at(text, from, end) ((text_place){end})
#else
text_place place_at(const uint8_t *text, text_place from, uint32_t bytes);
#endif

/* Is it UTF-8? Shortest forms only, no surrogates, nothing beyond U+10FFFF. */
int is_utf8(const uint8_t *bytes, size_t length);

#endif

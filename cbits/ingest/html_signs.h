/* The marks of headings and items, which html_marks.c writes and html_lines.c reads, and white
 * space. */
#ifndef POCKET_HTML_SIGNS_H
#define POCKET_HTML_SIGNS_H

#include <stdbool.h>

#include "ingest/pocket_ingest.h"

/* Whether one stands at a place: three times. */
static inline bool pocket_html_is_sign(const uint8_t *text, size_t length, size_t at) {
    const uint8_t *c = text + at;
    if (*c != POCKET_HTML_HEADING_MARK && *c != POCKET_HTML_ITEM_MARK) return false;
    return length - at >= 3 && c[1] == *c && c[2] == *c;
}

/* The bytes of the white space at a place, as Unicode has it (White_Space, and U+001C to U+001F as
 * Python has it); 0 where there is none. */
static inline size_t pocket_html_space(const uint8_t *text, size_t length, size_t at) {
    const uint8_t *c = text + at;
    size_t left = length - at;
    if (*c <= ' ') return *c == ' ' || (*c >= 9 && *c <= 13) || *c >= 28;
    if (*c < 0xC2 || *c > 0xE3 || left < 2) return 0;
    if (*c == 0xC2) return c[1] == 0x85 || c[1] == 0xA0 ? 2 : 0;
    if (left < 3) return 0;
    bool is = false;
    if (*c == 0xE1) is = c[1] == 0x9A && c[2] == 0x80;
    if (*c == 0xE2 && c[1] == 0x80)
        is = (c[2] >= 0x80 && c[2] <= 0x8A) || c[2] == 0xA8 || c[2] == 0xA9 || c[2] == 0xAF;
    if (*c == 0xE2 && c[1] == 0x81) is = c[2] == 0x9F;
    if (*c == 0xE3) is = c[1] == 0x80 && c[2] == 0x80;
    return is ? 3 : 0;
}

#endif

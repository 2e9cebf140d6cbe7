/* The marks of headings and items, which html_marks.c writes and html_lines.c reads. */
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

#endif

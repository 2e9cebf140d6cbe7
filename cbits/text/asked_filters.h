/* Filters of a question: label:x, lang:x, -label:x (docs/format.md, section 10). */
#ifndef POCKET_ASKED_FILTERS_H
#define POCKET_ASKED_FILTERS_H

#include <stdint.h>

#define MOST_FILTERS 16u

/* from .. to: all of it; start .. end: its value; in bytes of its text. */
typedef struct asked_filter {
    const uint8_t *text;
    uint64_t from, to, start, end;
    int excluded, language;
} asked_filter;

/* Add the filters of a text to those that are there; *capped becomes 1 where it has more. */
void asked_filters_add(asked_filter *filters, uint32_t *count, const uint8_t *text, uint64_t length,
                       int *capped);

/* White space, as far as it parts what is typed. */
static inline int is_space(uint8_t byte) { return byte == ' ' || (byte >= 9 && byte <= 13); }

/* Bytes of the quotation mark here, 0 where there is none: " and U+201C, U+201D, U+201E. */
uint32_t mark_at(const uint8_t *p, const uint8_t *end);
/* The next quotation mark from p on, or the end. */
const uint8_t *next_mark(const uint8_t *p, const uint8_t *end);

#endif

#include "text/asked_filters.h"

uint32_t mark_at(const uint8_t *p, const uint8_t *end) {
    if (p < end && *p == '"') return 1;
    return end - p >= 3 && p[0] == 0xE2 && p[1] == 0x80 && p[2] >= 0x9C && p[2] <= 0x9E ? 3 : 0;
}

const uint8_t *next_mark(const uint8_t *p, const uint8_t *end) {
    while (p < end && !mark_at(p, end)) p++;
    return p;
}

/* Bytes of the name here, with its colon: of letters of either case. */
static uint32_t name_at(const uint8_t *p, const uint8_t *end, const char *name) {
    uint32_t i = 0;
    for (; name[i]; i++)
        if (p + i >= end || (name[i] == ':' ? p[i] : p[i] | 32) != (uint8_t)name[i]) return 0;
    return i;
}

/* Read the filter that begins here; returns where the text goes on, NULL where there is none. */
static const uint8_t *read_filter(asked_filter *f, const uint8_t *text, const uint8_t *p,
                                  const uint8_t *end) {
    *f = (asked_filter){.text = text, .from = (uint64_t)(p - text), .excluded = *p == '-'};
    p += f->excluded;
    uint32_t size = name_at(p, end, "label:"), mark;
    if (!size) f->language = (size = name_at(p, end, "lang:")) != 0;
    if (!size) return 0;
    p += size;
    const uint8_t *start = p + (mark = mark_at(p, end));
    if (mark)
        p = next_mark(start, end);
    else
        while (p < end && !is_space(*p)) p++;
    if (p == start || (mark && p == end)) return 0;
    f->start = (uint64_t)(start - text);
    f->end = (uint64_t)(p - text);
    if (mark) p += mark_at(p, end);
    f->to = (uint64_t)(p - text);
    return p;
}

void asked_filters_add(asked_filter *filters, uint32_t *count, const uint8_t *text, uint64_t length,
                       int *capped) {
    const uint8_t *p = text, *end = text + length;
    while (p < end) {
        asked_filter own;
        const uint8_t *behind =
            p == text || is_space(p[-1]) ? read_filter(&own, text, p, end) : 0;
        if (behind && *count == MOST_FILTERS) {
            *capped = 1;
            return;
        }
        if (behind) filters[(*count)++] = own;
        uint32_t mark = mark_at(p, end);
        if (!behind && mark) { /* nothing in a quote is one */
            const uint8_t *closed = next_mark(p + mark, end);
            if (closed < end) behind = closed + mark_at(closed, end);
        }
        p = behind ? behind : p + 1;
    }
}

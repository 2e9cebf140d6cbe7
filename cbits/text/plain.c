#include "text/plain.h"

#include "base/memory.h"
#include "base/utf8.h"
#include "text/marks.h"
#include "text/unicode/unicode_plain.h"

/* The row of a letter, or the one where it would stand. */
static const uint16_t *plain_row(uint32_t code) {
    uint32_t low = 0, high = UNICODE_PLAIN;
    while (low + 1 < high) {
        uint32_t middle = (low + high) / 2;
        if (unicode_plain[3 * middle] <= code)
            low = middle;
        else
            high = middle;
    }
    return unicode_plain + 3 * low;
}

uint32_t plain_spelling(const uint8_t *word, uint32_t length, uint8_t *out) {
    const uint8_t *p = word, *end = word + length;
    uint32_t size = 0;
    while (p < end) {
        const uint8_t *from = p;
        uint32_t code = utf8_decode(&p, end);
        if (is_kept_mark(code)) continue;
        const uint16_t *row = plain_row(code);
        if (row[0] != code) {
            memcpy(out + size, from, (size_t)(p - from)); /* not encoded: it may be ill-formed */
            size += (uint32_t)(p - from);
        } else {
            for (uint32_t i = 1; i < 3 && row[i]; i++) size += utf8_encode(out + size, row[i]);
        }
    }
    if (!size) memcpy(out, word, size = length);
    return size;
}

/* The term stream `interop` (docs/format.md 7.2): the tokens of the interoperability draft, as they stand in the text. */
#include "terms.h"

#include "unicode_ranges.h"
#include "utf8.h"

enum { CLASS_OTHER, CLASS_WORD, CLASS_LETTER, CLASS_REMOVED };

/* The class of a code point: that of the last range which begins at or before it. */
static uint32_t kind_of(uint32_t code) {
    uint32_t low = 0, high = UNICODE_RANGES;
    while (high - low > 1) {
        uint32_t middle = (low + high) / 2;
        if (unicode_ranges[middle] >> 2 <= code) low = middle;
        else high = middle;
    }
    return unicode_ranges[low] & 3;
}

static uint32_t class_of_ascii(uint32_t code) {
    if ((code | 0x20) - 'a' < 26) return CLASS_LETTER;
    return code - '0' < 10 || code == '_' ? CLASS_WORD : CLASS_OTHER;
}

int interop_next(pocket_terms *t) {
    while (t->text != t->end) {
        uint32_t limit = POCKET_TERM_BYTES, class = CLASS_WORD;
        int letter = 0;
        t->length = 0;
        while (t->text != t->end && class != CLASS_OTHER) {
            uint32_t code = utf8_decode(&t->text, t->end);
            class = code < 0x80 ? class_of_ascii(code) : kind_of(code);
            if (class == CLASS_OTHER || class == CLASS_REMOVED) continue;
            uint32_t length = t->length + utf8_encode(t->bytes + t->length, code);
            if (length > limit) limit = t->length;
            else {
                t->length = length;
                letter |= class == CLASS_LETTER;
            }
        }
        if (letter) return 1;
    }
    return 0;
}

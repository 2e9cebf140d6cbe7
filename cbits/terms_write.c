/* The terms of a text in a row of lines: for the builder and for tests. */
#include "memory.h"
#include "pocket_build.h"
#include "profile.h"
#include "terms.h"

uint32_t pocket_terms_write(const uint8_t *text, uint64_t length, uint32_t stream, uint8_t *out, uint64_t capacity, uint64_t *out_length) {
    pocket_terms terms;
    uint64_t at = 0;
    *out_length = 0;
    if (stream < POCKET_FOLDED || stream > POCKET_EVERY_WORD) return POCKET_BAD_ARGUMENT;
    if (length > POCKET_MAX_TEXT) return POCKET_TEXT_TOO_LONG;
    pocket_terms_begin(&terms, text, length, stream);
    while (pocket_terms_next(&terms)) {
        if (capacity >= at && capacity - at > terms.length) {
            memcpy(out + at, terms.bytes, terms.length);
            out[at + terms.length] = '\n';
        }
        at += terms.length + 1;
    }
    *out_length = at;
    return at <= capacity ? POCKET_OK : POCKET_BAD_ARGUMENT;
}

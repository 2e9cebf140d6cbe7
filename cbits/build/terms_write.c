/* The terms of a text in a row of lines: for the builder and for tests. */
#include "base/memory.h"
#include "build/pocket_build.h"
#include "sketch/profile.h"
#include "text/terms.h"

pocket_status pocket_terms_write(const uint8_t *text, uint64_t length, uint32_t stream,
                                 uint8_t *out, uint64_t capacity, uint64_t *out_length) {
    term_stream terms;
    uint64_t at = 0;
    *out_length = 0;
    if (stream < STREAM_FOLDED || stream > STREAM_EVERY_WORD) return POCKET_BAD_ARGUMENT;
    if (length > MOST_TEXT) return POCKET_TEXT_TOO_LONG;
    term_stream_begin(&terms, text, length, stream);
    while (term_stream_next(&terms)) {
        if (capacity >= at && capacity - at > terms.length) {
            memcpy(out + at, terms.bytes, terms.length);
            out[at + terms.length] = '\n';
        }
        at += terms.length + 1;
    }
    *out_length = at;
    return at <= capacity ? POCKET_OK : POCKET_BAD_ARGUMENT;
}

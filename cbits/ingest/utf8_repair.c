#include "ingest/utf8_repair.h"

#include "base/memory.h"
#include "ingest/pocket_ingest.h"

/* The bytes of the character at text, and in *good whether it is whole. */
static size_t character(const uint8_t *text, size_t length, int *good) {
    uint32_t lead = text[0], low = 0x80, high = 0xBF;
    *good = lead < 0x80;
    if (lead < 0xC2 || lead > 0xF4) return 1;
    size_t size = 2u + (lead >= 0xE0) + (lead >= 0xF0);
    /* Only the second byte can make an overlong form, a surrogate or a code point beyond the last.
     */
    if (lead == 0xE0) low = 0xA0;
    if (lead == 0xED) high = 0x9F;
    if (lead == 0xF0) low = 0x90;
    if (lead == 0xF4) high = 0x8F;
    for (size_t i = 1; i < size; i++, low = 0x80, high = 0xBF)
        if (i == length || text[i] < low || text[i] > high) return i;
    *good = 1;
    return size;
}

size_t utf8_repair(const uint8_t *text, size_t length, uint8_t *out) {
    size_t written = 0, start = 0, at = 0; /* from start on all is well */
    while (at < length) {
        uint64_t eight;
        while (length - at >= sizeof eight &&
               (memcpy(&eight, text + at, sizeof eight), (eight & 0x8080808080808080u) == 0))
            at += sizeof eight;
        if (at == length) break;
        int good;
        size_t size = character(text + at, length - at, &good);
        if (!good) {
            if (out) memcpy(out + written, text + start, at - start);
            written += at - start;
            if (out) memcpy(out + written, "\xEF\xBF\xBD", 3);
            written += 3;
            start = at + size;
        }
        at += size;
    }
    if (out && at > start) memcpy(out + written, text + start, at - start);
    return written + (at - start);
}

/* One copy of what several files ask. */
#include "base/utf8.h"

#include "base/bytes.h"

#ifndef POCKET_FREESTANDING

/* How many code points begin in these bytes, eight at a time. */
static uint32_t count_points(const uint8_t *from, const uint8_t *to) {
    uint32_t count = 0;
    for (; to - from >= 8; from += 8) {
        uint64_t eight = load64(from), ones = 0x0101010101010101u;
        uint64_t others = eight >> 7 & ~(eight >> 6) & ones;
        count += 8 - (uint32_t)(others * ones >> 56);
    }
    for (; from < to; from++) count += (*from & 0xC0) != 0x80;
    return count;
}

text_place place_at(const uint8_t *text, text_place from, uint32_t bytes) {
    uint32_t points = bytes < from.bytes
                          ? from.points - count_points(text + bytes, text + from.bytes)
                          : from.points + count_points(text + from.bytes, text + bytes);
    return (text_place){bytes, points};
}

#endif

int is_utf8(const uint8_t *bytes, size_t length) {
    for (size_t i = 0; i < length;) {
        /* Most text is ASCII, which passes eight bytes at a time. */
        if (length - i >= 8 && !(load64(bytes + i) & 0x8080808080808080u)) {
            i += 8;
            continue;
        }
        uint32_t lead = bytes[i++], least = 0x80, point, more;
        if (lead < 0x80) continue;
        if (lead < 0xC2 || lead > 0xF4) return 0;
        more = 1u + (lead >= 0xE0) + (lead >= 0xF0);
        if (more == 2) least = 0x800;
        if (more == 3) least = 0x10000;
        point = lead & (0x3Fu >> more);
        if (more > length - i) return 0;
        for (; more > 0; more--) {
            if ((bytes[i] & 0xC0) != 0x80) return 0;
            point = point << 6 | (bytes[i++] & 0x3Fu);
        }
        if (point < least || point > 0x10FFFF || (point >= 0xD800 && point <= 0xDFFF)) return 0;
    }
    return 1;
}

/* One copy of what several files ask. */
#include "base/utf8.h"

#include "base/bytes.h"

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

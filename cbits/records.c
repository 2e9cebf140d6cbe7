/* The records of the documents section, out of the heads that the builder's spool has. */
#include "bytes.h"
#include "memory.h"
#include "pocket_build.h"

#define SIZES 8u /* bytes of id, title, url and language, 2 each */

static uint8_t *put_field(uint8_t *out, const uint8_t *field, uint32_t size) {
    for (uint32_t left = size;; left >>= 7) {
        *out++ = (uint8_t)(left < 0x80 ? left : (left & 0x7F) | 0x80);
        if (left < 0x80) break;
    }
    memcpy(out, field, size);
    return out + size;
}

void pocket_document_records(const uint8_t *heads, const uint64_t *ends, const uint8_t *kept, size_t count, uint8_t *out, uint64_t *out_ends) {
    uint8_t *to = out;
    uint64_t start = 0;
    for (size_t i = 0; i < count; start = ends[i++]) {
        const uint8_t *sizes = heads + start, *field = sizes + SIZES;
        if (!kept[i]) continue;
        for (int part = 0; part < 3; part++) {
            uint32_t size = load16(sizes + 2 * part);
            to = put_field(to, field, size);
            field += size;
        }
        *out_ends++ = (uint64_t)(to - out);
    }
}

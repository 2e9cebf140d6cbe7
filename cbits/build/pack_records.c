/* The records of the documents section before they are packed, out of the heads that the builder's
 * spool has. */
#include "base/bytes.h"
#include "base/memory.h"
#include "build/pocket_build.h"
#include "file/stored/symbols.h"

enum { ID, TITLE, URL, SIZES = 10 }; /* bytes of id, title, url, language and labels, 2 each */

void pocket_document_records(const uint8_t *heads, const uint64_t *ends, size_t count, uint8_t *out,
                             uint64_t *out_ends) {
    static const int order[] = {TITLE, ID, URL};
    uint8_t *to = out;
    uint64_t start = 0;
    for (size_t i = 0; i < count; start = ends[i++]) {
        const uint8_t *head = heads + start, *field[3] = {head + SIZES};
        for (int part = TITLE; part <= URL; part++)
            field[part] = field[part - 1] + load16(head + 2 * (part - 1));
        for (int k = 0; k < 3; k++) {
            uint32_t size = load16(head + 2 * order[k]);
            if (k == 2 && size == 0) continue;
            if (k > 0) *to++ = FIELD_END;
            memcpy(to, field[order[k]], size);
            to += size;
        }
        *out_ends++ = (uint64_t)(to - out);
    }
}

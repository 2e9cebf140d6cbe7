/* The documents of a finished file, as the heads that the builder's spool has. */
#include "base/bytes.h"
#include "base/hashes/hash.h"
#include "base/memory.h"
#include "build/pocket_build.h"
#include "file/stored/symbols.h"

enum { TITLE, ID, URL, FIELDS, SIZES = 10 };

static const uint32_t most[FIELDS] = {8192, 1024, 8192};

/* Unpack the record at from to out; returns where the next one begins, NULL where it is none. A
 * field that is too long is one of a file that nobody has built: what is read stays short. */
static const uint8_t *unpack(const uint8_t *const *symbols, const uint8_t *lengths, uint32_t count,
                             const uint8_t *from, const uint8_t *end, uint8_t *out,
                             uint32_t sizes[FIELDS]) {
    uint32_t field = TITLE;
    memset(sizes, 0, FIELDS * sizeof *sizes);
    for (uint8_t *to = out; from < end;) {
        uint8_t code = *from++, literal;
        const uint8_t *bytes = &literal;
        uint32_t size = 1;
        if (code == SYMBOL_END) return field >= ID && sizes[ID] > 0 ? from : NULL;
        if (code == SYMBOL_LITERAL) {
            if (from == end || *from == SYMBOL_END) return NULL;
            literal = *from++;
        } else if (code < count) {
            bytes = symbols[code];
            size = lengths[code];
        } else
            return NULL;
        for (uint32_t i = 0; i < size; i++) {
            if (bytes[i] == FIELD_END) {
                if (++field == FIELDS) return NULL;
            } else if (sizes[field]++ == most[field])
                return NULL;
            else
                *to++ = bytes[i];
        }
    }
    return NULL;
}

pocket_status pocket_document_heads(const uint8_t *table, uint32_t symbol_count,
                                    const uint8_t *packed, uint64_t length, const uint8_t *labels,
                                    const uint64_t *label_ends, size_t count, uint8_t *out,
                                    uint64_t *out_ends, uint64_t *hashes) {
    uint8_t record[8192 + 1024 + 8192];
    const uint8_t *symbols[SYMBOLS], *from = packed, *end = packed + length;
    const uint8_t *symbol = table + symbol_count;
    uint8_t *to = out;
    for (uint32_t i = 0; i < symbol_count; symbol += table[i++]) symbols[i] = symbol;
    for (size_t i = 0; i < count; i++) {
        uint32_t sizes[FIELDS];
        uint64_t label = i ? label_ends[i - 1] : 0, label_size = label_ends[i] - label;
        from = unpack(symbols, table, symbol_count, from, end, record, sizes);
        if (!from) return POCKET_DAMAGED_FIELD;
        store16(to, sizes[ID]);
        store16(to + 2, sizes[TITLE]);
        store16(to + 4, sizes[URL]);
        store16(to + 6, 0); /* the language is not in the file */
        store16(to + 8, (uint32_t)label_size);
        to += SIZES;
        memcpy(to, record + sizes[TITLE], sizes[ID]);
        hashes[i] = murmur(to, sizes[ID]);
        to += sizes[ID];
        memcpy(to, record, sizes[TITLE]);
        to += sizes[TITLE];
        memcpy(to, record + sizes[TITLE] + sizes[ID], sizes[URL]);
        to += sizes[URL];
        memcpy(to, labels + label, (size_t)label_size);
        to += label_size;
        out_ends[i] = (uint64_t)(to - out);
    }
    return from == end ? POCKET_OK : POCKET_DAMAGED_FIELD;
}

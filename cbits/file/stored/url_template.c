/* A url out of the id and the title of a record (docs/format.md, section 5). */
#include "file/stored/url_template.h"

#include "base/memory.h"

static int keeps(uint8_t c) {
    return (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '-' ||
           c == '.' || c == '_' || c == '~' || c == '/';
}

/* Append bytes, percent-encoded; to is NULL to count only. */
static uint32_t percent_encode(const uint8_t *bytes, uint32_t length, char *to) {
    static const char digits[] = "0123456789ABCDEF";
    uint32_t size = 0;
    for (uint32_t i = 0; i < length; i++) {
        if (keeps(bytes[i])) {
            if (to) to[size] = (char)bytes[i];
            size++;
        } else {
            if (to) {
                to[size] = '%';
                to[size + 1] = digits[bytes[i] >> 4];
                to[size + 2] = digits[bytes[i] & 15];
            }
            size += 3;
        }
    }
    return size;
}

uint32_t url_expand(const pocket_index *x, const record *r, char *to) {
    uint32_t size = 0, i = 0;
    while (i < x->template_length) {
        const char *at = x->url_template + i;
        uint32_t left = x->template_length - i;
        if (left >= 4 && !memcmp(at, "{id}", 4)) {
            size += percent_encode(r->id, r->id_length, to ? to + size : NULL);
            i += 4;
        } else if (left >= 7 && !memcmp(at, "{title}", 7)) {
            size += percent_encode(r->title, r->title_length, to ? to + size : NULL);
            i += 7;
        } else {
            if (to) to[size] = *at;
            size++;
            i++;
        }
    }
    return size;
}

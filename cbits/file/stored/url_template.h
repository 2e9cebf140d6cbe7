/* A document's record, and the url that a template makes of it (docs/format.md, section 5). */
#ifndef POCKET_URL_TEMPLATE_H
#define POCKET_URL_TEMPLATE_H

#include "file/container.h"

typedef struct record {
    const uint8_t *id, *title, *url;
    uint32_t id_length, title_length, url_length;
} record;

/* Write the url that the file's template makes of a record; to: NULL to count only. Returns its
 * bytes. */
uint32_t url_expand(const pocket_index *x, const record *r, char *to);

#endif

/* Document blocks and records, for documents.c and verify.c. */
#ifndef POCKET_DOCUMENTS_FILE_H
#define POCKET_DOCUMENTS_FILE_H

#include "container.h"

typedef struct record {
    const uint8_t *id, *title, *url;
    uint32_t id_length, title_length, url_length;
} record;

/* The inflated content of a block of documents; free it with pocket_free. */
uint32_t content_get(const pocket_index *x, uint32_t block, int no_cache, uint8_t **content, uint32_t *length, pocket_error *error);
/* The next record of a content; 0 when the bytes are none. */
int record_next(const uint8_t **at, const uint8_t *end, record *r);

#endif

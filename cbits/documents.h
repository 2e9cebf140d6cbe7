/* Deflated blocks and their records, for documents.c, texts.c and verify.c. */
#ifndef POCKET_DOCUMENTS_FILE_H
#define POCKET_DOCUMENTS_FILE_H

#include "container.h"

typedef struct record {
    const uint8_t *id, *title, *url;
    uint32_t id_length, title_length, url_length;
} record;

#define MAX_CONTENT 1048576u /* of a block of documents */

typedef struct field {
    const uint8_t *bytes;
    uint32_t length;
} field;

/* The inflated content, of at most so many bytes, of a block of documents or texts; free it with pocket_free. */
uint32_t content_get(const pocket_index *x, uint32_t kind, uint32_t block, uint32_t most, int no_cache, uint8_t **content, uint32_t *length, pocket_error *error);
/* A length and so many bytes; 0 when the bytes from *at are none, or more than most. */
int field_next(const uint8_t **at, const uint8_t *end, uint32_t most, field *f);
/* The next record of a content; 0 when the bytes are none. */
int record_next(const uint8_t **at, const uint8_t *end, record *r);

#endif

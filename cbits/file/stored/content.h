/* Deflated blocks and their fields, for texts.c and titles.c. */
#ifndef POCKET_CONTENT_H
#define POCKET_CONTENT_H

#include "file/container.h"

#define MAX_CONTENT 1048576u /* the highest room of a block */

typedef struct field {
    const uint8_t *bytes;
    uint32_t length;
} field;

/* The inflated content, of at most so many bytes, of a block of texts or titles; free it with
 * pocket_free. */
uint32_t content_get(const pocket_index *x, uint32_t kind, uint32_t block, uint32_t most,
                     int no_cache, uint8_t **content, uint32_t *length, pocket_error *error);
/* A length and so many bytes; 0 when the bytes from *at are none, or more than most. */
int field_next(const uint8_t **at, const uint8_t *end, uint32_t most, field *f);

#endif

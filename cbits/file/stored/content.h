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
                     int no_cache, uint8_t **bytes, uint32_t *length, pocket_error *error);
/* The content of a block, of which as much is inflated as is read. */
typedef struct content {
    const pocket_index *index;
    struct inflater *inflater;
    uint8_t *bytes; /* NULL: none is open */
    uint32_t length, kind, block, ready;
} content;

/* Open the content of a block, of at most so many bytes; the one before is closed. */
uint32_t content_open(content *c, uint32_t kind, uint32_t block, uint32_t most, int no_cache,
                      pocket_error *error);
/* Inflate up to a place, or to the end. */
uint32_t content_until(content *c, uint32_t place, pocket_error *error);
void content_close(content *c);
/* A length and so many bytes; 0 when the bytes from *at are none, or more than most. */
int field_next(const uint8_t **at, const uint8_t *end, uint32_t most, field *f);

#endif

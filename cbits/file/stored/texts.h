/* The texts section, for container.c and verify.c. */
#ifndef POCKET_TEXTS_FILE_H
#define POCKET_TEXTS_FILE_H

#include "file/stored/content.h"

/* Check the section's head and keep its parameters. */
uint32_t texts_open(pocket_index *x, const section *s, pocket_error *error);
/* Read and check every text. */
uint32_t texts_verify(const pocket_index *x, pocket_error *error);

/* Reads one text after the other, and keeps the block that it read last: texts that lie together
 * cost one. */
typedef struct text_reader {
    const pocket_index *index;
    content content;     /* of a block of whole documents */
    pocket_text *joined; /* of a document in pieces, or NULL */
} text_reader;

/* Read the text of a document (< documents) of a file that keeps texts; it stays until the next
 * call. */
uint32_t text_reader_get(text_reader *r, uint32_t number, const uint8_t **bytes, uint32_t *length,
                         pocket_error *error);
void text_reader_free(text_reader *r);

#endif

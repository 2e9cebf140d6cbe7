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
    content content;      /* of a block of whole documents */
    pocket_text *joined;  /* of a document in pieces, or NULL */
    const uint8_t *bytes; /* what was read of the current text */
    uint32_t length;
    uint32_t number, block; /* of its document; where it begins */
    uint32_t first, pieces; /* the first document of that block; 0 pieces: whole documents */
    uint32_t next, left;    /* pieces: those that were read, and those that are left */
} text_reader;

/* Begin to read the text of a document (< documents) of a file that keeps texts. Nothing is read
 * yet, and left is above 0. */
void text_reader_begin(text_reader *r, uint32_t number);
/* Read on: up to the end if the text lies in one block, or else one piece more. What was read
 * stays where it is, and consists of whole code points. left is 0 at the end. Where a piece is not
 * at hand, all that are left are asked for. */
uint32_t text_reader_more(text_reader *r, pocket_error *error);

/* Read a text; it stays until the next call. */
uint32_t text_reader_get(text_reader *r, uint32_t number, const uint8_t **bytes, uint32_t *length,
                         pocket_error *error);
void text_reader_free(text_reader *r);

#endif

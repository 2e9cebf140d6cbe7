/* The titles section, for container.c and verify.c. */
#ifndef POCKET_TITLES_FILE_H
#define POCKET_TITLES_FILE_H

#include "file/container.h"

#define TITLE_BYTES 255u /* of a title and of its key: more do not count */

/* The title key of a text; returns its length, at most TITLE_BYTES. */
uint32_t title_key(const uint8_t *text, uint64_t length, uint8_t *key);
/* Check the section's head and keep its parameters. */
uint32_t titles_open(pocket_index *x, const section *s, pocket_error *error);
/* A number for a document and its title, 0 where it has no entry: their sum over all documents is
 * that over all entries. */
uint64_t titles_mark(const uint8_t *title, uint32_t length, uint32_t document);
/* Read and check every entry. sum: of the marks of all documents. */
uint32_t titles_verify(const pocket_index *x, uint64_t sum, pocket_error *error);

#endif

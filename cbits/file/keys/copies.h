/* The copies section (docs/format.md 4.3), for open.c, query.c, texts.c and verify.c. */
#ifndef POCKET_COPIES_H
#define POCKET_COPIES_H

#include "file/container.h"

/* Documents that are copies: those from `same.first` up to `same.end` have the whole key, those of
 * `alike` around them its upper bits. */
typedef struct copies {
    stretch same, alike;
} copies;

/* Check the section's head and keep its parameters. */
uint32_t copies_open(pocket_index *x, const section *s, pocket_error *error);
/* Find the documents that are copies of a text with this key: one block for each of four bounds. */
uint32_t copies_find(const pocket_index *x, uint64_t key, copies *found, pocket_error *error);
/* The copy key of a document that has one. */
uint32_t copies_get(const pocket_index *x, uint32_t document, uint64_t *key, pocket_error *error);
/* Has a document without a sketch a copy key? */
int copies_has(const pocket_index *x, uint32_t document);
/* Read and check every copy key. */
uint32_t copies_verify(const pocket_index *x, pocket_error *error);

#endif

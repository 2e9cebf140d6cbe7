/* The labels section, for open.c and verify.c. */
#ifndef POCKET_LABELS_FILE_H
#define POCKET_LABELS_FILE_H

#include "file/container.h"

/* Check the section's head and keep its parameters. */
uint32_t labels_open(pocket_index *x, const section *s, pocket_error *error);
/* Is given a label, valid UTF-8, and returns a status: POCKET_OK to go on. */
typedef uint32_t (*name_user)(void *argument, uint32_t number, const uint8_t *bytes,
                              uint32_t length);
/* Is given a document and the numbers of its labels, rising. */
typedef void (*label_user)(void *argument, uint32_t document, const uint32_t *numbers,
                           uint32_t count);
/* Give away each label of a block of labels. POCKET_NOT_AT_HAND: the block is missed. */
uint32_t labels_names(const pocket_index *x, uint32_t block, int no_cache, name_user use,
                      void *argument, pocket_error *error);
/* Give away each document of a block of documents, which are counted from 0, with its labels.
 * POCKET_NOT_AT_HAND: the block is missed. */
uint32_t labels_documents(const pocket_index *x, uint32_t block, int no_cache, label_user use,
                          void *argument, pocket_error *error);
/* Read and check every label, and those of every document. */
uint32_t labels_verify(const pocket_index *x, pocket_error *error);

#endif

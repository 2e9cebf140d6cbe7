/* The labels section, for open.c and verify.c. */
#ifndef POCKET_LABELS_FILE_H
#define POCKET_LABELS_FILE_H

#include "file/container.h"

/* Check the section's head and keep its parameters. */
uint32_t labels_open(pocket_index *x, const section *s, pocket_error *error);
/* Read and check every label, and those of every document. */
uint32_t labels_verify(const pocket_index *x, pocket_error *error);

#endif

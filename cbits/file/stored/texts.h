/* The texts section, for container.c and verify.c. */
#ifndef POCKET_TEXTS_FILE_H
#define POCKET_TEXTS_FILE_H

#include "file/container.h"

/* Check the section's head and keep its parameters. */
uint32_t texts_open(pocket_index *x, const section *s, pocket_error *error);
/* Read and check every text. */
uint32_t texts_verify(const pocket_index *x, pocket_error *error);

#endif

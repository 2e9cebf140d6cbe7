/* The passages section (docs/format.md 6.3): which documents have a run of terms. */
#ifndef POCKET_PASSAGES_H
#define POCKET_PASSAGES_H

#include "file/container.h"

/* Check the section's head and keep its parameters. */
uint32_t passages_open(pocket_index *x, const section *s, pocket_error *error);

#endif

/* What the core asks of Microsoft's headers, which are not here: enough to check its syntax. */
#pragma once
#include <stddef.h>
void *malloc(size_t);
void *realloc(void *, size_t);
void free(void *);
void qsort(void *, size_t, size_t, int (*)(const void *, const void *));

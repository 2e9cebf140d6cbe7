/* Memory for the core: the C library's, or in a free-standing build (wasm32) that of memory_wasm.c.
 */
#ifndef POCKET_MEMORY_H
#define POCKET_MEMORY_H

#include <stddef.h>

#ifdef POCKET_FREESTANDING
void *pocket_malloc(size_t size);
void pocket_free(void *memory);
void *memcpy(void *to, const void *from, size_t size);
void *memmove(void *to, const void *from, size_t size);
void *memset(void *to, int value, size_t size);
int memcmp(const void *a, const void *b, size_t size);
#else
#include <stdlib.h>
#include <string.h>
static inline void *pocket_malloc(size_t size) { return malloc(size ? size : 1); }
static inline void pocket_free(void *memory) { free(memory); }
#endif

#endif

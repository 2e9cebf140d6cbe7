/* Arrays that grow. */
#ifndef POCKET_ARRAY_H
#define POCKET_ARRAY_H

#include <stddef.h>
#include <stdint.h>

/* Make room for so many things of this size in an array of which used ones count; memory and *room
 * are the array so far, NULL and 0 before there is one. Returns the array, or NULL where there is
 * no memory, and the one before stays. */
void *array_grow(void *memory, uint32_t *room, uint32_t used, uint32_t wanted, size_t size);

#endif

/* What libcmph can search. */
#ifndef POCKET_CMPH_CHECK_H
#define POCKET_CMPH_CHECK_H

#include <stddef.h>
#include <stdint.h>

/* Is the packed hash one that libcmph can search without reading elsewhere, whatever the key? */
int cmph_check(uint32_t mph, const uint8_t *hash, size_t length);

#endif

/* libcmph's perfect hashes (docs/format.md 3.3), to reproduce the system of 2007 and as a base
 * line. Not part of the core: a module of its own, compiled only where libcmph is installed.
 *
 * libcmph draws its seeds from rand(), which is global to the process: hold one lock around every
 * pocket_cmph_build. The same C library then gives the same bytes for the same keys; another one
 * gives others. Memory that runs out inside libcmph ends the process.
 *
 * libcmph packs its integers in the machine's byte order and reads them unaligned: both functions
 * refuse big-endian machines. */
#ifndef POCKET_CMPH_ADAPTER_H
#define POCKET_CMPH_ADAPTER_H

#include <stddef.h>
#include <stdint.h>

#include "base/status.h"

/* cdef: begin */
/* Build the hash mph (2 bmz, 3 bdz, 4 chd) of n rising keys. slots: room for n, becomes the slot of
 * each. *out is malloc'd: free it with pocket_cmph_release. Returns a pocket_status:
 * POCKET_BAD_ARGUMENT (unknown mph, no key, falling keys), POCKET_DUPLICATE_KEY, POCKET_NO_MEMORY,
 * or POCKET_HASH_FAILED after many seeds. */
pocket_status pocket_cmph_build(uint32_t mph, const uint64_t *keys, uint32_t n, uint8_t **out,
                                uint64_t *out_length, uint32_t *slots);
void pocket_cmph_release(void *memory);

/* A pocket_slots (pocket.h). Non-zero refuses bytes that libcmph could not search without leaving
 * them: see the checks in cmph_check.c. A slot of a key that is not in the hash can be any number:
 * the caller compares it with its number of keys. */
int pocket_cmph_slots(uint32_t mph, const uint8_t *hash, size_t length, const uint64_t *keys,
                      size_t count, uint32_t *slots);
/* cdef: end */

#endif

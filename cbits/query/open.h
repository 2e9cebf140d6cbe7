/* Opening a file, for the calls that open one: in memory, by path, in pieces; and pocket_verify. */
#ifndef POCKET_OPEN_H
#define POCKET_OPEN_H

#include "file/container.h"

/* Open what lies at bytes: a file, or the heads of one in pieces. */
uint32_t open_bytes(const uint8_t *bytes, uint64_t length, int in_pieces, pocket_index **index,
                    pocket_error *error);
/* Check the blocks of the sections that a file may do without, within guarded(). */
uint32_t verify_optional(const pocket_index *index, pocket_error *error);

#endif

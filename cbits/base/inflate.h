/* Raw deflate (RFC 1951), reading side, for content whose length is known. */
#ifndef POCKET_INFLATE_H
#define POCKET_INFLATE_H

#include <stddef.h>
#include <stdint.h>

/* 0 when in is one well-formed stream from its first to its last byte and holds exactly out_length
 * bytes; they stand in out then. Anything else is -1 and leaves out with bytes of no meaning.
 * Neither reads nor writes outside the two; its time is bounded by their lengths. */
int inflate_raw(const uint8_t *in, size_t in_length, uint8_t *out, size_t out_length);

#endif

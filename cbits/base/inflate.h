/* Raw deflate (RFC 1951), reading side, for content whose length is known. */
#ifndef POCKET_INFLATE_H
#define POCKET_INFLATE_H

#include <stddef.h>
#include <stdint.h>

typedef struct inflater inflater;

/* Begin to inflate a stream that holds out_length bytes to out. NULL where there is no memory. */
inflater *inflate_begin(const uint8_t *in, size_t in_length, uint8_t *out, size_t out_length);
/* Go on until so many bytes stand in out, or some more; with all of them 0 means that in is one
 * well-formed stream from its first to its last byte. -1: it is none, and out has bytes of no
 * meaning. Neither reads nor writes outside the two; its time is bounded by their lengths. */
int inflate_until(inflater *inflater, size_t wanted);
void inflate_end(inflater *inflater);

#endif

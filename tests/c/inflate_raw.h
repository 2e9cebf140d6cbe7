/* A whole stream at once, for tests of the inflater. */
#ifndef POCKET_TESTS_INFLATE_RAW_H
#define POCKET_TESTS_INFLATE_RAW_H

#include "../../cbits/base/inflate.h"

/* 0 when in is one well-formed stream and holds exactly out_length bytes; they stand in out then.
 * Anything else is -1. */
static inline int inflate_raw(const uint8_t *in, size_t in_length, uint8_t *out,
                              size_t out_length) {
    inflater *own = inflate_begin(in, in_length, out, out_length);
    int status = own ? inflate_until(own, out_length) : -1;
    inflate_end(own);
    return status;
}

#endif

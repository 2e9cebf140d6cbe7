/* The term stream `interop` (docs/format.md 7.2). */
#ifndef POCKET_INTEROP_H
#define POCKET_INTEROP_H

#include "text/term_stream.h"

/* The next term, as term_stream_next returns it. */
int interop_next(term_stream *terms);

#endif

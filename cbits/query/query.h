/* How a query is answered where nobody says it, and options of every kind of question. */
#ifndef POCKET_QUERY_H
#define POCKET_QUERY_H

#include "file/container.h"

/* Is a text compared with every sketch where nobody says how to ask? */
int scans_by_default(const pocket_index *index);
/* Terms that a text must have to be compared with sketches. */
uint32_t least_asked(const pocket_index *index);

/* Is all that the caller's options have beyond those of this version zero? given begins with its
 * size, own is that of this version. */
int options_fit(const void *given, uint32_t own);

/* Fail with options that do not fit. */
uint32_t fail_options(pocket_error *error, const void *given, uint32_t own);

#endif

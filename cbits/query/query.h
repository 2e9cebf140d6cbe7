/* How a query is answered where nobody says it. */
#ifndef POCKET_QUERY_H
#define POCKET_QUERY_H

#include "file/container.h"

/* Is a text compared with every sketch where nobody says how to ask? */
int scans_by_default(const pocket_index *index);

#endif

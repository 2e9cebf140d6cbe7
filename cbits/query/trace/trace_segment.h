/* A segment of the asked text to the passages of it that documents have. */
#ifndef POCKET_TRACE_SEGMENT_H
#define POCKET_TRACE_SEGMENT_H

#include "query/trace/trace.h"

/* Add what documents have of the segment. */
uint32_t trace_segment(trace *t);

#endif

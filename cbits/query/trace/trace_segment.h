/* Finds the passages of a segment of the asked text that documents have. */
#ifndef POCKET_TRACE_SEGMENT_H
#define POCKET_TRACE_SEGMENT_H

#include "query/trace/trace.h"

/* Add the passages of the segment that documents have. */
uint32_t trace_segment(trace *t);

#endif

/* A unit of the asked text beside the text of a document (docs/format.md, section 9). */
#ifndef POCKET_ALIGNMENT_H
#define POCKET_ALIGNMENT_H

#include "base/meter.h"
#include "query/trace/segment.h"

#define MOST_PLACED 256u /* distinct terms by which a window is looked for */

/* A term of a document that the segment has, too. */
typedef struct text_hit {
    uint32_t place; /* among the document's terms */
    uint32_t next;  /* 1 + the hit before it with the same term, or 0 */
} text_hit;

/* A document's text as terms of the segment. */
typedef struct document_terms {
    uint64_t *hashes; /* of each of its terms */
    uint32_t *ids;    /* that of the segment, or NO_TERM */
    uint32_t *starts, *ends;
    text_hit *hits;
    uint64_t room;
    uint32_t count, hit_count;
    uint32_t last[SEGMENT_ROOM];  /* of each term of the segment, 1 + its last hit, or 0 */
    uint32_t times[SEGMENT_ROOM]; /* how many it has */
    uint64_t *order;              /* scratch: places of a unit's terms */
    uint64_t order_room;
    meter *steps;
} document_terms;

/* Where and how a unit stands in a document. first .. last - 1: terms of the segment, own_first ..
 * own_last - 1: terms of the document, with their bytes. same: terms of the unit in the same order;
 * dense: those of them from first up to last; beyond: word for word outside of the unit; run: the
 * most in a row; share: of the unit's idf, what these have, in 1/1024; mass: their idf; bag: the
 * share that the unit's words have in the window, in whatever order, each counted once, and the
 * window; whole: the unit stands there word for word. */
typedef struct alignment {
    uint32_t first, last, own_first, own_last, own_start, own_end;
    uint32_t same, dense, beyond, run, share, mass, bag, whole;
    uint32_t bag_first, bag_last, bag_start, bag_end;
} alignment;

/* Read a text. 0 where memory ran out or the call was interrupted. */
int document_terms_read(document_terms *d, const uint8_t *text, uint64_t length);
/* Find the terms that a segment has, too. */
void document_terms_find(document_terms *d, const segment *s);
void document_terms_free(document_terms *d);
/* Find a unit that stands in the document word for word, and let its place go on beyond it. */
int align_whole(const document_terms *d, const segment *s, const unit *u, alignment *found);
/* Align a unit. words: the terms by which a window is looked for. 0 where memory ran out. */
int align(document_terms *d, const segment *s, const unit *u, const uint32_t *words,
          uint32_t word_count, alignment *found);

#endif

/* Aligns a unit of the asked text with the text of a document (docs/format.md, section 9). */
#ifndef POCKET_ALIGNMENT_H
#define POCKET_ALIGNMENT_H

#include "base/meter.h"
#include "base/utf8.h"
#include "query/align/reach.h"
#include "query/align/segment.h"

#define MOST_PLACED 256u /* the most distinct terms by which a window is looked for */

/* A term of a document that the segment also has. */
typedef struct text_hit {
    uint32_t place; /* among the document's terms */
    uint32_t next;  /* 1 + the hit before it with the same term, or 0 */
} text_hit;

/* The terms of a document's text, and which of them the segment has. */
typedef struct document_terms {
    uint64_t *hashes; /* of each of its terms */
    uint32_t *ids;    /* the same terms in the segment, or NO_TERM */
    uint32_t *starts, *ends;
    text_hit *hits;
    uint64_t room;
    uint32_t count, hit_count;
    uint32_t last[SEGMENT_ROOM];  /* of each term of the segment, 1 + its last hit, or 0 */
    uint32_t times[SEGMENT_ROOM]; /* of each term of the segment, its number of hits */
    uint64_t *order;              /* scratch: places of a unit's terms */
    uint64_t order_room;
    meter *steps;
    const uint8_t *text;
    term_stream stream; /* of a text of which more is to come */
    uint32_t looked;    /* terms that were looked up in the segment */
    uint32_t forgotten; /* terms of the text before the first one here */
    text_place counted; /* up to where code points were counted */
    int waits;          /* for the whole text, because a term of it is very long */
} document_terms;

/* Where and how a unit stands in a document. first .. last - 1: terms of the segment; own_first ..
 * own_last - 1: terms of the document; own_start, own_end: where they are in its text. same: the
 * number of the unit's terms that are in the same order; dense: the number of these between first
 * and last; beyond: the number of terms outside of the unit that are word for word the same;
 * before, after: how far the passage goes on where not all terms are; run: the most terms in a row;
 * value: by how much the same terms of the whole passage outnumber the others; share: the share of
 * the unit's idf that the same terms have, in 1/1024; mass: their idf. bag: the share of the unit's
 * idf that is in the window in any order, each term counted once, and the place of the window; if
 * the unit is no stretch, the mean of this and the share of its terms. whole: the unit stands there
 * word for word.
 */
typedef struct alignment {
    uint32_t first, last, own_first, own_last;
    uint32_t same, dense, beyond, run, value, share, mass, bag, whole;
    reach before, after;
    uint32_t bag_first, bag_last;
    text_place own_start, own_end, bag_start, bag_end;
} alignment;

/* Read a text. Returns 0 if there is no memory, or the call was interrupted. */
int document_terms_read(document_terms *d, const uint8_t *text, uint64_t length, uint32_t stream);
/* Begin to read a text, and read on, up to a length; without the end of the text, a little less. */
void document_terms_begin(document_terms *d, const uint8_t *text, uint32_t stream);
int document_terms_go_on(document_terms *d, uint64_t length, int is_end);
/* Find the terms that a segment also has; find those that were read since then. */
void document_terms_find(document_terms *d, const segment *s);
void document_terms_find_more(document_terms *d, const segment *s);
/* Forget all terms but the last ones; the next call to find more finds these anew. */
void document_terms_forget(document_terms *d, uint32_t kept);
void document_terms_free(document_terms *d);
/* Find the first place where a unit stands in the document word for word, and extend it as far as
 * both agree. */
int align_whole(const document_terms *d, const segment *s, const unit *u, alignment *found);
/* The bag of a unit of whose idf a place has this share, in 1/1024, and of whose terms so many.
 * Texts about the same thing have its rare words in common, a copy has the others, too. */
static inline uint32_t unit_bag(const unit *u, uint32_t share, uint32_t same) {
    return u->kind == STRETCH ? share : (share + 1024 * same / (u->last - u->first)) / 2;
}
/* Align a unit. words: the terms by which a window is found. Returns 0 if there is no memory. */
int align(document_terms *d, const segment *s, const unit *u, const uint32_t *words,
          uint32_t word_count, alignment *found);

#endif

/* A piece of the asked text: its terms, its sentences, and the units that are looked for. */
#ifndef POCKET_SEGMENT_H
#define POCKET_SEGMENT_H

#include "file/words.h"
#include "text/terms.h"

#define SEGMENT_TERMS 4096u /* a segment ends with the first sentence that reaches this */
#define WINDOW_TERMS 64u    /* the most terms of a window of sentences */
#define STRETCH_TERMS 256u  /* the most terms of a stretch */
#define SENTENCE_TERMS 32u  /* a longer sentence is cut, so that windows have two pieces of it */
#define LEAST_UNIT_TERMS 5u /* a shorter sentence is joined to the next one */
#define SEGMENT_ROOM (SEGMENT_TERMS + SENTENCE_TERMS)
#define SEGMENT_SLOTS 16384u /* of the hash table of distinct terms */
#define NO_TERM UINT32_MAX

/* SECOND and LATER: not yet, see word_candidates_narrow. */
enum { NOT_LOOKED, SECOND, LATER, LOOKED };

typedef struct postings postings; /* query/trace/postings.h */

/* A distinct term. */
typedef struct segment_term {
    uint64_t hash;
    uint64_t documents;       /* how many have it; an estimate in a file without words */
    uint32_t idf;             /* in 1/256 bit */
    uint32_t first;           /* its first place in the segment */
    int looked, listed;       /* looked: are documents and idf known? listed: it has postings */
    uint32_t block, begins;   /* where the list of these is in the file */
    const postings *postings; /* once they are read */
} segment_term;

/* A sentence or a piece of a long one; a window of several sentences; a longer stretch, in which
 * the order of words does not count. */
enum { SENTENCE, WINDOW, STRETCH };

/* Terms first .. last - 1 of the segment. */
typedef struct unit {
    uint32_t first, last, kind;
    int may_count; /* a claim of it counts, if other documents do not have too much of it */
} unit;

typedef struct segment {
    uint64_t base;                                     /* terms of the text before it */
    uint32_t count;                                    /* its terms */
    uint32_t starts[SEGMENT_ROOM], ends[SEGMENT_ROOM]; /* their bytes in the text */
    uint32_t ids[SEGMENT_ROOM];                        /* their distinct terms */
    uint32_t breaks[SEGMENT_ROOM + 1]; /* where sentences begin, and the end; break_count + 1 */
    uint32_t break_count;
    segment_term terms[SEGMENT_ROOM];
    uint32_t term_count;
    uint32_t slots[SEGMENT_SLOTS]; /* 1 + number of a distinct term, or 0 */
    unit units[3 * SEGMENT_ROOM];
    uint32_t unit_count;
} segment;

/* Reads a text segment by segment. */
typedef struct segment_reader {
    term_stream stream;
    const uint8_t *text;
    uint64_t before;  /* terms of the segments before */
    int ahead, ended; /* ahead: the stream holds a term of the next segment */
} segment_reader;

void segment_reader_begin(segment_reader *r, const uint8_t *text, uint64_t length, uint32_t stream,
                          meter *steps);
/* Read the next segment. Returns 0 at the end of the text. */
int segment_read(segment_reader *r, segment *s);
/* Is a unit the whole text, as far as the text has been read? */
int unit_is_alone(const segment *s, const unit *u);
/* Is a unit a sentence or a window in a stretch? */
static inline int unit_is_part(const unit *u, const unit *stretch) {
    return u->kind != STRETCH && u->first >= stretch->first && u->last <= stretch->last;
}
/* Add a unit of all terms of the segment. Returns its number. */
uint32_t segment_whole(segment *s);
/* Returns the number of the distinct term with this hash, or NO_TERM. */
uint32_t segment_find(const segment *s, uint64_t hash);

#endif

/* Which documents may have a unit of the asked text, by its rarest words. */
#ifndef POCKET_WORD_CANDIDATES_H
#define POCKET_WORD_CANDIDATES_H

#include "base/meter.h"
#include "query/trace/segment.h"

#define SENTENCE_WORDS 12u /* the rarest words of a sentence that are asked for */
#define WINDOW_WORDS 25u   /* of a window of sentences */
#define LEAST_ASKED 6u     /* words that decide between candidates, however common they are */
#define MOST_CANDIDATES 20u
#define MOST_OF_MORE 8u     /* candidates of a unit that is not all of the text */
#define MOST_COMPLETE 1024u /* of those that have all the words of a text of one sentence */

/* A document that has words of a unit. share: of the idf of the unit's asked words, the part that
 * the document has, in 1/1024; length: of the document, in 1/4 of the average, as far as the levels
 * of its words tell. */
typedef struct candidate {
    uint32_t document, unit, share, length;
    uint32_t mask;
} candidate;

/* What a document has of the unit that is being looked for. */
typedef struct document_sum {
    uint32_t document; /* 1 + its number, or 0 */
    uint32_t mask;     /* of the unit's asked words */
    uint32_t mass;     /* their idf, more for higher levels */
    uint32_t level;    /* the lowest */
} document_sum;

typedef struct word_candidates {
    const pocket_index *index;
    segment *segment;
    const uint8_t *text;
    meter *steps;
    pocket_error *error;
    int cold;     /* as few texts as will do */
    int any_word; /* also those that no document of the file has */
    int missed, capped;
    /* Postings that were read for this segment. */
    uint32_t *documents;
    uint8_t *levels;
    uint32_t count, room;
    candidate found[MOST_COMPLETE]; /* of the unit, best first */
    uint32_t best[MOST_COMPLETE], found_count;
    document_sum *sums; /* a table: size is a power of two; those of the last unit */
    uint32_t *touched;
    uint32_t size, touched_count;
    uint32_t words[WINDOW_WORDS];     /* of the unit: distinct terms, the rarest first */
    uint32_t makers;                  /* of the words, those whose documents are candidates */
    uint32_t word_count, spare_count; /* those that are asked for, and all that were chosen */
} word_candidates;

void word_candidates_free(word_candidates *w);
/* Forget the postings of the segment before. */
void word_candidates_begin(word_candidates *w, segment *s);
/* Look up no more than so many terms of the segment, those that the profile weighs most. */
void word_candidates_narrow(word_candidates *w, uint32_t most);
/* Choose the rarest words of a unit; of common ones no more than are needed. */
uint32_t choose_words(word_candidates *w, const unit *u);
/* What is known of a term: in how many documents it is, and its idf. */
uint32_t term_look(word_candidates *w, uint32_t term);
/* Find the candidates of a unit: MOST_CANDIDATES, or of those that have all the words of a text
 * that is one unit MOST_COMPLETE. */
uint32_t word_candidates_of(word_candidates *w, uint32_t unit);
/* What a document has of the words of the unit that was looked for last; none of them where it has
 * none of the rarest. */
candidate word_candidate(const word_candidates *w, uint32_t unit, uint32_t document);

#endif

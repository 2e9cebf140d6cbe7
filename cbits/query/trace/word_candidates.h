/* Finds the documents that may have a unit of the asked text, by its rarest words. */
#ifndef POCKET_WORD_CANDIDATES_H
#define POCKET_WORD_CANDIDATES_H

#include "base/meter.h"
#include "query/trace/postings.h"

#define SENTENCE_WORDS 12u  /* the most words of a sentence that are asked for, the rarest */
#define WINDOW_WORDS 25u    /* the most words of a longer unit */
#define MOST_UNIT_WORDS 32u /* with numbers, of a text that is looked for as a whole */
#define LEAST_ASKED 6u      /* words that are asked for in any case, however common they are */
#define MOST_CANDIDATES 20u
#define MOST_OF_MORE 8u /* candidates for a unit that is not the whole text */
#define SEEN 65536u
#define MOST_COMPLETE 1024u /* candidates that have all words of a text that is one unit */

/* A document that has words of a unit. whole: the idf of the unit's asked words; own: of those that
 * the document has; chance: of what a document of its length has by chance. share: own of whole, in
 * 1/1024. mask: a bit for each asked word that it has. */
typedef struct candidate {
    uint32_t document, unit, share, mask, whole, own, chance;
} candidate;

/* The words of the current unit that a document has. */
typedef struct document_sum {
    uint32_t document;
    uint32_t mask;  /* a bit for each asked word that it has */
    uint32_t mass;  /* their idf, more for higher levels */
    uint32_t level; /* the lowest of their levels */
} document_sum;

typedef struct word_candidates {
    const pocket_index *index;
    segment *segment;
    const uint8_t *text;
    meter *steps;
    pocket_error *error;
    int cold;       /* read as few texts as possible */
    int any_word;   /* ask also for words that no document of the file has */
    int brief;      /* read no postings of common words once the others single out a document */
    uint32_t least; /* the least share of a candidate, or 0; see candidate */
    int missed, capped;
    postings *postings;             /* those that were read for this segment */
    candidate found[MOST_COMPLETE]; /* candidates for the unit, best first */
    uint32_t best[MOST_COMPLETE], found_count;
    /* For each document, by the end of its number: how many of the words it has; or, where they are
     * not counted, whether it has a sum. Those with fewer than needed get no sum. */
    uint8_t seen[SEEN];
    uint32_t needed;
    document_sum *sums;       /* of the last unit */
    uint32_t *slots;          /* a table of documents: 1 + the number of the sum, or 0 */
    uint32_t sum_count, size; /* size: of the table, a power of two, or 0 if there is none */
    uint32_t room_of_slots;
    uint32_t words[MOST_UNIT_WORDS];  /* of the unit: distinct terms, the rarest first */
    uint32_t makers;                  /* how many of the words make their documents candidates */
    uint32_t word_count, spare_count; /* the words that are asked for, and all that were chosen */
    uint32_t sure_count;              /* the words that are asked for in any case */
    uint64_t whole;                   /* their idf, if least is set */
    uint32_t known_count; /* words of which the masks tell whether a document has them */
} word_candidates;

void word_candidates_free(word_candidates *w);
/* Forget the postings of the segment before. */
void word_candidates_begin(word_candidates *w, segment *s);
/* Look up no more than so many terms of the segment, those that the profile weighs most. As many
 * more are looked up by word_candidates_look_more(SECOND), and as many again by that of LATER. 0:
 * the segment has no more than twice as many, and all of them are looked up. */
int word_candidates_narrow(word_candidates *w, uint32_t most);
uint32_t word_candidates_look_more(word_candidates *w, int which);
/* Choose the rarest words of a unit, and no more common ones than are needed. */
uint32_t choose_words(word_candidates *w, const unit *u);
/* Look up how many documents have a term, and its idf. */
uint32_t term_look(word_candidates *w, uint32_t term);
/* Find the candidates for a unit: at most MOST_OF_MORE, or MOST_CANDIDATES if the unit is the whole
 * text; then up to MOST_COMPLETE if these have all of its words. */
uint32_t word_candidates_of(word_candidates *w, uint32_t unit);
/* Look whether the candidates have the words of the unit that were not asked for, unless these are
 * very common. The candidates stay the same, and their masks have more bits. */
uint32_t word_candidates_look(word_candidates *w);
/* Ask for the numbers of the segment, too, once candidates are found: documents of one form may
 * differ in these alone. */
uint32_t word_candidates_numbers(word_candidates *w);
/* What a document has of the words of the unit that was looked for last; none of them where it has
 * none of the rarest. */
candidate word_candidate(const word_candidates *w, uint32_t unit, uint32_t document);

#endif

/* A search on its way (docs/format.md, section 10). */
#ifndef POCKET_WORD_SEARCH_H
#define POCKET_WORD_SEARCH_H

#include "file/words.h"
#include "query/words/tally.h"
#include "text/asked_words.h"

#define MOST_HITS 1000u
#define MOST_TEXTS 1024u /* that are looked into for quotes, and titles for words */
#define MOST_TEXTS_COLD 64u
#define MOST_NEIGHBOURS_COLD 8u /* that are looked into for two words side by side */
#define MOST_GOING_ON 3u        /* blocks in which a word goes on that a first answer reads */

/* A word of the file that an asked one is or begins, one whose plain spelling was typed, the plain
 * spelling of the one that was typed, or another form. */
enum { FOUND_ITSELF, FOUND_SPELLED, FOUND_PLAIN, FOUND_FORM };

typedef struct found_word {
    word_list list;
    uint32_t asked;
    int how;
} found_word;

#define MOST_REPLACED 4u

/* What is asked instead of some bytes of the text, as POCKET_REPLACED.. says. */
typedef struct replacement {
    uint64_t start, end;
    uint8_t bytes[TERM_BYTES + 1];
    uint32_t length, how;
    uint64_t documents;
} replacement;

#define NEAR_LABELS 3u

/* A filter, the labels that it means, and how many documents have one of them. */
typedef struct search_filter {
    asked_filter asked;
    const uint8_t *value;
    uint64_t documents;
    uint32_t size, labels;
    uint32_t near[NEAR_LABELS], near_count;
} search_filter;

typedef struct word_search {
    const pocket_index *index;
    const uint8_t *text;
    uint64_t length;
    pocket_search_options options;
    asked_words asked;
    found_word *found;
    uint32_t found_count, found_room;
    uint64_t documents[MOST_ASKED]; /* that have an asked word, or where none has, other forms */
    uint8_t partial[MOST_ASKED], forms[MOST_ASKED]; /* forms: has it others in the file? */
    tally tally;
    tally titles[2]; /* how many asked words, from the first on, the title of a document has: of one
                        with other words, and of one with these alone */
    tally one;       /* of an asked word that is several of the file, twice what it is worth */
    search_filter filters[MOST_FILTERS];
    uint32_t filter_count, typed_filters, allowed_count;
    uint32_t
        unlabelled;   /* kinds of filters that the file has no labels of: 1 labels, 2 languages */
    uint8_t *allowed; /* a bit for each document that the filters leave; NULL without filters */
    uint64_t *best;   /* a heap of the complements of hits, the worst on top */
    uint32_t best_count, room;
    uint32_t wanted;    /* asked words that some document has */
    uint32_t not_found; /* those that none has */
    uint32_t ranked;    /* words that were added up */
    uint32_t all, any;
    replacement replacements[MOST_REPLACED];
    uint32_t replaced;
    uint8_t *other_text; /* that is asked instead; NULL: none is */
    /* Are two words, the bytes up to `at` and those behind, neighbours in a title or a kept text?
     */
    uint32_t (*neighbours)(struct word_search *s, const uint8_t *bytes, uint32_t at,
                           uint32_t length, int *found);
    int nested; /* only whether a document has a quote */
    int capped, missed;
    int pieces; /* `all` counts documents that have the pieces of a run */
    meter steps;
    pocket_error *error;
} word_search;

/* Find the documents that the filters leave. */
uint32_t filter_documents(word_search *s);
/* Find the asked words in the file. */
uint32_t find_words(word_search *s);
/* Is a word the asked one, or another spelling of it: its plain spelling, or one whose plain
 * spelling was typed? */
int is_spelling_of(const word_search *s, const asked_word *word, const uint8_t *bytes,
                   uint32_t length);
/* Find another form of an asked word that no document has, by the rules of the file. */
uint32_t find_form(word_search *s, uint32_t i, replacement *r);
/* Find what is asked instead of words that no document has, or very few. */
uint32_t find_replacements(word_search *s);
/* Add up what their documents have, and choose the best. */
uint32_t rank_words(word_search *s);
/* Of the hits, which are in order, those that have the quotes, and the words in their titles, as
 * far as that is asked for; as many as are wanted. */
uint32_t choose_hits(word_search *s, pocket_word_hit *hits, uint32_t *count);
/* Is a document that lacks an asked word no hit, because of the quotes or of titles? */
int needs_all(const word_search *s);

/* A block that is not at hand ends the search after the stage, any other failure at once. */
static inline uint32_t search_unless_missed(word_search *s, uint32_t status) {
    if (status != POCKET_NOT_AT_HAND) return status;
    s->missed = 1;
    return POCKET_OK;
}

#endif

/* The words section (docs/format.md 6.4): which documents have a word. */
#ifndef POCKET_WORDS_H
#define POCKET_WORDS_H

#include "base/bit_stream.h"
#include "base/byte_strings.h"
#include "file/container.h"
#include "text/terms.h"

#define WORD_LEVELS 8u
#define WORD_RANKS 16u       /* the levels, and above them postings of a title, by its words */
#define WORD_GOES_ON 20u     /* bytes before the postings of a block in which a word goes on */
#define MOST_FORMS 64u       /* words of a class that are looked at */
#define MOST_ENDINGS 4096u   /* of the section's table */
#define WORDS_PER_SAMPLE 16u /* words between two places of a block that are known */

/* A block of words, gone through word by word. */
typedef struct words_block {
    const pocket_index *index;
    pocket_error *error;
    uint32_t number, count, at;    /* at: words taken; count 0: a word goes on in it */
    const uint8_t *next, *end;     /* of the vocabulary */
    const uint8_t *samples, *from; /* where the bits of every 16th word begin, and the bits of the
                                      first */
    uint64_t length;               /* of what begins at from */
    uint8_t word[TERM_BYTES + 8];  /* the word taken last, and room for what is copied by eights */
    uint32_t word_length;
} words_block;

/* What makes another form of a word: its last `dropped` bytes go, then these come. */
typedef struct word_ending {
    uint32_t dropped, length;
    uint8_t bytes[TERM_BYTES];
} word_ending;

/* A word's postings, read rank by rank, the highest first. */
typedef struct word_list {
    const pocket_index *index;
    pocket_error *error;
    uint32_t first_block, block; /* block: the one that is being read */
    uint32_t begins;             /* where its bits begin in the first one */
    uint32_t ending;             /* that of the class's next word: 0 where a word has no other form,
                                    1 + its number in the table, or beyond those spelled */
    uint64_t counted;            /* documents by which the heaviest words were chosen, 0 where all
                                    words count */
    uint64_t documents;          /* that have the word, whether or not they are its postings; 0
                                    where it has none */
    uint32_t counts[WORD_RANKS]; /* postings by rank */
    uint32_t total, read, here;  /* postings: all; read; of this block those that are left */
    uint32_t rank, rank_left, part; /* rank_left: postings of this rank that are left; part: those
                                       of them that lie in this block */
    uint32_t low_bits, after;       /* after: 1 + the document before in this rank, or 0 */
    uint64_t lows;                  /* where the next low bits are */
    bit_stream bits;                /* at: where the next high part is */
    word_ending spelled;            /* only where the ending is one that is spelled */
} word_list;

/* Check the section's head and keep its parameters. */
uint32_t words_open(pocket_index *x, const section *s, pocket_error *error);

/* A block's bytes, of which there are 4 or more. */
uint32_t words_block_get(const pocket_index *x, uint32_t number, int no_cache,
                         const uint8_t **bytes, uint64_t *length, pocket_error *error);
/* Go to a block. */
uint32_t words_block_open(words_block *b, const pocket_index *x, uint32_t number,
                          pocket_error *error);
/* Take the next word; at is less than count. */
uint32_t words_block_take(words_block *b);

/* Go to this word and take it; *found: is it there? */
uint32_t words_find(words_block *b, const pocket_index *x, const uint8_t *bytes, uint32_t length,
                    int *found, pocket_error *error);
/* Go to the first word that is not below these bytes, and take it; *found: is there one? */
uint32_t words_seek(words_block *b, const pocket_index *x, const uint8_t *bytes, uint32_t length,
                    int *found, pocket_error *error);
/* Take the word after the one taken last, if need be of the next block. */
uint32_t words_next(words_block *b, int *found);

/* Read the counts of the word taken last; its postings come by word_list_take. */
uint32_t word_list_open(word_list *l, const words_block *b);
/* Go to this word as words_find does, and read its counts; without it the list is of no document.
 */
uint32_t word_list_find(word_list *l, words_block *b, const pocket_index *x, const uint8_t *bytes,
                        uint32_t length, int *found, pocket_error *error);
/* As word_list_open, where the bits of this word begin at `at`. */
uint32_t word_list_begin(word_list *l, const words_block *b, uint64_t at);
/* The same, of a list that was opened before, by its first block and where it begins there. */
uint32_t word_list_again(word_list *l, const pocket_index *x, uint32_t first_block, uint32_t begins,
                         pocket_error *error);
/* Pass over its postings, which end in this block. */
uint32_t word_list_pass(word_list *l);
/* Take the next postings, room of them at most, all of one rank. *count is 0 at the end. */
uint32_t word_list_take(word_list *l, uint32_t *documents, uint32_t room, uint32_t *rank,
                        uint32_t *count);
/* Does the next posting lie in another block, and in which? */
static inline int word_list_goes_on(const word_list *l) {
    return l->here == 0 && l->read < l->total;
}

/* 256 times the logarithm to base 2, rounded down; x is at least 1. */
uint32_t word_logarithm(uint64_t x);
/* What a word of a title counts is the highest level. */
static inline uint32_t level_of(uint32_t rank) {
    return rank < WORD_LEVELS ? rank : WORD_LEVELS - 1;
}

/* How many of its postings are of titles. */
static inline uint32_t word_list_titles(const word_list *l) {
    uint32_t count = 0;
    for (uint32_t rank = WORD_LEVELS; rank < WORD_RANKS; rank++) count += l->counts[rank];
    return count;
}

/* Make of a word, whose list was opened and has an ending, the next one of its class. */
uint32_t word_list_next_form(const word_list *l, uint8_t *word, uint32_t *length);

/* 256 times the logarithm to base 2 of the inverse of the share of documents that have a word. */
uint32_t word_idf(uint64_t documents, uint64_t having);
/* How many low bits of the gaps of count postings lie apart. */
uint32_t word_low_bits(uint64_t documents, uint64_t count);

/* Read and check the section, word by word. */
uint32_t words_verify(const pocket_index *x, pocket_error *error);

#endif

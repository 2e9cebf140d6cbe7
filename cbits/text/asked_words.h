/* What a search asks for (docs/format.md, section 10): a few words, some in quotes, some behind a
 * minus. */
#ifndef POCKET_ASKED_WORDS_H
#define POCKET_ASKED_WORDS_H

#include "base/meter.h"
#include "text/asked_filters.h"
#include "text/word_stream.h"

#define PASTED_WORDS 8u /* of a text, from which on it has no syntax: it was pasted */
#define MOST_ASKED 64u  /* different terms */
#define MOST_QUOTED (PASTED_WORDS - 1) /* words of all quotes and runs */
#define MOST_QUOTES (MOST_QUOTED / 2)  /* of two terms or more */

/* What a word is asked for: documents that have it, or those that have not; a word of negative
 * quotes alone does nothing by itself. */
enum { WORD_WANTED, WORD_EXCLUDED, WORD_IN_NEGATIVE_QUOTE };

typedef struct asked_word {
    uint8_t bytes[TERM_BYTES], plain[TERM_BYTES];  /* plain: its plain spelling */
    uint8_t spelled[TERM_BYTES];                   /* with its marks (6.4) */
    uint32_t length, plain_length, spelled_length; /* of spelled: 0 without marks */
    uint64_t start, end;                           /* where it stands first, in bytes */
    int role, quoted, prefix;
    int of_run; /* one of several pairs of characters in a row */
    int alone;  /* a plain word of which there are neither compound nor parts, and not of_run */
} asked_word;

/* A quote's words are words[terms[first]] .. words[terms[first + count - 1]]. A run, three or more
 * characters in a row of a script without spaces, is looked for as a quote is; but documents that
 * lack it are hits, too. */
typedef struct asked_quote {
    uint32_t first, count;
    int negative, run;
} asked_quote;

typedef struct asked_words {
    asked_word words[MOST_ASKED];
    asked_quote quotes[MOST_QUOTES];
    uint32_t terms[MOST_QUOTED];
    asked_filter filters[MOST_FILTERS];
    uint32_t filter_count;
    uint32_t count, quote_count, term_count;
    int capped;
    int marked;               /* has a word marks that the stream keeps? */
    int syntax, ignored;      /* ignored: there is some, in a text of many words */
    const uint8_t *first_end; /* of the first term or filter */
    uint32_t stream;
    meter *steps;
} asked_words;

/* Read what a text asks for. stream: as of word_stream_begin. prefix: its last term may be a
 * beginning. steps: where the work is
 * counted; an end of it leaves what was read so far. POCKET_NO_MEMORY: a text with filters was not
 * read. */
uint32_t asked_words_read(asked_words *a, const uint8_t *text, uint64_t length, uint32_t stream,
                          int prefix, meter *steps);
/* Is a term this word; or does it begin so and have its marks, where it stands for a beginning? */
int asked_word_is(const asked_word *word, const uint8_t *term, uint32_t length);

#endif

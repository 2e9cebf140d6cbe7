/* What a file has beside sketches that tells how much a document has of a text (docs/format.md,
 * section 8). */
#ifndef POCKET_EVIDENCE_H
#define POCKET_EVIDENCE_H

#include "file/stored/texts.h"
#include "query/similar/text_cosine.h"
#include "query/trace/judge.h"

typedef struct evidence {
    word_candidates words;
    segment *segment;
    text_reader reader;
    bag asked, document;
    uint32_t shared;     /* distinct terms that these two have in common */
    const uint8_t *text; /* that is asked */
    uint64_t length;
    uint32_t unit;  /* all terms of the segment */
    uint32_t known; /* of the idf of its terms, the part of those that documents have, in 1/1024 */
    int ready;      /* words: were any asked for? */
} evidence;

/* Has the file words or texts? */
int evidence_is_kept(const pocket_index *x);
/* Look for the words of a text; is_near: for no fewer than if documents had some of them. */
uint32_t evidence_of_words(evidence *e, const uint8_t *text, uint64_t length, int is_near);
/* Look up more terms of it, which may have no documents: then a document has less of the text. */
uint32_t evidence_know_more(evidence *e);
/* Of the words that were asked for, the share that a document has beyond what its length explains,
 * in 1/1024; *shared becomes how many it has. */
uint32_t evidence_share(const evidence *e, uint32_t document, uint32_t *shared);
/* The cosine of a document's text and the asked one, which was read with evidence_begin_texts;
 * 10000 where they are the same bytes. */
uint32_t evidence_begin_texts(evidence *e, const uint8_t *text, uint64_t length);
uint32_t evidence_cosine(evidence *e, uint32_t document, uint32_t *cosine);
/* Begin, in a struct of zeros; 0 where there is no memory. */
int evidence_alloc(evidence *e, const pocket_index *x, meter *steps, pocket_error *error);
void evidence_free(evidence *e);

#endif

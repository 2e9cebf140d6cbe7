/* Pieces of the asked text that documents have. */
#ifndef POCKET_PASSAGES_FOUND_H
#define POCKET_PASSAGES_FOUND_H

#include "base/utf8.h"
#include "file/keys/passages.h"
#include "pocket.h"

/* A piece that a document has. first .. last - 1: terms of the asked text; start, end: its bytes.
 * own_start, own_end: where it is in the document's text, if that was read (verified). same: the
 * number of terms in the same order. documents: the number of documents that were seen to have the
 * whole piece word for word. */
typedef struct found_passage {
    uint32_t document, first, last, start, end, own_first, own_last;
    text_place own_start, own_end;
    uint32_t same, evidence, documents;
    uint32_t verified;
    uint32_t bag; /* 1: the document has its terms in any order */
} found_passage;

/* A passage that very many documents have, and some of these. */
typedef struct frequent_found {
    pocket_frequent_passage passage;
    uint32_t examples[SHINGLE_EXAMPLES];
} frequent_found;

typedef struct passages_found {
    found_passage *passages;
    uint32_t count, room;
    frequent_found *frequent;
    uint32_t frequent_count, frequent_room;
} passages_found;

#endif

/* The term streams (docs/format.md, section 7): a text's terms one after the other. */
#ifndef POCKET_TERMS_H
#define POCKET_TERMS_H

#include "text/term_stream.h"

void term_stream_begin(term_stream *terms, const uint8_t *text, uint64_t length, uint32_t stream);
int term_stream_next(term_stream *terms);
/* The folded text with one space for every run of separators and none at either end
 * (docs/format.md 6.2), in UTF-8: whole code points of it that fit room bytes. A text of nothing
 * but separators stays as it is, but for its white space. Returns how many bytes. */
uint32_t terms_folded(const uint8_t *text, uint64_t length, uint8_t *out, uint32_t room);

#endif

/* Plain spellings (docs/format.md 7.4): words without marks, and without letters that many
 * keyboards lack. */
#ifndef POCKET_PLAIN_H
#define POCKET_PLAIN_H

#include <stdint.h>

/* Write the plain spelling of a word of a file to `out`, which has room for as many bytes as the
 * word; returns its length. */
uint32_t plain_spelling(const uint8_t *word, uint32_t length, uint8_t *out);

#endif

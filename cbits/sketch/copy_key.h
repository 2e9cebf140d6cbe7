/* What short texts that are copies of each other have in common (docs/format.md 4.3). */
#ifndef POCKET_COPY_KEY_H
#define POCKET_COPY_KEY_H

#include <stdint.h>

#define COPY_BITS 39u /* of a copy key */
#define COPY_IDENTITY_BITS 7u

struct meter;

/* The copy key of a text: 1, or 0 where it has nothing but white space. steps: may be NULL; where
 * it has ended, *key means nothing. */
int copy_key_of_text(const uint8_t *text, uint64_t length, struct meter *steps, uint64_t *key);

#endif

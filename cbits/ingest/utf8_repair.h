/* Any bytes as UTF-8. */
#ifndef POCKET_UTF8_REPAIR_H
#define POCKET_UTF8_REPAIR_H

#include <stddef.h>
#include <stdint.h>

/* The bytes of text as UTF-8: each longest beginning of a character that is not finished, and each
 * other byte that is none, becomes U+FFFD. out has room for them, or is NULL to ask only how many
 * there are: at most 3 * length. */
size_t utf8_repair(const uint8_t *text, size_t length, uint8_t *out);

#endif

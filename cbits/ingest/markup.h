/* What HTML lends to wikitext: named characters and tags. */
#ifndef POCKET_MARKUP_H
#define POCKET_MARKUP_H

#include <stddef.h>
#include <stdint.h>

/* The character reference that text begins with ("&amp;", "&#228;"), as at most 4 bytes of UTF-8,
 * *size of them: never more than the reference has. Gives the length of the reference, 0 where
 * there is none. */
size_t markup_reference(const uint8_t *text, size_t length, uint8_t out[4], size_t *size);

/* What becomes of an element. INLINE, BLOCK: the tags are dropped, a block begins and ends a line.
 * HEADING, ITEM: blocks whose lines have a sign. CELL: of a row. NOWIKI, VERBATIM (a block): its
 * content is no markup. HIDDEN: its content is not text. */
typedef enum markup_kind {
    MARKUP_UNKNOWN,
    MARKUP_INLINE,
    MARKUP_BLOCK,
    MARKUP_HEADING,
    MARKUP_ITEM,
    MARKUP_CELL,
    MARKUP_NOWIKI,
    MARKUP_VERBATIM,
    MARKUP_HIDDEN,
    MARKUP_REF,
    MARKUP_REFERENCES,
    MARKUP_GALLERY,
    MARKUP_TABLE,
} markup_kind;

/* The number of a tag, for markup_tag_kind and below MARKUP_TAGS, by its name in any case; 0 for
 * one that is unknown. */
#define MARKUP_TAGS 128u
#define MARKUP_TAG_NAME 16u
uint32_t markup_tag(const uint8_t *name, size_t length);
markup_kind markup_tag_kind(uint32_t tag);

#endif

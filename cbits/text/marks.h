/* The marks that the stream `marked` keeps, behind the letters of a word (docs/format.md 7.3). They
 * are of U+0300 .. U+033F, so that each is two bytes of which the first is 0xCC. */
#ifndef POCKET_MARKS_H
#define POCKET_MARKS_H

#include <stdint.h>

#define MOST_MARKS 3u   /* of a word */
#define MOST_DROPPED 8u /* of a spelling (6.4) */
#define SPELLING_BYTES (1 + 2 * MOST_DROPPED)
#define MARK_LEAD 0xCCu

/* The marks of a word on its way. wrong: it has one that no syllable of Vietnamese has so. */
typedef struct word_marks {
    uint8_t count, tones, wrong;
    uint8_t low[MOST_MARKS];         /* the second byte of each, rising */
    uint32_t size;                   /* of spelled; 0 without marks */
    uint8_t spelled[SPELLING_BYTES]; /* 0 and the first marks as they come, whatever they make */
} word_marks;

/* Add a mark of a word whose last letter this is. */
void marks_add(word_marks *m, uint32_t code, uint8_t letter);
/* Append the marks of a word to its letters, where both make a syllable of Vietnamese; its length.
 * There is room for MOST_MARKS. */
uint32_t marks_append(const word_marks *m, uint8_t *bytes, uint32_t length);

static inline int is_kept_mark(uint32_t code) { return code >= 0x300 && code < 0x340; }
/* How many bytes of a word of a file are letters; what follows are marks. */
static inline uint32_t letters_length(const uint8_t *bytes, uint32_t length) {
    while (length > 2 && bytes[length - 2] == MARK_LEAD) length -= 2;
    return length;
}
/* Is a word of a file one in addition to the same without marks (docs/format.md 6.4)? */
static inline int is_spelling(const uint8_t *bytes, uint32_t length) {
    length = letters_length(bytes, length);
    return bytes[length - 1] == 0;
}
/* Has the second word the marks of the first one, and maybe others? */
int has_marks_of(const uint8_t *one, uint32_t length, const uint8_t *other, uint32_t other_length);

#endif

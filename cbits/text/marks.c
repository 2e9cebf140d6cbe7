#include "text/marks.h"

#include "base/memory.h"

#define MOST_SYLLABLE 8u /* bytes: nghiêng; đ has two */
#define MOST_VOWELS 4u

/* Of each mark of U+0300 .. U+033F that Vietnamese has: 1 a tone, 2 of a letter. */
static const uint8_t kinds[64] = {
    [0x00] = 1, [0x01] = 1, [0x03] = 1, [0x09] = 1, [0x23] = 1, [0x02] = 2, [0x06] = 2, [0x1B] = 2,
};

/* What a syllable begins and ends with, of the same size each. */
static const char onsets[] =
    "b  c  ch d  \xC4\x91 g  gh h  k  kh l  m  n  ng nghnh p  ph q  r  s  t  th tr v  x  ";
static const char codas[] = "c  ch m  n  ng nh p  t  ";

static int is_vowel(uint8_t byte) {
    return byte == 'a' || byte == 'e' || byte == 'i' || byte == 'o' || byte == 'u' || byte == 'y';
}

static int is_among(const char *list, const uint8_t *bytes, uint32_t length) {
    if (!length) return 1;
    if (length > 3) return 0;
    for (; *list; list += 3)
        if (!memcmp(list, bytes, length) && (length == 3 || list[length] == ' ')) return 1;
    return 0;
}

static int is_syllable(const uint8_t *bytes, uint32_t length) {
    uint32_t from = 0, to;
    if (length > MOST_SYLLABLE) return 0;
    while (from < length && !is_vowel(bytes[from])) from++;
    for (to = from; to < length && is_vowel(bytes[to]);) to++;
    return to > from && to - from <= MOST_VOWELS && is_among(onsets, bytes, from) &&
           is_among(codas, bytes + to, length - to);
}

void marks_add(word_marks *m, uint32_t code, uint8_t letter) {
    uint32_t at = code - 0x300, kind = at < sizeof kinds ? kinds[at] : 0;
    if (at < sizeof kinds && m->size < SPELLING_BYTES) {
        if (!m->size) m->size = 1;
        m->spelled[m->size++] = MARK_LEAD;
        m->spelled[m->size++] = (uint8_t)(0x80 + at);
    }
    if (!kind || !is_vowel(letter) || m->count == MOST_MARKS) m->wrong = 1;
    if (m->wrong) return;
    if (kind == 1) m->tones++;
    uint32_t i = m->count++;
    for (; i > 0 && m->low[i - 1] > 0x80 + at; i--) m->low[i] = m->low[i - 1];
    m->low[i] = (uint8_t)(0x80 + at);
}

uint32_t marks_append(const word_marks *m, uint8_t *bytes, uint32_t length) {
    if (!m->count || m->wrong || m->tones > 1 || !is_syllable(bytes, length)) return length;
    for (uint32_t i = 0; i < m->count; i++) {
        bytes[length++] = MARK_LEAD;
        bytes[length++] = m->low[i];
    }
    return length;
}

int has_marks_of(const uint8_t *one, uint32_t length, const uint8_t *other, uint32_t other_length) {
    uint32_t i = letters_length(one, length), k = letters_length(other, other_length);
    for (; i < length && k < other_length; k += 2)
        if (one[i + 1] == other[k + 1]) i += 2;
    return i == length;
}

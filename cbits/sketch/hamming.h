/* Hamming distances of packed sketches of bits, by the best instructions that the processor has;
 * with any of them the same. */
#ifndef POCKET_HAMMING_H
#define POCKET_HAMMING_H

#include <stddef.h>
#include <stdint.h>

#define HAMMING_MOST_BYTES 512u /* of a packed sketch of bits: 4096 components */

/* How ones are counted: as arithmetic, by an instruction for 64 bits, or for eight sketches at
 * once. */
enum { COUNTING_ARITHMETIC, COUNTING_WORDS, COUNTING_EIGHTS };

typedef struct hamming {
    uint64_t own[HAMMING_MOST_BYTES / 8]; /* the last one padded with zeros */
    size_t bytes;
    int counting;
} hamming;

/* Entries that may be written behind those that are found. */
#define HAMMING_SPARE 8u

/* The best way of this processor. Ask once a file: on a virtual machine asking takes long. */
int hamming_counting(void);
void hamming_begin(hamming *h, int counting, const uint8_t *own, size_t bytes);
/* Write distance << 32 | number of the sketches, count of them every stride bytes and numbered from
 * first on, that are nearer than limit; returns how many. out has room for all. */
uint32_t hamming_near(const hamming *h, const uint8_t *packed, size_t stride, uint32_t first,
                      uint32_t count, uint32_t limit, uint64_t *out);

#endif

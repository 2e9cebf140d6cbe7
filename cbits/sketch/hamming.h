/* Hamming distances of packed sketches of bits, by the best instructions that the processor has;
 * with any of them the same. */
#ifndef POCKET_HAMMING_H
#define POCKET_HAMMING_H

#include <stddef.h>
#include <stdint.h>

#define HAMMING_MOST_BYTES 16u /* of the coarse code of a packed sketch of bits */

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

/* count sketches, one after the other, numbered from first on; ahead: what will be compared after
 * them, which memory is asked for meanwhile. */
typedef struct sketches_in_row {
    const uint8_t *packed, *ahead;
    uint32_t first, count;
} sketches_in_row;

/* The best way of this processor. Ask once a file: on a virtual machine asking takes long. */
int hamming_counting(void);
void hamming_begin(hamming *h, int counting, const uint8_t *own, size_t bytes);
/* Write distance << 32 | number of those of the sketches that are nearer than limit; returns how
 * many. out has room for all and for HAMMING_SPARE more. */
uint32_t hamming_near(const hamming *h, sketches_in_row s, uint32_t limit, uint64_t *out);

#endif

#include "file/keys/copies.h"

#include "base/bytes.h"
#include "sketch/copy_key.h"

#define MOST_TOGETHER 65536u

static uint32_t copies_wrong(pocket_error *error, int64_t block, const char *field,
                             uint64_t expected, uint64_t found) {
    return fail(error, POCKET_DAMAGED_FIELD, POCKET_COPIES, block, field, expected, found);
}

/* How many documents a block has. */
static uint32_t copies_in(const pocket_index *x, uint32_t block) {
    uint64_t left = x->copies - (uint64_t)block * x->copies_together;
    return left < x->copies_together ? (uint32_t)left : x->copies_together;
}

uint32_t copies_open(pocket_index *x, const section *s, pocket_error *error) {
    const uint8_t *b = s->bytes;
    if (s->parameters != 16)
        return copies_wrong(error, -1, "length of the parameters", 16, s->parameters);
    x->copies = load32(b + 4);
    x->copies_together = load32(b + 8);
    if (load32(b) != x->documents)
        return copies_wrong(error, -1, "number of documents", x->documents, load32(b));
    if (x->copies > x->documents - x->sketched)
        return allowing(error, "at most %",
                        copies_wrong(error, -1, "documents with a copy key",
                                     x->documents - x->sketched, x->copies));
    if (x->copies_together < 1 || x->copies_together > MOST_TOGETHER)
        return allowing(
            error, "1 .. %",
            copies_wrong(error, -1, "documents a block", MOST_TOGETHER, x->copies_together));
    if (load32(b + 12) != 0) return copies_wrong(error, -1, "reserved", 0, load32(b + 12));
    uint32_t blocks = x->copies / x->copies_together + (x->copies % x->copies_together != 0);
    if (s->blocks != blocks) return copies_wrong(error, -1, "number of blocks", blocks, s->blocks);
    uint64_t end = 0;
    for (uint32_t i = 0; i < blocks; i++) {
        end += ((uint64_t)copies_in(x, i) * COPY_BITS + 7) / 8;
        if (block_end(s, i) != end)
            return copies_wrong(error, i, "end of the block", end, block_end(s, i));
        if (i > 0 && block_first(s, i) < block_first(s, i - 1))
            return allowing(
                error, "at least %",
                copies_wrong(error, i, "first", block_first(s, i - 1), block_first(s, i)));
    }
    return POCKET_OK;
}

static uint64_t key_at(const uint8_t *block, uint32_t i) {
    uint64_t bit = (uint64_t)i * COPY_BITS;
    return load_bits(block, bit, COPY_BITS - 32) |
           (uint64_t)load_bits(block, bit + COPY_BITS - 32, 32) << (COPY_BITS - 32);
}

/* How many copy keys are less than this one. */
static uint32_t copies_below(const pocket_index *x, uint64_t key, uint32_t *count,
                             pocket_error *error) {
    const section *s = x->by_kind[POCKET_COPIES];
    const uint8_t *bytes;
    uint64_t length;
    *count = 0;
    uint32_t block = key ? block_find(s, 0, s->blocks, key - 1) : s->blocks;
    if (block == s->blocks) return POCKET_OK;
    uint32_t status = block_get(x, s, block, 0, &bytes, &length, error), low = 0,
             high = copies_in(x, block);
    if (status) return status;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (key_at(bytes, middle) < key)
            low = middle + 1;
        else
            high = middle;
    }
    *count = block * x->copies_together + low;
    return POCKET_OK;
}

uint32_t copies_find(const pocket_index *x, uint64_t key, copies *found, pocket_error *error) {
    uint64_t lowest = key >> COPY_IDENTITY_BITS << COPY_IDENTITY_BITS,
             bounds[] = {lowest, key, key + 1, lowest + (1u << COPY_IDENTITY_BITS)};
    uint32_t counts[4], missing = POCKET_OK;
    for (uint32_t i = 0; i < 4; i++) {
        uint32_t status = copies_below(x, bounds[i], &counts[i], error);
        if (status == POCKET_NOT_AT_HAND)
            missing = status; /* on, so that all blocks that are missed are known at once */
        else if (status)
            return status;
    }
    for (uint32_t i = 1; i < 4 && !missing; i++)
        if (counts[i] < counts[i - 1])
            return copies_wrong(error, -1, "order of the copy keys", counts[i - 1], counts[i]);
    *found = (copies){{x->sketched + counts[1], x->sketched + counts[2]},
                      {x->sketched + counts[0], x->sketched + counts[3]}};
    return missing;
}

int copies_has(const pocket_index *x, uint32_t document) {
    return document >= x->sketched && document - x->sketched < x->copies;
}

uint32_t copies_get(const pocket_index *x, uint32_t document, uint64_t *key, pocket_error *error) {
    const uint8_t *bytes;
    uint64_t length;
    uint32_t place = document - x->sketched,
             status = block_get(x, x->by_kind[POCKET_COPIES], place / x->copies_together, 0, &bytes,
                                &length, error);
    if (!status) *key = key_at(bytes, place % x->copies_together);
    return status;
}

uint32_t copies_verify(const pocket_index *x, pocket_error *error) {
    const section *s = x->by_kind[POCKET_COPIES];
    meter steps = meter_of(x);
    uint64_t before = 0;
    for (uint32_t block = 0; block < s->blocks; block++) {
        const uint8_t *bytes;
        uint64_t length;
        uint32_t status = block_get(x, s, block, 1, &bytes, &length, error),
                 count = copies_in(x, block);
        if (status) return status;
        for (uint32_t i = 0; i < count; i++) {
            uint64_t key = key_at(bytes, i);
            if (interrupted(&steps, 1)) return POCKET_INTERRUPTED;
            if (i == 0 && key != block_first(s, block))
                return copies_wrong(error, block, "first", key, block_first(s, block));
            if (key < before)
                return allowing(error, "at least %",
                                copies_wrong(error, block, "copy key", before, key));
            before = key;
        }
        uint64_t bits = (uint64_t)count * COPY_BITS;
        if (load_bits(bytes, bits, (uint32_t)(8 * length - bits)) != 0)
            return copies_wrong(error, block, "padding", 0, 0);
    }
    return POCKET_OK;
}

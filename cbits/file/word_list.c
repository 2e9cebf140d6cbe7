/* A word's postings (docs/format.md 6.4): its documents, rank by rank. */
#include "base/memory.h"
#include "file/heads.h"
#include "file/words.h"

static uint64_t shifted(uint64_t x, uint32_t highest) {
    return highest <= 31 ? x << (31 - highest) : x >> (highest - 31);
}

uint32_t word_logarithm(uint64_t x) {
    uint32_t highest = highest_one(x), result = highest << 8;
    uint64_t y = shifted(x, highest);
    for (uint32_t bit = 128; bit; bit >>= 1) {
        y = y * y >> 31;
        if (y >> 32) {
            y >>= 1;
            result |= bit;
        }
    }
    return result;
}

uint32_t word_idf(uint64_t documents, uint64_t having) {
    uint32_t all = word_logarithm(2 * documents + 2), own = word_logarithm(2 * having + 1);
    return all > own ? all - own : 1;
}

uint32_t word_low_bits(uint64_t documents, uint64_t count) {
    uint64_t apart = 710 * documents / (1024 * count);
    return apart ? highest_one(apart) : 0;
}

static uint32_t damaged_list(const word_list *l, uint32_t block, const char *field,
                             uint64_t expected, uint64_t found) {
    return fail(l->error, POCKET_DAMAGED_FIELD, POCKET_WORDS, block, field, expected, found);
}

static uint32_t overrun(const word_list *l) {
    return allowing(
        l->error, "at most %",
        damaged_list(l, l->block, "end of the postings", 8 * l->bits.length, l->bits.at));
}

/* Begin the postings of a rank that lie in this block. */
static uint32_t begin_part(word_list *l) {
    l->part = l->rank_left < l->here ? l->rank_left : l->here;
    l->lows = l->bits.at;
    l->bits.at += (uint64_t)l->part * l->low_bits;
    return bits_overrun(&l->bits) ? overrun(l) : POCKET_OK;
}

/* Go on to the next rank that has postings. */
static uint32_t begin_rank(word_list *l) {
    while (l->rank > 0 && l->rank_left == 0) l->rank_left = l->counts[--l->rank];
    l->low_bits = l->rank_left ? word_low_bits(l->index->documents, l->rank_left) : 0;
    l->after = 0;
    return begin_part(l);
}

/* The documents that were counted: as many as the postings, or more for an odd difference, or less.
 */
static uint32_t read_counted(word_list *l, uint64_t difference) {
    uint64_t own = l->total, half = difference / 2, most = l->index->words_counted;
    l->counted = difference % 2 ? own + half + 1 : own > half ? own - half : 0;
    uint32_t least = own || l->ending ? 1 : 2;
    if (l->counted < least || l->counted > most)
        return allowing(l->error, least == 1 ? "1 .. %" : "2 .. %",
                        damaged_list(l, l->block, "counted documents of a word", most, l->counted));
    if (own && l->counted > own) l->documents = l->counted;
    if (l->documents > l->index->documents) l->documents = l->index->documents;
    return POCKET_OK;
}

static uint32_t read_counts(word_list *l) {
    int heaviest = l->index->words_heaviest != 0, least = !heaviest && !l->ending;
    uint64_t sum = 0, difference = heaviest ? take_gamma(&l->bits) : 1;
    if (difference == 0) return damaged_list(l, l->block, "gamma", 1, 0);
    for (uint32_t rank = take_number(&l->bits, 1) ? WORD_RANKS : WORD_LEVELS; rank-- > 0;) {
        uint64_t count = take_gamma(&l->bits);
        if (count == 0) return damaged_list(l, l->block, "gamma", 1, 0);
        sum += count - 1;
        if (sum > l->index->documents) break;
        l->counts[rank] = (uint32_t)(count - 1);
    }
    if (sum < (uint64_t)least || sum > l->index->documents)
        return allowing(l->error, least ? "1 .. %" : "0 .. %",
                        damaged_list(l, l->block, "documents of a word", l->index->documents, sum));
    l->documents = sum;
    l->total = (uint32_t)sum;
    return heaviest ? read_counted(l, difference - 1) : POCKET_OK;
}

/* What the next word of the class ends with. */
static uint32_t read_ending(word_list *l) {
    uint64_t ending = take_gamma(&l->bits), most = l->index->word_ending_count + 1;
    if (ending == 0) return damaged_list(l, l->block, "gamma", 1, 0);
    if (--ending > most)
        return allowing(l->error, "0 .. %", damaged_list(l, l->block, "ending", most, ending));
    l->ending = (uint32_t)ending;
    if (ending < most) return POCKET_OK;
    l->spelled.dropped = take_number(&l->bits, 8);
    l->spelled.length = take_number(&l->bits, 8);
    if (l->spelled.length > TERM_BYTES)
        return allowing(
            l->error, "0 .. %",
            damaged_list(l, l->block, "length of an ending", TERM_BYTES, l->spelled.length));
    for (uint32_t i = 0; i < l->spelled.length; i++)
        l->spelled.bytes[i] = (uint8_t)take_number(&l->bits, 8);
    return POCKET_OK;
}

static uint32_t open_list(word_list *l) {
    uint32_t status = l->index->word_forms_length ? read_ending(l) : POCKET_OK;
    if (status || (status = read_counts(l))) return status;
    l->here = l->total;
    if (take_number(&l->bits, 1)) {
        uint64_t here = take_gamma(&l->bits);
        if (here < 1 || here > l->total)
            return allowing(l->error, "1 .. %",
                            damaged_list(l, l->block, "postings of a block", l->total, here));
        l->here = (uint32_t)here - 1;
    }
    if (bits_overrun(&l->bits)) return overrun(l);
    l->rank = WORD_RANKS;
    l->rank_left = 0;
    return l->here ? begin_rank(l) : POCKET_OK;
}

/* The high part of a gap, out of *highs, which are bits of the stream from its place on, zeros
 * where they are used up: most take no look at the stream. */
static inline uint32_t next_zeros(bit_stream *s, uint64_t *highs) {
    uint32_t zeros = *highs ? lowest_one(*highs) : MOST_ZEROS;
    if (zeros < MOST_ZEROS) {
        *highs = *highs >> zeros >> 1;
        s->at += zeros + 1;
    } else {
        zeros = take_zeros(s);
        *highs = bits_from(s, s->at);
    }
    return zeros;
}

/* Pass over the high parts of count gaps, or up to the end. */
static void pass_zeros(bit_stream *s, uint32_t count) {
    for (uint64_t highs = 0; count > 0 && !bits_overrun(s); count--) next_zeros(s, &highs);
}

uint32_t word_list_pass(word_list *l) {
    for (uint32_t rank = WORD_RANKS; rank-- > 0;) {
        uint32_t count = l->counts[rank];
        if (count == 0) continue;
        if (rank != l->rank) /* the highest one has begun */
            l->bits.at += (uint64_t)count * word_low_bits(l->index->documents, count);
        pass_zeros(&l->bits, count);
        if (bits_overrun(&l->bits)) return overrun(l);
    }
    return POCKET_OK;
}

uint32_t word_list_begin(word_list *l, const words_block *b, uint64_t at) {
    memset(l, 0, offsetof(word_list, spelled));
    l->index = b->index;
    l->error = b->error;
    l->first_block = l->block = b->number;
    l->begins = (uint32_t)at;
    l->bits = (bit_stream){b->from, b->length, at};
    uint32_t status = bits_overrun(&l->bits) ? overrun(l) : open_list(l);
    if (!status && l->here < l->total && b->count != 1)
        status = damaged_list(l, l->block, "words", 1, b->count);
    return status;
}

/* Pass over a list that lies at *at, as most are. 0 where it has more than an ending of the table,
 * counts and postings, or where anything is wrong with it: word_list_begin reads these. */
static int pass_list(const words_block *b, uint64_t *at) {
    uint32_t counts[WORD_RANKS], count = 0, documents = b->index->documents;
    uint64_t sum = 0;
    bit_stream bits = {b->from, b->length, *at};
    uint64_t ending = b->index->word_forms_length ? take_gamma(&bits) : 1;
    if (ending - 1 > b->index->word_ending_count || b->index->words_heaviest) return 0;
    for (uint32_t ranks = take_number(&bits, 1) ? WORD_RANKS : WORD_LEVELS; ranks > 0;) {
        /* A one is the gamma code of no postings. */
        uint32_t ones = lowest_one(~(bits_from(&bits, bits.at) & UINT32_MAX));
        if (ones >= ranks) ones = ranks;
        bits.at += ones;
        ranks -= ones;
        if (!ranks) break;
        uint64_t more = take_gamma(&bits);
        if (more == 0 || (sum += more - 1) > documents) return 0;
        counts[count++] = (uint32_t)more - 1;
        ranks--;
    }
    if (sum == 0 || take_number(&bits, 1)) return 0;
    for (uint32_t i = 0; i < count; i++) {
        bits.at += (uint64_t)counts[i] * word_low_bits(documents, counts[i]);
        pass_zeros(&bits, counts[i]);
    }
    *at = bits.at;
    return !bits_overrun(&bits);
}

uint32_t word_list_open(word_list *l, const words_block *b) {
    uint32_t number = b->at - 1, sample = number / WORDS_PER_SAMPLE, status;
    uint64_t at = sample ? once(load32(b->samples + 4 * (sample - 1))) : 0;
    for (uint32_t i = sample * WORDS_PER_SAMPLE; i < number; i++) {
        uint64_t from = at;
        if (pass_list(b, &at)) continue;
        if ((status = word_list_begin(l, b, from)) || (status = word_list_pass(l))) return status;
        at = l->bits.at;
    }
    return word_list_begin(l, b, at);
}

uint32_t word_list_find(word_list *l, words_block *b, const pocket_index *x, const uint8_t *bytes,
                        uint32_t length, int *found, pocket_error *error) {
    uint32_t status = words_find(b, x, bytes, length, found, error);
    memset(l, 0, sizeof *l);
    return status || !*found ? status : word_list_open(l, b);
}

uint32_t word_list_again(word_list *l, const pocket_index *x, uint32_t first_block, uint32_t begins,
                         pocket_error *error) {
    words_block b;
    uint32_t status = words_block_open(&b, x, first_block, error);
    return status ? status : word_list_begin(l, &b, begins);
}

/* Go on in the next block. */
static uint32_t next_block(word_list *l) {
    const section *s = l->index->by_kind[POCKET_WORDS];
    const uint8_t *bytes;
    uint64_t length;
    uint32_t number = l->block + 1;
    if (number == s->blocks)
        return damaged_list(l, l->block, "postings of a word", l->total, l->read);
    uint32_t status = words_block_get(l->index, number, 0, &bytes, &length, l->error);
    if (status) return status;
    l->block = number;
    if (length < WORD_GOES_ON)
        return allowing(l->error, "at least %",
                        damaged_list(l, number, "size of the block", WORD_GOES_ON, length));
    uint32_t heads = once(load32(bytes)), back = once(load32(bytes + 4)),
             before = once(load32(bytes + 8)), here = once(load32(bytes + 12)),
             after = once(load32(bytes + 16));
    if (heads) return damaged_list(l, number, "words", 0, heads);
    if (back != number - l->first_block)
        return damaged_list(l, number, "blocks before", number - l->first_block, back);
    if (before != l->read) return damaged_list(l, number, "postings before", l->read, before);
    if (here < 1 || here > l->total - l->read)
        return allowing(l->error, "1 .. %",
                        damaged_list(l, number, "postings of a block", l->total - l->read, here));
    l->here = here;
    l->bits = (bit_stream){bytes + WORD_GOES_ON, length - WORD_GOES_ON, 0};
    if (l->rank_left == 0) {
        status = begin_rank(l);
    } else {
        status = begin_part(l);
    }
    if (!status && after != l->after)
        status = damaged_list(l, number, "document before", l->after, after);
    return status;
}

uint32_t word_list_take(word_list *l, uint32_t *documents, uint32_t room, uint32_t *rank,
                        uint32_t *count) {
    uint32_t status = POCKET_OK;
    *count = 0;
    if (l->read == l->total) return POCKET_OK;
    if (l->here == 0)
        status = next_block(l);
    else if (l->rank_left == 0)
        status = begin_rank(l);
    if (status) return status;
    uint32_t taken = l->part < room ? l->part : room, k = l->low_bits, most = l->index->documents;
    uint64_t after = l->after, lows = l->lows, mask = (1ull << k) - 1, highs = 0;
    bit_stream bits = l->bits;
    for (uint32_t i = 0; i < taken; i++, lows += k) {
        uint64_t low = bits_from(&bits, lows) & mask,
                 document = after + ((uint64_t)next_zeros(&bits, &highs) << k) + low;
        documents[i] = once((uint32_t)document);
        if (document >= most || documents[i] != document || bits_overrun(&bits))
            return allowing(l->error, "less than %",
                            damaged_list(l, l->block, "posting", most, document));
        after = (uint64_t)documents[i] + 1;
    }
    l->bits = bits;
    l->lows = lows;
    l->after = (uint32_t)after;
    l->part -= taken;
    l->here -= taken;
    l->rank_left -= taken;
    l->read += taken;
    *rank = l->rank;
    *count = taken;
    return POCKET_OK;
}

/* Checks of a packed libcmph hash. cmph_search_packed takes no length and follows whatever it
 * finds, so everything that it uses as an index, a divisor or the end of a search is checked first:
 * - bmz, bdz: the algorithm, the kind of hash function and every size, which decide the length;
 * constant time.
 * - chd: the same, and both of its select structures, so that a search for the i-th one ends; reads
 * about one bit a key. */
#include "cmph/cmph_check.h"
#include "base/bytes.h"
#include "file/keys/part.h"

/* libcmph's own numbers, which are in the packed bytes. */
enum { PACKED_BMZ = 0, PACKED_BDZ = 5, PACKED_CHD_PH = 7, PACKED_CHD = 8, JENKINS = 0 };

static uint64_t words_for(uint64_t bits) { return (bits + 31) / 32; }

/* algorithm, hash kind, seed, hash kind, seed, vertices v, v labels */
static int check_bmz(const uint8_t *p, size_t length) {
    if (length < 24 || load32(p) != PACKED_BMZ || load32(p + 4) != JENKINS ||
        load32(p + 12) != JENKINS)
        return 0;
    uint32_t vertices = load32(p + 20);
    return vertices > 0 && length - 24 == 4 * (uint64_t)vertices;
}

/* algorithm, hash kind, seed, r, ranks k, k ranks, log2 of the vertices a rank, 2 bits a vertex of
 * 3 r */
static int check_bdz(const uint8_t *p, size_t length) {
    if (length < 21 || load32(p) != PACKED_BDZ || load32(p + 4) != JENKINS) return 0;
    uint64_t vertices = 3 * (uint64_t)load32(p + 12), ranks = load32(p + 16);
    if (vertices == 0 || vertices > UINT32_MAX || ranks > (length - 21) / 4) return 0;
    uint32_t step = p[20 + 4 * ranks];
    if (step < 3 || step > 10 || ranks != (vertices + (1u << step) - 1) >> step) return 0;
    return length - 21 - 4 * ranks == (vertices + 3) / 4;
}

/* ones n, zeros m, n + m bits, and where every 128th one is. */
typedef struct selector {
    const uint8_t *bits;
    uint32_t ones, zeros, length;
} selector;

static int check_select(selector *s, const uint8_t *p, size_t length) {
    if (length < 8) return 0;
    s->ones = load32(p);
    s->zeros = load32(p + 4);
    s->bits = p + 8;
    s->length = s->ones + s->zeros;
    uint64_t words = words_for((uint64_t)s->ones + s->zeros), marks = s->ones / 128 + 1;
    if ((uint64_t)s->ones + s->zeros > INT32_MAX || length != 8 + 4 * (words + marks)) return 0;
    const uint8_t *mark = s->bits + 4 * words;
    uint32_t seen = 0;
    for (uint32_t at = 0; at < words; at++) {
        uint32_t word = load32(s->bits + 4 * (size_t)at);
        for (uint32_t bit = 0; word; bit++, word >>= 1) {
            if (!(word & 1)) continue;
            if (seen % 128 == 0 && load32(mark + 4 * (size_t)(seen / 128)) != 32 * at + bit)
                return 0;
            seen++;
        }
    }
    return seen == s->ones &&
           (s->length % 32 == 0 || load32(s->bits + 4 * (words - 1)) >> s->length % 32 == 0);
}

/* Numbers in two pieces: low bits in a row, and as many high steps as there are zeros before the
 * number's one (or, in the other structure, ones before its zero). */
typedef struct pieces {
    selector select;
    const uint8_t *low;
    uint32_t count, low_bits;
} pieces;

/* p points to: count, low bits, then (after skip bytes) the length of the selector, it, and the low
 * bits. The length of all, or 0. */
static uint64_t check_pieces(pieces *x, const uint8_t *p, size_t skip, size_t length) {
    if (length < 12 + skip) return 0;
    x->count = load32(p);
    x->low_bits = load32(p + 4);
    uint64_t select_length = load32(p + 8 + skip), used = 12 + skip;
    if (x->count < 1 || x->low_bits < 1 || x->low_bits > 24 || select_length % 4 != 0 ||
        select_length > length - used)
        return 0;
    if (!check_select(&x->select, p + used, (size_t)select_length)) return 0;
    used += select_length;
    x->low = p + used;
    uint64_t low = (uint64_t)x->count * x->low_bits;
    if (low > INT32_MAX || 4 * words_for(low) > length - used) return 0;
    return used + 4 * words_for(low);
}

static uint32_t low_of(const pieces *x, uint32_t i) {
    return load_bits(x->low, (uint64_t)i * x->low_bits, x->low_bits);
}

static int bit_of(const selector *s, uint32_t at) { return s->bits[at / 8] >> at % 8 & 1; }

/* Ranks of the free bins: largest free bin, then pieces. A rank counts on from a one until the low
 * bits reach those asked for: the last number has to stop it. */
static int check_ranks(const uint8_t *p, size_t length) {
    pieces x;
    if (length <= 4 || check_pieces(&x, p + 4, 0, length - 4) != length - 4) return 0;
    uint32_t largest = load32(p);
    if (x.select.zeros != x.count || x.select.ones != largest >> x.low_bits) return 0;
    return !bit_of(&x.select, x.select.length - 1) &&
           low_of(&x, x.count - 1) == (largest & ((1u << x.low_bits) - 1));
}

/* Displacements of the buckets: pieces that say where each one's bits end, then those bits. Only
 * those that reach into the last two words can make libcmph read past them, so only those are
 * compared with their successors. */
static int check_displacements(const uint8_t *p, size_t length, uint32_t buckets) {
    pieces x;
    uint64_t used = check_pieces(&x, p, 4, length);
    if (!used) return 0;
    uint64_t total = load32(p + 8), words = words_for(total);
    if (x.count != buckets || x.select.ones != buckets || x.select.zeros != total >> x.low_bits ||
        length - used != 4 * words)
        return 0;
    uint64_t danger = words > 2 ? 32 * (words - 2) : 0, next = total, step = x.select.zeros;
    uint32_t i = buckets;
    for (uint32_t at = x.select.length; at-- > 0 && ((step + 1) << x.low_bits) > danger;) {
        if (!bit_of(&x.select, at)) {
            step--;
            continue;
        }
        uint64_t end = (step << x.low_bits) + low_of(&x, --i);
        if (end > next) return 0;
        next = end;
    }
    return 1;
}

/* algorithm, length of the ranks, ranks, length of the rest; algorithm, hash kind, seed, bins,
 * buckets, displacements */
static int check_chd(const uint8_t *p, size_t length) {
    if (length < 8 || load32(p) != PACKED_CHD) return 0;
    uint64_t ranks = load32(p + 4);
    if (length - 8 < ranks || length - 8 - ranks < 24 || !check_ranks(p + 8, (size_t)ranks))
        return 0;
    const uint8_t *rest = p + 8 + ranks;
    uint64_t left = length - 12 - ranks;
    if (load32(rest) != left || load32(rest + 4) != PACKED_CHD_PH || load32(rest + 8) != JENKINS)
        return 0;
    uint32_t bins = load32(rest + 16), buckets = load32(rest + 20);
    return bins > 1 && buckets > 0 && check_displacements(rest + 24, (size_t)left - 20, buckets);
}

int cmph_check(uint32_t mph, const uint8_t *hash, size_t length) {
    switch (mph) {
    case POCKET_MPH_BMZ: return check_bmz(hash, length);
    case POCKET_MPH_BDZ: return check_bdz(hash, length);
    case POCKET_MPH_CHD: return check_chd(hash, length);
    default: return 0;
    }
}

#include "sketch/score.h"

#include "base/bits.h"
#include "base/memory.h"
#include "base/root.h"

/* For every value of every byte the sum of the weights of its agreeing bits, each value from one
 * with a bit less. */
static void fill_shares(ranking *r, uint32_t bytes) {
    const sketch *s = r->sketch;
    for (uint32_t b = 0; b < bytes; b++) {
        uint32_t *shares = r->shares + 256 * (size_t)b, gain[8];
        shares[0] = 0;
        for (uint32_t i = 0; i < 8; i++) {
            uint32_t j = 8 * b + i, weight = j < r->profile->component_count
                                                 ? (r->weighted ? s->weights[j] : 1)
                                                 : 0;
            int set = weight && s->digits[j];
            shares[0] += set ? 0 : weight;
            gain[i] = set ? weight : 0 - weight;
        }
        for (uint32_t i = 0; i < 8; i++)
            for (uint32_t v = 0; v < 1u << i; v++) shares[v | 1u << i] = shares[v] + gain[i];
    }
}

int ranking_alloc(ranking *r, const profile *p) {
    uint32_t bytes = sketch_bytes(p);
    size_t shares = profile_is_binary(p) ? 1024 * (size_t)bytes : 0;
    *r = (ranking){.profile = p};
    uint32_t *memory = pocket_malloc(shares + 2 * (size_t)bytes + p->component_count);
    if (!memory) return 0;
    r->memory = memory;
    if (shares) r->shares = memory;
    r->own = (uint8_t *)memory + shares;
    r->whole = r->own + bytes;
    r->other = r->whole + bytes;
    return 1;
}

void ranking_free(ranking *r) { pocket_free(r->memory); }

void ranking_begin(ranking *r, const sketch *s) {
    const profile *p = r->profile;
    r->sketch = s;
    r->total = 0;
    for (uint32_t j = 0; j < p->component_count; j++) r->total += s->weights[j];
    r->weighted = r->total > 0;
    if (!r->weighted) r->total = p->component_count;
    r->inverse = (1ull << 63) / r->total;
    memset(r->own, 0, sketch_bytes(p));
    sketch_pack(p, s->digits, r->own);
    if (r->shares) fill_shares(r, sketch_bytes(p));
}

static uint64_t agreeing_shares(const uint32_t *shares, const uint8_t *packed, uint32_t bytes) {
    uint64_t sum = 0;
    uint32_t b = 0;
    for (; b + 4 <= bytes; b += 4, shares += 4 * 256)
        sum += shares[packed[b]] + shares[256 + packed[b + 1]] + shares[512 + packed[b + 2]] +
               shares[768 + packed[b + 3]]; /* 32 weights of 16 bits */
    for (; b < bytes; b++, shares += 256) sum += shares[packed[b]];
    return sum;
}

int ranking_agreement(const ranking *r, packed_sketch stored, uint32_t *agreement) {
    const profile *p = r->profile;
    uint64_t agreeing = 0;
    if (r->shares) {
        uint32_t coarse = coarse_bytes(p);
        agreeing = agreeing_shares(r->shares, stored.coarse, coarse) +
                   agreeing_shares(r->shares + 256 * coarse, stored.rest, sketch_bytes(p) - coarse);
    } else {
        const uint8_t *packed = sketch_whole(p, stored, r->whole);
        if (!sketch_unpack(p, packed, 0, p->component_count, 0, r->other)) return 0;
        for (uint32_t j = 0; j < p->component_count; j++)
            if (r->other[j] == r->sketch->digits[j])
                agreeing += r->weighted ? r->sketch->weights[j] : 1;
    }
    /* agreeing * 65536 / total, or one less, which the remainder tells. */
    uint64_t quotient = agreeing * r->inverse >> 47;
    *agreement = (uint32_t)(quotient + ((agreeing << 16) - quotient * r->total >= r->total));
    return 1;
}

/* 32768 (1 - cos(pi i / 64)), the first half; the second mirrors it. */
static const uint16_t RISE[33] = {0,     39,    158,   355,   630,   982,   1411,  1915,  2494,
                                  3146,  3869,  4662,  5522,  6448,  7438,  8489,  9598,  10762,
                                  11980, 13248, 14563, 15922, 17321, 18758, 20228, 21729, 23256,
                                  24806, 26375, 27960, 29556, 31160, 32768};

static uint32_t rise(uint32_t i) { return i <= 32 ? RISE[i] : 65536u - RISE[64 - i]; }

/* Signs of two Gaussians of correlation c agree with probability a = 1 - acos(c) / pi, and,
 * weighted by the size of one, (1 + c) / 2. */
static uint32_t as_weighted(const profile *p, uint32_t agreement) {
    if (!profile_is_binary(p)) return agreement;
    uint32_t i = agreement >> 10, f = agreement & 1023u;
    return f ? rise(i) + ((rise(i + 1) - rise(i)) * f >> 10) : rise(i);
}

uint32_t similarity_of(const profile *p, uint32_t agreement, int weighted) {
    uint32_t similarity = agreement * 10000u >> 16;
    if (p->scheme->cosine) {
        if (!weighted) agreement = as_weighted(p, agreement);
        similarity = agreement > 32768 ? (agreement - 32768) * 10000u >> 15 : 0;
    }
    return similarity < 9999 ? similarity : 9999;
}

/* Of the number of documents. */
static uint32_t bits_of(uint32_t documents) { return documents ? highest_one(documents) + 1 : 0; }

/* A quarter of ln 2 for each bit of the number of documents, times pi / 2, in hundred-thousandths:
 * docs/format.md, section 8. */
#define LUCK_OF_A_BIT 27222u

uint32_t without_luck(const profile *p, uint32_t similarity, uint32_t documents) {
    if (!p->scheme->cosine || similarity == 10000) return similarity;
    uint64_t s = similarity, root = square_root(100000000 - s * s);
    uint64_t luck = LUCK_OF_A_BIT * bits_of(documents) * root * root * root /
                    (10000000000000u * (uint64_t)p->component_count);
    return similarity > luck ? similarity - (uint32_t)luck : 0;
}

/* sqrt(pi / 2) in ten-thousandths. */
#define HALF_PI_ROOT 12533u

/* For numbers of documents of 0, 1, ... 32 bits the deviation, in thousandths, that a Gaussian
 * exceeds once in 2,048 times 2^bits. */
static const uint16_t RARE[33] = {3297, 3487, 3668, 3842, 4009, 4170, 4325, 4475, 4621, 4763, 4901,
                                  5035, 5167, 5295, 5420, 5543, 5663, 5780, 5896, 6009, 6121, 6230,
                                  6338, 6444, 6548, 6651, 6752, 6852, 6951, 7048, 7144, 7238, 7332};
/* However many bits a sketch has: the more documents, the nearer the nearest really is to a text
 * that has little to do with any, and that ever more slowly. */
#define NEAREST 8140u
#define NEAREST_LESS 62400u /* divided by the bits of the number of documents and NEAREST_BITS */
#define NEAREST_BITS 12u
/* Of schemes whose similarity is a share of components. */
#define LEAST_SHARE 3000u

uint32_t min_related(uint32_t documents) {
    return NEAREST - NEAREST_LESS / (bits_of(documents) + NEAREST_BITS);
}

uint32_t min_similarity(const profile *p, uint32_t documents, int weighted) {
    if (!p->scheme->cosine) return LEAST_SHARE;
    uint32_t rare = RARE[bits_of(documents)], root = square_root(1000000ull * p->component_count),
             related = min_related(documents);
    uint64_t gaussian = (uint64_t)rare * HALF_PI_ROOT / root;
    uint32_t least =
        (uint32_t)(10000 * gaussian / square_root(100000000 + 113 * gaussian * gaussian / 355));
    if (!weighted) {
        uint32_t agreement = 32768 + 32768u * rare / root;
        least = similarity_of(p, agreement < 65536 ? agreement : 65536, 0);
    }
    least = without_luck(p, least < 9999 ? least : 9999, documents);
    return least > related ? least : related;
}

uint32_t similarity_error(const profile *p, uint32_t similarity) {
    uint64_t s = similarity < 10000 ? similarity : 10000, d = p->component_count;
    if (!p->scheme->cosine) return square_root(s * (10000 - s) / d);
    uint64_t half = square_root(100000000 - s * s),
             quarter = square_root(half * 10000); /* (1 - s^2)^(1/2), ^(1/4) */
    return (uint32_t)(half * quarter / 10000 * HALF_PI_ROOT / square_root(100000000 * d));
}

int ranking_is_same(const ranking *r, packed_sketch stored) {
    const uint8_t *packed = sketch_whole(r->profile, stored, r->whole);
    uint32_t bytes = sketch_bytes(r->profile), used = r->profile->sketch_bits % 8;
    uint8_t last = (uint8_t)(used ? (1u << used) - 1 : 255u);
    return memcmp(packed, r->own, bytes - 1) == 0 &&
           ((packed[bytes - 1] ^ r->own[bytes - 1]) & last) == 0;
}

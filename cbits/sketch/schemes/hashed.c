/* The schemes that project a text's weighted terms onto hashed directions, in integers: `rff`,
 * whose directions have two classes each, and `plsh`, whose directions give it a Gaussian number.
 * docs/format.md 2.4 and 2.5 are the definition. */
#include "base/bits.h"
#include "base/bytes.h"
#include "base/hashes/hash.h"
#include "base/memory.h"
#include "base/meter.h"
#include "base/root.h"
#include "sketch/bag.h"
#include "sketch/profile.h"
#include "sketch/registers.h"
#include "text/terms.h"

#define HASHED_HEAD 8u
#define MAX_DIRECTIONS 1024u /* a multiple of 64 */
#define LEAST_SLOTS 256u
#define MOST_SLOTS 131072u

typedef struct hashed_body {
    const uint8_t *weights;
    uint32_t slots, directions;
} hashed_body;

static hashed_body hashed_open_body(const profile *p) {
    return (hashed_body){p->body + HASHED_HEAD, p->fields[0], p->fields[1]};
}

static const char *hashed_check(const profile *p) {
    if (p->body_length < HASHED_HEAD) return "body";
    uint32_t slots = p->fields[0], directions = p->fields[1];
    if (slots < LEAST_SLOTS || slots > MOST_SLOTS || (slots & (slots - 1))) return "term weights";
    if (directions < 1 || directions > MAX_DIRECTIONS) return "directions";
    if (p->body_length != HASHED_HEAD + slots) return "body";
    for (uint32_t j = 0; j < p->component_count; j++)
        if (component_source(p, j) >= directions) return "source";
    return NULL;
}

static int32_t weight_of(const hashed_body *b, uint64_t whole) {
    return b->weights[whole >> 32 & (b->slots - 1)];
}

static pocket_class hashed_classify(const profile *p, const term_stream *term) {
    hashed_body b = hashed_open_body(p);
    uint64_t whole = murmur_padded(term->bytes, term->length);
    int stops = profile_stops(p->stops, p->stop_slots, whole);
    return (pocket_class){whole, stops ? -1 : 0, stops ? 0 : weight_of(&b, whole)};
}

static uint32_t hashed_classes(const profile *p) {
    (void)p;
    return 1;
}

/* The two classes of a term in 64 directions, a bit each: in one of four it is in the first class,
 * in one of four in the second, in the others in neither. So a text's sums are nearer to the
 * Gaussian ones that its similarity expects than if every term were in either (docs/design.md). */
typedef struct term_classes {
    uint64_t first, second;
} term_classes;

static inline term_classes classes_of(uint64_t whole, uint32_t word) {
    uint64_t a = mix64(whole + 2 * word + 1), b = mix64(whole + 2 * word + 2);
    return (term_classes){a & b, ~(a | b)};
}

/* The ones of 64 bits by chance are as good as normally distributed: mean 32, variance 16. */
static inline int32_t gaussian(uint64_t whole, uint32_t direction) {
    return (int32_t)count_ones(mix64(whole + direction + 1)) - 32;
}

static int is_gaussian(const profile *p) { return p->scheme == &scheme_plsh; }

static int32_t hashed_influence(const profile *p, const pocket_class *term, uint32_t component) {
    uint32_t direction = component_source(p, component);
    if (is_gaussian(p)) return gaussian(term->hash, direction) * term->value;
    term_classes c = classes_of(term->hash, direction / 64);
    return ((int32_t)(c.first >> direction % 64 & 1) - (int32_t)(c.second >> direction % 64 & 1)) *
           term->value;
}

/* ---- sums of terms, direction by direction ---- */

/* So many terms, of weight 255 at most, fit in 16 bits: the fast sums. */
#define TERMS_AT_ONCE 128u

typedef struct sums {
    int16_t now[MAX_DIRECTIONS];
    int64_t all[MAX_DIRECTIONS];
    uint32_t count, terms;
} sums;

static void gather_sums(sums *s) {
    for (uint32_t j = 0; j < s->count; j++) {
        s->all[j] += s->now[j];
        s->now[j] = 0;
    }
    s->terms = 0;
}

#ifdef POCKET_FREESTANDING /* small, because nothing adds eight at once */

static void add_by_eights(sums *s, uint64_t whole, int16_t weight) {
    term_classes c = {0, 0};
    for (uint32_t j = 0; j < s->count; j++, c.first >>= 1, c.second >>= 1) {
        if (j % 64 == 0) c = classes_of(whole, j / 64);
        s->now[j] = (int16_t)(s->now[j] + ((int)(c.first & 1) - (int)(c.second & 1)) * weight);
    }
}

#else

/* Eight bits as eight numbers. */
#define ONE(b, k) ((b) >> (k) & 1)
#define ROW(b) \
    {ONE(b, 0), ONE(b, 1), ONE(b, 2), ONE(b, 3), ONE(b, 4), ONE(b, 5), ONE(b, 6), ONE(b, 7)}
#define ROWS4(b) ROW(b), ROW((b) + 1), ROW((b) + 2), ROW((b) + 3)
#define ROWS16(b) ROWS4(b), ROWS4((b) + 4), ROWS4((b) + 8), ROWS4((b) + 12)
#define ROWS64(b) ROWS16(b), ROWS16((b) + 16), ROWS16((b) + 32), ROWS16((b) + 48)
static const int16_t byte_bits[256][8] = {ROWS64(0), ROWS64(64), ROWS64(128), ROWS64(192)};

static inline void add_eight(int16_t *restrict to, term_classes c, uint32_t shift, int16_t weight) {
    const int16_t *restrict first = byte_bits[c.first >> shift & 255],
                            *restrict second = byte_bits[c.second >> shift & 255];
    for (uint32_t k = 0; k < 8; k++) to[k] = (int16_t)(to[k] + (first[k] - second[k]) * weight);
}

/* Sums beyond the last direction, up to the next eight, are added to and not read. */
static void add_by_eights(sums *s, uint64_t whole, int16_t weight) {
    for (uint32_t j = 0; j < s->count; j += 64) {
        term_classes c = classes_of(whole, j / 64);
        uint32_t left = s->count - j < 64 ? s->count - j : 64;
        for (uint32_t shift = 0; shift < left; shift += 8)
            add_eight(s->now + j + shift, c, shift, weight);
    }
}

#endif

#ifdef BY_FOURS

/* A class is a mask of 32 sums, in a register that wide. Those beyond the last direction, up to the
 * next 64, are added to and not read. */
static ALWAYS_INLINE BY_FOURS void add_masked(int16_t *to, uint64_t first, uint64_t second,
                                              __m512i weight) {
    __m512i own = _mm512_loadu_si512(to);
    own = _mm512_mask_add_epi16(own, (__mmask32)first, own, weight);
    _mm512_storeu_si512(to, _mm512_mask_sub_epi16(own, (__mmask32)second, own, weight));
}

static BY_FOURS void add_by_masks(sums *s, uint64_t whole, int16_t weight) {
    __m512i wide = _mm512_set1_epi16(weight);
    for (uint32_t j = 0; j < s->count; j += 64) {
        term_classes c = classes_of(whole, j / 64);
        add_masked(s->now + j, c.first, c.second, wide);
        if (j + 32 < s->count) add_masked(s->now + j + 32, c.first >> 32, c.second >> 32, wide);
    }
}

#else
#define add_by_masks add_by_eights
#endif

static void add_term(sums *s, uint64_t whole, int16_t weight, int registers) {
    if (registers == REGISTERS_FOURS)
        add_by_masks(s, whole, weight);
    else
        add_by_eights(s, whole, weight);
    if (++s->terms == TERMS_AT_ONCE) gather_sums(s);
}

static void add_gaussian_term(sums *s, uint64_t whole, int32_t weight) {
    for (uint32_t j = 0; j < s->count; j++) s->all[j] += gaussian(whole, j) * weight;
}

static uint64_t read_terms(const profile *p, const hashed_body *b, const uint8_t *text,
                           uint64_t length, const sketch *out, sums *s) {
    term_stream terms;
    meter *steps = out->meter;
    uint64_t total = 0;
    int gaussians = is_gaussian(p);
    s->count = b->directions;
    s->terms = 0;
    memset(s->now, 0, sizeof s->now);
    memset(s->all, 0, s->count * sizeof *s->all);
    term_stream_begin(&terms, text, length, p->stream);
    terms.meter = steps;
    while (term_stream_next(&terms)) {
        uint64_t whole = murmur_padded(terms.bytes, terms.length);
        if (profile_stops(p->stops, p->stop_slots, whole)) continue;
        if (steps && interrupted(steps, s->count / (gaussians ? 32 : 256))) break;
        int16_t weight = (int16_t)weight_of(b, whole);
        total++;
        if (out->distinct) {
            if (bag_add(out->distinct, whole, (uint16_t)weight) != 1) continue;
            weight = (int16_t)square_root((uint64_t)weight << 8);
        }
        if (gaussians)
            add_gaussian_term(s, whole, weight);
        else
            add_term(s, whole, weight, p->registers);
    }
    gather_sums(s);
    return total;
}

/* ---- sums -> ratios -> digits ---- */

static uint64_t magnitude(int64_t x) { return x < 0 ? 0 - (uint64_t)x : (uint64_t)x; }

/* Divide the sums, toward zero, by the power of two that brings the largest below 2^20; returns
 * their root mean square in 1/256. */
static int64_t normalise(sums *s) {
    uint64_t largest = 0, squares = 0;
    uint32_t shift = 0;
    for (uint32_t j = 0; j < s->count; j++)
        if (magnitude(s->all[j]) > largest) largest = magnitude(s->all[j]);
    while (largest >> shift >= 1u << 20) shift++;
    for (uint32_t j = 0; j < s->count; j++) {
        s->all[j] = s->all[j] < 0 ? -(-s->all[j] >> shift) : s->all[j] >> shift;
        squares += (uint64_t)(s->all[j] * s->all[j]);
    }
    uint32_t root = square_root(squares / s->count << 16);
    return root ? root : 1;
}

/* Distance of a ratio (16.16) to a border, in 1/1024. */
static uint32_t margin(int64_t ratio, int32_t border) {
    uint64_t distance = magnitude(ratio - border) >> 6;
    return distance < 65535 ? (uint32_t)distance : 65535;
}

/* A component's digit, costs and weight from its ratio. */
static void place(const profile *p, sketch *out, uint32_t j, int64_t ratio, const uint8_t *borders,
                  uint32_t last) {
    uint32_t digit = 0, down = POCKET_NO_MOVE, up = POCKET_NO_MOVE;
    while (digit < last && ratio >= (int32_t)load32(borders + 4 * digit)) digit++;
    out->digits[j] = (uint8_t)digit;
    if (!out->down) return;
    if (digit > 0) down = margin(ratio, (int32_t)load32(borders + 4 * (digit - 1)));
    if (digit < last) up = margin(ratio, (int32_t)load32(borders + 4 * digit));
    out->weights[j] = !p->scheme->cosine ? 1 : down < up ? down : up;
    out->down[j] = down == POCKET_NO_MOVE ? POCKET_NO_MOVE : down * down + 1;
    out->up[j] = up == POCKET_NO_MOVE ? POCKET_NO_MOVE : up * up + 1;
}

static uint32_t hashed_embed(const profile *p, const uint8_t *text, uint64_t length, sketch *out) {
    hashed_body b = hashed_open_body(p);
    sums s;
    out->terms = read_terms(p, &b, text, length, out, &s);
    if (out->terms < out->least) return POCKET_TEXT_TOO_SHORT;
    int64_t root = normalise(&s);
    const uint8_t *borders = p->borders;
    for (uint32_t j = 0; j < p->component_count; j++) {
        uint32_t last = component_intervals(p, j) - 1;
        place(p, out, j, s.all[component_source(p, j)] * (1 << 24) / root, borders, last);
        borders += 4 * last;
    }
    return POCKET_OK;
}

const scheme scheme_rff = {
    2, 1, 1, hashed_check, hashed_embed, hashed_classify, hashed_classes, hashed_influence};
const scheme scheme_plsh = {
    3, 0, 1, hashed_check, hashed_embed, hashed_classify, hashed_classes, hashed_influence};

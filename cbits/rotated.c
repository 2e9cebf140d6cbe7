/* The schemes that project: `rff`, rotated fuzzy-fingerprinting, and `plsh`, p-stable hashing, in integers. docs/format.md 2.4 and 2.5 are the
 * definition: weighted terms fall into signed classes, these are projected on directions; or each term goes straight to hashed directions. */
#include "bits.h"
#include "bytes.h"
#include "hash.h"
#include "prefix.h"
#include "profile.h"
#include "root.h"
#include "terms.h"

#define ROTATED_HEAD 32u
#define ROTATED_CLASSES 4096u
#define MAX_DIRECTIONS 1024u
#define MAX_HASHED 1024u
#define LEAST_VALUES 256u /* bounds of the two tables that terms are hashed into */
#define MOST_VALUES 131072u

enum { STORED, GAUSSIAN };

typedef struct rotated_body {
    const uint8_t *weights, *classes, *scales, *rotation; /* rotation: count rows of directions bytes; NULL when neutral */
    uint32_t prefix, bins, count, weight_slots, directions, made, spread, hashed; /* made: STORED or GAUSSIAN */
} rotated_body;

static rotated_body rotated_open_body(const profile *p) {
    const uint32_t *f = p->fields;
    rotated_body r = {p->body + ROTATED_HEAD, NULL, NULL, NULL, f[0], f[1], f[2], f[3], f[4], f[5], f[6], f[7]};
    r.classes = r.weights + r.weight_slots;
    r.scales = r.classes + 2 * (uint64_t)r.bins;
    if (r.made == STORED) r.rotation = r.scales + pad8(2 * (uint64_t)r.count);
    return r;
}

static int is_table_size(uint32_t n) { return n >= LEAST_VALUES && n <= MOST_VALUES && (n & (n - 1)) == 0; }

static const char *rotated_check(const profile *p) {
    if (p->body_length < ROTATED_HEAD) return "body";
    const uint32_t *f = p->fields, prefix = f[0], bins = f[1], count = f[2], slots = f[3], directions = f[4], made = f[5];
    if (prefix > 16) return "prefix length";
    if (!is_table_size(bins)) return "prefix bins";
    if (count < 2 || count > ROTATED_CLASSES) return "classes";
    if (!is_table_size(slots)) return "term weights";
    if (directions > MAX_DIRECTIONS) return "directions";
    if (made > GAUSSIAN) return "rotation";
    if (f[6] == 0) return "spread";
    if (f[7] > MAX_HASHED) return "hashed directions";
    uint64_t scales = ROTATED_HEAD + slots + 2ull * bins, used = scales + 2ull * count;
    if (p->body_length < pad8(used)) return "body";
    for (uint64_t i = used; i < pad8(used); i++)
        if (p->body[i] != 0) return "body";
    if (made == STORED) used = pad8(used) + (uint64_t)count * directions;
    if (p->body_length != pad8(used)) return "body";
    for (uint64_t i = used; i < p->body_length; i++)
        if (p->body[i] != 0) return "body";
    for (uint32_t i = 0; i < bins; i++)
        if ((load16(p->body + ROTATED_HEAD + slots + 2 * i) & 0x7FFFu) >= count) return "classes";
    for (uint32_t j = 0; j < p->component_count; j++)
        if (component_source(p, j) >= directions + f[7]) return "source";
    return NULL;
}

/* A class with its sign in bit 15, as the profile stores it. */
static inline uint32_t signed_class(const rotated_body *b, const pocket_terms *term, uint64_t whole) {
    uint64_t hash = b->prefix ? prefix_hash(term->bytes, term->length, b->prefix) : whole;
    return load16(b->classes + 2 * (hash & (b->bins - 1)));
}

static int32_t weight_of(const rotated_body *b, uint64_t whole) { return b->weights[whole >> 32 & (b->weight_slots - 1)]; }

static pocket_class rotated_classify(const profile *p, const pocket_terms *term) {
    rotated_body b = rotated_open_body(p);
    uint64_t whole = pocket_murmur(term->bytes, term->length);
    uint32_t class = signed_class(&b, term, whole);
    int32_t weight = weight_of(&b, whole), stops = profile_stops(p->stops, p->stop_slots, whole);
    return (pocket_class){whole, stops ? -1 : (int32_t)(class & 0x7FFFu), stops ? 0 : class >> 15 ? -weight : weight};
}

static uint32_t rotated_classes(const profile *p) { return rotated_open_body(p).count; }

/* The ones of 64 bits by chance are as good as normally distributed: mean 32, variance 16. */
static inline int32_t gaussian(uint32_t class, uint32_t direction) { return (int32_t)count_ones(pocket_mix(1024 * (uint64_t)class + direction + 1)) - 32; }

/* The signs of a term in 64 hashed directions, a bit each. */
static inline uint64_t term_signs(uint64_t whole, uint32_t word) { return pocket_mix(whole + word + 1); }

static int32_t rotated_influence(const profile *p, const pocket_class *term, uint32_t component) {
    rotated_body b = rotated_open_body(p);
    uint32_t direction = component_source(p, component), class = (uint32_t)term->number;
    if (direction >= b.directions) {
        uint32_t hashed = direction - b.directions;
        int32_t weight = term->value < 0 ? -term->value : term->value;
        return term_signs(term->hash, hashed / 64) >> hashed % 64 & 1 ? weight : -weight;
    }
    int32_t entry = b.made == GAUSSIAN ? gaussian(class, direction) : (int8_t)b.rotation[(size_t)class * b.directions + direction];
    return entry * load16(b.scales + 2 * class) / 16 * term->value;
}

static uint64_t magnitude(int64_t x) { return x < 0 ? 0 - (uint64_t)x : (uint64_t)x; }

/* Divide all by the power of two that brings largest below limit, toward zero. */
static void shrink(int64_t *values, uint32_t count, uint64_t largest, uint64_t limit) {
    uint32_t shift = 0;
    while (largest >> shift >= limit) shift++;
    if (shift > 0)
        for (uint32_t i = 0; i < count; i++) values[i] = values[i] < 0 ? -(-values[i] >> shift) : values[i] >> shift;
}

static uint64_t sum_of_squares(const int64_t *values, uint32_t count) {
    uint64_t sum = 0;
    for (uint32_t i = 0; i < count; i++) sum += (uint64_t)(values[i] * values[i]);
    return sum;
}

/* The classes that a text has: most texts have few of them. */
typedef struct class_values {
    int64_t values[ROTATED_CLASSES];
    uint64_t seen[ROTATED_CLASSES / 64]; /* a bit a class that has had a term */
    uint16_t classes[ROTATED_CLASSES];
    uint32_t count;
} class_values;

/* Leave out the classes whose sum is zero. */
static void compact(const rotated_body *b, class_values *c) {
    c->count = 0;
    for (uint32_t word = 0; word <= (b->count - 1) / 64; word++)
        for (uint64_t left = c->seen[word]; left; left &= left - 1) {
            uint32_t class = 64 * word + lowest_one(left);
            c->values[c->count] = c->values[class];
            c->classes[c->count] = (uint16_t)class;
            c->count += c->values[class] != 0;
        }
}

/* Class sums to scaled ones of length below 2^15; returns the length in 1/256. */
static uint32_t normalise(const rotated_body *b, class_values *c) {
    uint64_t largest = 0;
    for (uint32_t i = 0; i < c->count; i++) {
        c->values[i] *= load16(b->scales + 2 * c->classes[i]);
        if (magnitude(c->values[i]) > largest) largest = magnitude(c->values[i]);
    }
    shrink(c->values, c->count, largest, 1u << 20);
    shrink(c->values, c->count, square_root(sum_of_squares(c->values, c->count)), 1u << 15);
    uint32_t length = square_root(sum_of_squares(c->values, c->count) << 16);
    return length ? length : 1;
}

/* LANES directions at a time, in types that a processor multiplies many of at once. */
#define LANES 16u

static inline void add_row(int32_t *restrict rotated, const uint8_t *restrict row, int16_t value) {
    for (uint32_t j = 0; j < LANES; j++) rotated[j] += (int16_t)(int8_t)row[j] * value;
}

static void rotate(const rotated_body *b, const class_values *c, int32_t *rotated) {
    for (uint32_t j = 0; j < b->directions; j++) rotated[j] = 0;
    for (uint32_t i = 0; i < c->count; i++) {
        int16_t value = (int16_t)c->values[i]; /* below 2^15 either way */
        if (b->rotation) {
            const uint8_t *row = b->rotation + (size_t)c->classes[i] * b->directions;
            uint32_t j = 0;
            for (; j + LANES <= b->directions; j += LANES) add_row(rotated + j, row + j, value);
            for (; j < b->directions; j++) rotated[j] += (int8_t)row[j] * value;
        } else {
            for (uint32_t j = 0; j < b->directions; j++) rotated[j] += gaussian(c->classes[i], j) * value;
        }
    }
}

/* ---- hashed directions ---- */

/* Sums that a term is added to with a sign each. Of so many terms, of weight 255 at most, they fit in 16 bits. */
#define TERMS_AT_ONCE 128u

typedef struct hashed_sums {
    int16_t now[MAX_HASHED]; /* MAX_HASHED is a multiple of eight */
    int64_t all[MAX_HASHED];
    uint32_t count, terms;
} hashed_sums;

static void gather_sums(hashed_sums *h) {
    for (uint32_t j = 0; j < pad8(h->count); j++) {
        h->all[j] += h->now[j];
        h->now[j] = 0;
    }
    h->terms = 0;
}

/* Eight bits as eight signs. */
#define S(b, k) ((b) >> (k) & 1 ? 1 : -1)
#define ROW(b) {S(b, 0), S(b, 1), S(b, 2), S(b, 3), S(b, 4), S(b, 5), S(b, 6), S(b, 7)}
#define ROWS4(b) ROW(b), ROW((b) + 1), ROW((b) + 2), ROW((b) + 3)
#define ROWS16(b) ROWS4(b), ROWS4((b) + 4), ROWS4((b) + 8), ROWS4((b) + 12)
#define ROWS64(b) ROWS16(b), ROWS16((b) + 16), ROWS16((b) + 32), ROWS16((b) + 48)
static const int16_t byte_signs[256][8] = {ROWS64(0), ROWS64(64), ROWS64(128), ROWS64(192)};

static inline void add_signs(int16_t *restrict sums, const int16_t *restrict signs, int16_t weight) {
    for (uint32_t k = 0; k < 8; k++) sums[k] = (int16_t)(sums[k] + signs[k] * weight);
}

/* Sums beyond the last direction, up to the next eight, are added to and not read. */
static void add_term(hashed_sums *h, uint64_t whole, int32_t weight) {
    uint64_t signs = 0;
    for (uint32_t j = 0; j < h->count; j += 8, signs >>= 8) {
        if (j % 64 == 0) signs = term_signs(whole, j / 64);
        add_signs(h->now + j, byte_signs[signs & 255], (int16_t)weight);
    }
    if (++h->terms == TERMS_AT_ONCE) gather_sums(h);
}

/* Their values over their own root mean square, 16.16. */
static void hashed_ratios(hashed_sums *h, int64_t *ratios) {
    uint64_t largest = 0;
    gather_sums(h);
    for (uint32_t j = 0; j < h->count; j++)
        if (magnitude(h->all[j]) > largest) largest = magnitude(h->all[j]);
    shrink(h->all, h->count, largest, 1u << 20);
    uint32_t length = h->count ? square_root(sum_of_squares(h->all, h->count) / h->count << 16) : 1;
    for (uint32_t j = 0; j < h->count; j++) ratios[j] = h->all[j] * (1 << 24) / (int64_t)(length ? length : 1);
}

/* A direction's value over the text's length, 16.16. */
static int64_t ratio(int32_t rotated, uint32_t length) { return (int64_t)rotated * (1 << 24) / (int64_t)length; }

/* Distance to a border in 1/1024 of the spread. */
static uint32_t margin(int64_t value, int32_t border, uint32_t spread) {
    uint64_t distance = magnitude(value - border) * 1024 / spread;
    return distance < 65535 ? (uint32_t)distance : 65535;
}

static void read_terms(const profile *p, const rotated_body *b, const uint8_t *text, uint64_t length, class_values *c, hashed_sums *h, uint64_t *total) {
    pocket_terms terms;
    pocket_terms_begin(&terms, text, length, p->stream);
    for (uint32_t i = 0; i < b->count; i++) c->values[i] = 0;
    for (uint32_t i = 0; i <= (b->count - 1) / 64; i++) c->seen[i] = 0;
    for (*total = 0; pocket_terms_next(&terms);) {
        uint64_t whole = pocket_murmur(terms.bytes, terms.length);
        if (profile_stops(p->stops, p->stop_slots, whole)) continue;
        int32_t weight = weight_of(b, whole);
        uint32_t class = b->directions ? signed_class(b, &terms, whole) : 0;
        c->values[class & 0x7FFFu] += class >> 15 ? -weight : weight;
        c->seen[(class & 0x7FFFu) / 64] |= 1ull << (class & 63);
        if (h->count) add_term(h, whole, weight);
        ++*total;
    }
}

/* A component's digit, costs and weight from its ratio. */
static void place(sketch *out, uint32_t j, int64_t value, const uint8_t *borders, uint32_t last, uint32_t spread) {
    uint32_t digit = 0, down = POCKET_NO_MOVE, up = POCKET_NO_MOVE;
    while (digit < last && value >= (int32_t)load32(borders + 4 * digit)) digit++;
    out->digits[j] = (uint8_t)digit;
    if (out->ratios) out->ratios[j] = value < INT32_MIN ? INT32_MIN : value > INT32_MAX ? INT32_MAX : (int32_t)value;
    if (!out->down) return;
    if (digit > 0) down = margin(value, (int32_t)load32(borders + 4 * (digit - 1)), spread);
    if (digit < last) up = margin(value, (int32_t)load32(borders + 4 * digit), spread);
    out->weights[j] = down < up ? down : up;
    out->down[j] = down == POCKET_NO_MOVE ? POCKET_NO_MOVE : down * down + 1;
    out->up[j] = up == POCKET_NO_MOVE ? POCKET_NO_MOVE : up * up + 1;
}

static uint32_t rotated_embed(const profile *p, const uint8_t *text, uint64_t length, sketch *out) {
    rotated_body b = rotated_open_body(p);
    class_values c;
    int32_t rotated[MAX_DIRECTIONS];
    int64_t hashed[MAX_HASHED];
    hashed_sums h;
    h.count = b.hashed;
    h.terms = 0;
    for (uint32_t j = 0; j < pad8(b.hashed); j++) h.now[j] = 0, h.all[j] = 0;
    read_terms(p, &b, text, length, &c, &h, &out->terms);
    if (out->terms < p->least_terms) return POCKET_TEXT_TOO_SHORT;
    uint32_t norm = 1;
    if (b.directions) {
        compact(&b, &c);
        norm = normalise(&b, &c);
        rotate(&b, &c, rotated);
    }
    hashed_ratios(&h, hashed);
    const uint8_t *borders = p->borders;
    for (uint32_t j = 0; j < p->component_count; j++) {
        uint32_t last = component_intervals(p, j) - 1, source = component_source(p, j);
        if (source < b.directions) place(out, j, ratio(rotated[source], norm), borders, last, b.spread);
        else place(out, j, hashed[source - b.directions], borders, last, 1u << 16);
        borders += 4 * last;
    }
    return POCKET_OK;
}

const scheme scheme_rff = {2, 1, 1, rotated_check, rotated_embed, rotated_classify, rotated_classes, rotated_influence};
const scheme scheme_plsh = {3, 1, 1, rotated_check, rotated_embed, rotated_classify, rotated_classes, rotated_influence};

/* Raw deflate (RFC 1951), reading side.
 *
 * One look-up of a code's first bits finds most codewords; a longer one goes on bit by bit,
 * counting ranks in the canonical order (RFC 1951, 3.2.2), so that a table's size does not depend
 * on the stream. Behind the end of the input lie zeros ("ghosts") without end; they are counted,
 * which spares every codeword a check. */
#include "base/inflate.h"

#include "base/bytes.h"
#include "base/memory.h"

enum {
    LONGEST = 15,
    LITERALS = 286,
    DISTANCES = 30,
    FIXED_LITERALS = 288,
    FIXED_DISTANCES = 32,
    LENGTHS = 19,
    END_OF_BLOCK = 256
};
enum { LITERAL_WIDTH = 10, DISTANCE_WIDTH = 8, LENGTH_WIDTH = 7 };

/* An entry says what a codeword means: its length in the low byte, how many extra bits follow (<<
 * 8), a kind, a value (<< 16). */
enum { PLAIN = 1 << 12, LONGER = 2 << 12, END = 4 << 12, WRONG = 8 << 12 };

typedef struct code {
    uint32_t first[1 << LITERAL_WIDTH]; /* by the next bits; LONGER: the first bits of longer
                                           codewords, the value is their rank */
    uint32_t entries[FIXED_LITERALS];   /* of all codewords, in canonical order */
    uint32_t counts[LONGEST + 1];       /* codewords of each length */
    uint32_t brief;                     /* codewords that one look-up finds */
} code;

typedef struct stream {
    const uint8_t *next, *end;
    uint64_t bits; /* above the valid ones: zeros, or the low bits of *next */
    uint32_t valid;
    uint64_t ghosts;
    uint8_t *out, *start, *stop;
} stream;

/* At least 56 valid bits. */
static inline void refill(stream *s) {
    if (s->end - s->next >= 8) {
        s->bits |= load64(s->next) << s->valid;
        s->next += (63 - s->valid) / 8;
        s->valid |= 56;
        return;
    }
    for (; s->valid < 56; s->valid += 8) {
        if (s->next < s->end)
            s->bits |= (uint64_t)*s->next++ << s->valid;
        else
            s->ghosts++;
    }
}

static inline uint32_t take_bits(stream *s, uint32_t width) {
    uint32_t value = (uint32_t)(s->bits & ((1ull << width) - 1));
    s->bits >>= width;
    s->valid -= width;
    return value;
}

static uint32_t decode_long(const code *c, uint32_t width, uint32_t rank, uint64_t bits) {
    const uint32_t *entries = c->entries + c->brief;
    for (uint32_t length = width + 1; length <= LONGEST; length++, bits >>= 1) {
        rank = 2 * rank + (uint32_t)(bits & 1);
        if (rank < c->counts[length]) return entries[rank];
        rank -= c->counts[length];
        entries += c->counts[length];
    }
    return WRONG;
}

/* The entry of the next codeword, which is taken. Needs 15 valid bits. */
static inline uint32_t take_codeword(stream *s, const code *c, uint32_t width) {
    uint32_t e = c->first[s->bits & ((1u << width) - 1)];
    if (e & LONGER) e = decode_long(c, width, e >> 16, s->bits >> width);
    s->bits >>= e & 63;
    s->valid -= e & 63;
    return e;
}

/* A length or distance: its base and what the extra bits add. */
static inline uint32_t value(stream *s, uint32_t e) {
    return (e >> 16) + take_bits(s, e >> 8 & 15);
}

static uint32_t plain_entry(uint32_t symbol) { return PLAIN | symbol << 16; }

static uint32_t base_entry(uint32_t base, uint32_t extra) { return base << 16 | extra << 8; }

/* RFC 1951, 3.2.5, both tables. */
static uint32_t literal_entry(uint32_t symbol) {
    if (symbol < END_OF_BLOCK) return plain_entry(symbol);
    if (symbol == END_OF_BLOCK) return END;
    if (symbol >= LITERALS) return WRONG;
    if (symbol == LITERALS - 1) return base_entry(258, 0);
    uint32_t i = symbol - END_OF_BLOCK - 1;
    return i < 8 ? base_entry(3 + i, 0) : base_entry(3 + ((4 + i % 4) << (i / 4 - 1)), i / 4 - 1);
}

static uint32_t distance_entry(uint32_t symbol) {
    if (symbol >= DISTANCES) return WRONG;
    return symbol < 4 ? base_entry(1 + symbol, 0)
                      : base_entry(1 + ((2 + symbol % 2) << (symbol / 2 - 1)), symbol / 2 - 1);
}

/* The codeword that follows one in canonical order; the bit that comes first is the lowest. */
static uint32_t next_codeword(uint32_t codeword, uint32_t length) {
    uint32_t bit = 1u << length >> 1;
    for (; codeword & bit; bit >>= 1) codeword ^= bit;
    return codeword | bit;
}

/* 0 when no code has these lengths. Only a code of one codeword of one bit, or of none, may be
 * incomplete (RFC 1951, 3.2.7). */
static int make_code(code *c, uint32_t width, const uint8_t *lengths, uint32_t symbols,
                     uint32_t (*meaning)(uint32_t)) {
    uint32_t places[LONGEST + 1], all = 0, covered = 0, size = 1u << width, free = size;
    memset(c->counts, 0, sizeof c->counts);
    for (uint32_t i = 0; i < symbols; i++) c->counts[lengths[i]]++;
    for (uint32_t length = 1; length <= LONGEST; length++) {
        places[length] = all;
        all += c->counts[length];
        covered += c->counts[length] << (LONGEST - length);
        if (length != width) continue;
        c->brief = all;
        free -= covered >> (LONGEST - width);
    }
    if (covered != 1u << LONGEST) {
        if (all > 1 || all != c->counts[1]) return 0;
        for (uint32_t i = 0; i < size; i++) c->first[i] = WRONG;
        free = 0;
    }
    for (uint32_t i = 0; i < symbols; i++) {
        if (lengths[i]) c->entries[places[lengths[i]]++] = meaning(i) | lengths[i];
    }
    uint32_t codeword = 0;
    for (uint32_t i = 0; i < c->brief; i++) {
        uint32_t e = c->entries[i], length = e & 63;
        for (uint32_t at = codeword; at < size; at += 1u << length) c->first[at] = e;
        codeword = next_codeword(codeword, length);
    }
    for (uint32_t rank = 0; rank < free; rank++) {
        c->first[codeword] = LONGER | rank << 16;
        codeword = next_codeword(codeword, width);
    }
    return 1;
}

static int fixed_codes(code *literals, code *distances) {
    uint8_t lengths[FIXED_LITERALS];
    memset(lengths, 8, 144);
    memset(lengths + 144, 9, 112);
    memset(lengths + 256, 7, 24);
    memset(lengths + 280, 8, 8);
    make_code(literals, LITERAL_WIDTH, lengths, FIXED_LITERALS, literal_entry);
    memset(lengths, 5, FIXED_DISTANCES);
    return make_code(distances, DISTANCE_WIDTH, lengths, FIXED_DISTANCES, distance_entry);
}

static int read_codes(stream *s, code *literals, code *distances) {
    static const uint8_t order[LENGTHS] = {16, 17, 18, 0, 8,  7, 9,  6, 10, 5,
                                           11, 4,  12, 3, 13, 2, 14, 1, 15};
    uint8_t lengths[LITERALS + DISTANCES] = {0};
    uint32_t literal_count = 257 + take_bits(s, 5), distance_count = 1 + take_bits(s, 5),
             length_count = 4 + take_bits(s, 4);
    uint32_t all = literal_count + distance_count;
    if (literal_count > LITERALS || distance_count > DISTANCES) return 0;
    for (uint32_t i = 0; i < length_count; i++) {
        refill(s);
        lengths[order[i]] = (uint8_t)take_bits(s, 3);
    }
    if (!make_code(distances, LENGTH_WIDTH, lengths, LENGTHS, plain_entry)) return 0;
    for (uint32_t i = 0; i < all;) {
        refill(s);
        uint32_t e = take_codeword(s, distances, LENGTH_WIDTH), symbol = e >> 16, times = 1;
        uint8_t length = (uint8_t)symbol;
        if (e & WRONG || (symbol == 16 && i == 0)) return 0;
        if (symbol == 16) times = 3 + take_bits(s, 2), length = lengths[i - 1];
        if (symbol == 17) times = 3 + take_bits(s, 3), length = 0;
        if (symbol == 18) times = 11 + take_bits(s, 7), length = 0;
        if (times > all - i) return 0;
        memset(lengths + i, length, times);
        i += times;
    }
    return make_code(literals, LITERAL_WIDTH, lengths, literal_count, literal_entry) &&
           make_code(distances, DISTANCE_WIDTH, lengths + literal_count, distance_count,
                     distance_entry);
}

/* Repeats length bytes that lie distance back: eight at a time, and up to 13 too many, where there
 * is room for them. */
static inline void repeat(uint8_t *out, const uint8_t *stop, uint32_t distance, uint32_t length) {
    static const uint8_t strides[8] = {
        0, 8, 8, 9, 8, 10, 12, 14}; /* the least multiple of the distance that is at least 8 */
    const uint8_t *from = out - distance;
    uint8_t *end = out + length;
    if (distance >= 8 && length <= 16 && stop - out >= 16) { /* most are: no loop to foretell */
        memcpy(out, from, 8);
        memcpy(out + 8, from + 8, 8);
        return;
    }
    if (stop - end < 7) {
        while (out < end) *out++ = *from++;
        return;
    }
    if (distance < 8) {
        for (uint32_t i = 0; i < 8; i++) out[i] = from[i];
        out += 8;
        from = out - strides[distance];
    }
    for (; out < end; out += 8, from += 8) memcpy(out, from, 8);
}

enum { BROKEN, DONE, PAUSED };

/* A block's symbols to its end, or until limit bytes stand in out. One refill is enough for each:
 * 15 + 5 bits for a length, 15 + 13 for its distance. */
static int read_symbols(stream *given, const code *literals, const code *distances,
                        const uint8_t *limit) {
    stream s = *given; /* a copy that the compiler may keep in registers */
    for (;;) {
        if (s.out >= limit && limit < s.stop) {
            *given = s;
            return PAUSED;
        }
        refill(&s);
        uint32_t e = take_codeword(&s, literals, LITERAL_WIDTH);
        if (e & PLAIN) {
            if (s.out == s.stop) return BROKEN;
            *s.out++ = (uint8_t)(e >> 16);
            continue;
        }
        if (e & (END | WRONG)) {
            *given = s;
            return e & END ? DONE : BROKEN;
        }
        uint32_t length = value(&s, e);
        e = take_codeword(&s, distances, DISTANCE_WIDTH);
        uint32_t distance = value(&s, e);
        if (e & WRONG || distance > (size_t)(s.out - s.start) || length > (size_t)(s.stop - s.out))
            return BROKEN;
        repeat(s.out, s.stop, distance, length);
        s.out += length;
    }
}

/* A block of bytes as they are. */
static int read_stored(stream *s) {
    if (s->ghosts > s->valid / 8) return 0;
    s->next -= s->valid / 8 - s->ghosts;
    s->bits = 0;
    s->valid = 0;
    s->ghosts = 0;
    if (s->end - s->next < 4) return 0;
    uint32_t length = once(load16(s->next));
    if ((length ^ load16(s->next + 2)) != 0xFFFF) return 0;
    s->next += 4;
    if (length > (size_t)(s->end - s->next) || length > (size_t)(s->stop - s->out)) return 0;
    if (length > 0) memcpy(s->out, s->next, length);
    s->next += length;
    s->out += length;
    return 1;
}

struct inflater {
    stream s;
    code literals, distances;
    uint32_t last;
    int in_block;
};

/* Begin a block. */
static int read_block(inflater *i) {
    stream *s = &i->s;
    refill(s);
    i->last = take_bits(s, 1);
    switch (take_bits(s, 2)) {
    case 0: return read_stored(s);
    case 1: return i->in_block = fixed_codes(&i->literals, &i->distances);
    case 2: return i->in_block = read_codes(s, &i->literals, &i->distances);
    default: return 0;
    }
}

static void begin_inflater(inflater *i, const uint8_t *in, size_t in_length, uint8_t *out,
                           size_t out_length) {
    i->s = (stream){
        .next = in, .end = in + in_length, .out = out, .start = out, .stop = out + out_length};
    i->last = 0;
    i->in_block = 0;
}

inflater *inflate_begin(const uint8_t *in, size_t in_length, uint8_t *out, size_t out_length) {
    inflater *i = pocket_malloc(sizeof *i);
    if (i) begin_inflater(i, in, in_length, out, out_length);
    return i;
}

int inflate_until(inflater *i, size_t wanted) {
    stream *s = &i->s;
    size_t all = (size_t)(s->stop - s->start);
    const uint8_t *limit = s->start + (wanted < all ? wanted : all);
    while (s->out < limit || limit == s->stop) {
        if (i->in_block) {
            int done = read_symbols(s, &i->literals, &i->distances, limit);
            if (done == BROKEN) return -1;
            if (done == PAUSED) return 0;
            i->in_block = 0;
        } else if (i->last) {
            return s->next == s->end && s->valid / 8 == s->ghosts && s->out == s->stop ? 0 : -1;
        } else if (!read_block(i)) {
            return -1;
        }
    }
    return 0;
}

void inflate_end(inflater *i) { pocket_free(i); }

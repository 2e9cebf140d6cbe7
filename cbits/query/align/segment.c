/* Cuts a text into segments, sentences and units. */
#include "query/align/segment.h"

#include "base/hashes/hash.h"
#include "base/memory.h"

void segment_reader_begin(segment_reader *r, const uint8_t *text, uint64_t length, uint32_t stream,
                          meter *steps) {
    *r = (segment_reader){.text = text};
    term_stream_begin(&r->stream, text, length, stream);
    r->stream.meter = steps;
}

static uint32_t term_slot(const segment *s, uint64_t hash) {
    uint32_t i = (uint32_t)(hash & (SEGMENT_SLOTS - 1));
    while (s->slots[i] && s->terms[s->slots[i] - 1].hash != hash) i = (i + 1) & (SEGMENT_SLOTS - 1);
    return i;
}

uint32_t segment_find(const segment *s, uint64_t hash) {
    return s->slots[term_slot(s, hash)] - 1; /* 0 becomes NO_TERM */
}

static uint32_t id_of(segment *s, uint64_t hash, uint32_t place) {
    uint32_t slot = term_slot(s, hash);
    if (!s->slots[slot]) {
        s->terms[s->term_count] = (segment_term){.hash = hash, .first = place};
        s->slots[slot] = ++s->term_count;
    }
    return s->slots[slot] - 1;
}

/* ---- sentences ---- */

static int is_gap_byte(uint8_t byte) { return byte == ' ' || (byte >= '\t' && byte <= '\r'); }

/* The ends of sentences beyond ASCII: danda, Arabic full stop and question mark, ideographic full
 * stop, the wide forms of . ! ? and the narrow form of the ideographic full stop. */
static int is_other_end(const uint8_t *p, const uint8_t *to) {
    static const uint8_t two[][2] = {{0xDB, 0x94}, {0xD8, 0x9F}};
    static const uint8_t three[][3] = {{0xE0, 0xA5, 0xA4}, {0xE3, 0x80, 0x82}, {0xEF, 0xBC, 0x8E},
                                       {0xEF, 0xBC, 0x81}, {0xEF, 0xBC, 0x9F}, {0xEF, 0xBD, 0xA1}};
    for (uint32_t i = 0; to - p >= 2 && i < 2; i++)
        if (!memcmp(p, two[i], 2)) return 1;
    for (uint32_t i = 0; to - p >= 3 && i < 6; i++)
        if (!memcmp(p, three[i], 3)) return 1;
    return 0;
}

/* Does a sentence end in the bytes between two terms? It does at . ! ? with white space anywhere
 * after it, at the full stops of other scripts, and at an empty line. */
static int ends_sentence(const uint8_t *from, const uint8_t *to) {
    int stop = 0, lines = 0;
    for (const uint8_t *p = from; p < to; p++) {
        if (*p == '.' || *p == '!' || *p == '?') stop = 1;
        if (is_other_end(p, to)) return 1;
        if (stop && is_gap_byte(*p)) return 1;
        if (*p == '\n' && ++lines == 2) return 1;
        if (!is_gap_byte(*p)) lines = 0;
    }
    return 0;
}

static int is_break(const segment_reader *r, const segment *s) {
    const term_stream *t = &r->stream;
    return ends_sentence(r->text + s->ends[s->count - 1], t->term);
}

static void add_segment_term(const segment_reader *r, segment *s) {
    const term_stream *t = &r->stream;
    s->starts[s->count] = (uint32_t)(t->term - r->text);
    s->ends[s->count] = (uint32_t)(t->term_end - r->text);
    s->ids[s->count] = id_of(s, murmur_padded(t->bytes, t->length), s->count);
    s->count++;
}

/* ---- units ---- */

static void add_segment_unit(segment *s, uint32_t first, uint32_t last, uint32_t kind) {
    s->units[s->unit_count++] = (unit){first, last, kind, 0};
}

int unit_is_alone(const segment *s, const unit *u) {
    return s->base == 0 && u->first == 0 && u->last == s->count;
}

uint32_t segment_whole(segment *s) {
    add_segment_unit(s, 0, s->count, STRETCH);
    return s->unit_count - 1;
}

/* From each sentence on, add a unit of as many sentences as have no more than most terms, unless
 * the unit before it reaches as far or begins fewer than step terms earlier. */
static void cut_windows(segment *s, uint32_t least, uint32_t most, uint32_t step, uint32_t kind) {
    uint32_t reach = 0, start = 0;
    for (uint32_t i = 0; i < s->break_count; i++) {
        uint32_t first = s->breaks[i], k = i + 1;
        if (reach && first < start + step) continue;
        while (k < s->break_count && s->breaks[k + 1] - first <= most) k++;
        if (k == i + 1 || s->breaks[k] <= reach || s->breaks[k] - first < least) continue;
        add_segment_unit(s, first, s->breaks[k], kind);
        reach = s->breaks[k];
        start = first;
    }
}

static void cut_units(segment *s) {
    /* The last segment of a long text may be too short to be looked for. */
    if (s->base && s->count < LEAST_UNIT_TERMS) return;
    for (uint32_t i = 0; i < s->break_count; i++)
        add_segment_unit(s, s->breaks[i], s->breaks[i + 1], SENTENCE);
    cut_windows(s, 0, WINDOW_TERMS, WINDOW_TERMS / 4, WINDOW);
    cut_windows(s, WINDOW_TERMS + 1, STRETCH_TERMS, STRETCH_TERMS / 4, STRETCH);
}

/* Break the text before the next term if the sentence is long enough, or as long as one may be. */
static void add_break(segment *s, uint32_t place) {
    if (place > s->breaks[s->break_count]) s->breaks[++s->break_count] = place;
}

int segment_read(segment_reader *r, segment *s) {
    s->base = r->before;
    s->count = s->term_count = s->break_count = s->unit_count = 0;
    s->breaks[0] = 0;
    memset(s->slots, 0, sizeof s->slots);
    while (r->ahead || (!r->ended && term_stream_next(&r->stream))) {
        uint32_t length = s->count - s->breaks[s->break_count];
        r->ahead = 0;
        if (s->count &&
            ((length >= LEAST_UNIT_TERMS && is_break(r, s)) || length == SENTENCE_TERMS)) {
            add_break(s, s->count);
            if (s->count >= SEGMENT_TERMS) {
                r->ahead = 1;
                break;
            }
        }
        add_segment_term(r, s);
    }
    if (!r->ahead) r->ended = 1;
    if (!s->count) return 0;
    /* A remainder that is too short to be looked for alone is joined to the sentence before it. */
    if (s->count - s->breaks[s->break_count] < LEAST_UNIT_TERMS && s->break_count)
        s->breaks[s->break_count] = s->count;
    else
        add_break(s, s->count);
    cut_units(s);
    r->before += s->count;
    return 1;
}

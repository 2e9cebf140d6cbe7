/* The dictionary of a website's language, in pieces (docs/format.md 13.3). Pages are seen twice, by
 * rising slots: first each word's pages and bytes are counted, which says where the pieces end and
 * how long they are, and then what pages say is put where it belongs. So memory holds some pieces
 * at a time, and no page. */
#include "base/memory.h"
#include "build/pocket_build.h"

#define LEAST_PIECE 8000u
#define MOST_PIECE 16000u
#define CUT_PIECE 16u /* before one word in so many a piece may end */
#define SPELLED_MARK 0
#define PIECE_HEAD 12u
#define WEIGHT_ONE 24u
#define MOST_LEVEL 40u

#define NOT_TAKEN UINT32_MAX

/* A word. pages, gaps, texts: how many it has, of the last two bytes, and while pages are put how
 * many are still to come; last: the slot of the page before; at: where in the buffer its next gap,
 * level, place and text go. */
typedef struct site_word {
    const uint8_t *bytes;
    uint32_t length, pages, gaps, texts, last, at[4];
} site_word;

/* Of the words of a piece, the end; and the lengths of its heads, gaps, postings and texts. */
typedef struct site_piece {
    uint32_t end;
    uint64_t heads, gaps, postings, texts;
} site_piece;

struct pocket_dictionary {
    site_word *words; /* by number */
    uint32_t count, used, piece_count, from, upto;
    uint32_t *order, *stem_lengths;
    const uint8_t **stems;
    site_piece *pieces;
    uint8_t *buffer;
    uint32_t *starts; /* of the pieces in the buffer */
    uint64_t missing; /* postings of these that are still to come */
};

pocket_dictionary *pocket_dictionary_new(const uint8_t *lines, uint64_t size) {
    pocket_dictionary *d = pocket_malloc(sizeof *d);
    if (!d) return NULL;
    *d = (pocket_dictionary){0};
    uint32_t count = 0;
    for (uint64_t at = 0; at < size; at++) count += lines[at] == '\n';
    d->words = pocket_malloc(count * sizeof *d->words);
    if (!d->words || (size && lines[size - 1] != '\n')) {
        pocket_dictionary_free(d);
        return NULL;
    }
    for (uint64_t at = 0; at < size;) {
        const uint8_t *end = memchr(lines + at, '\n', size - at);
        uint32_t length = (uint32_t)(end - (lines + at));
        d->words[d->count++] = (site_word){.bytes = lines + at, .length = length};
        at += length + 1;
    }
    return d;
}

void pocket_dictionary_free(pocket_dictionary *d) {
    if (!d) return;
    pocket_free(d->words);
    pocket_free(d->order);
    pocket_free(d->stems);
    pocket_free(d->stem_lengths);
    pocket_free(d->pieces);
    pocket_free(d->buffer);
    pocket_free(d->starts);
    pocket_free(d);
}

static uint32_t varint_bytes(uint32_t n) {
    uint32_t size = 1;
    while (n >>= 7) size++;
    return size;
}

static uint8_t *put_varint(uint8_t *out, uint32_t n) {
    for (; n > 127; n >>= 7) *out++ = (uint8_t)(n | 128);
    *out++ = (uint8_t)n;
    return out;
}

/* A page's slot less that of the page before; the first one's is its slot. */
static uint32_t gap_of(site_word *w, uint32_t slot) {
    uint32_t gap = slot - w->last;
    w->last = slot;
    return gap;
}

pocket_status pocket_dictionary_count(pocket_dictionary *d, uint32_t slot, const uint32_t *numbers,
                                      uint32_t count, int several) {
    for (uint32_t i = 0; i < count; i++) {
        if (numbers[i] >= d->count) return POCKET_BAD_ARGUMENT;
        site_word *w = d->words + numbers[i];
        w->gaps += varint_bytes(gap_of(w, slot));
        w->texts += several != 0;
        w->pages++;
    }
    return POCKET_OK;
}

static int compare_words(const site_word *a, const site_word *b) {
    uint32_t least = a->length < b->length ? a->length : b->length;
    int found = memcmp(a->bytes, b->bytes, least);
    return found ? found : (a->length > b->length) - (a->length < b->length);
}

/* Sort numbers of words by their bytes, by merging; other has room for as many. */
static void order_site_words(const site_word *words, uint32_t *order, uint32_t *other,
                             uint32_t count) {
    uint32_t half = count / 2;
    if (count < 2) return;
    order_site_words(words, order, other, half);
    order_site_words(words, order + half, other, count - half);
    memcpy(other, order, half * sizeof *other);
    for (uint32_t i = 0, left = 0, right = half; left < half; i++) {
        int takes_right =
            right < count && compare_words(words + other[left], words + order[right]) > 0;
        order[i] = takes_right ? order[right++] : other[left++];
    }
}

pocket_status pocket_dictionary_sort(pocket_dictionary *d, uint32_t *used, uint64_t *size) {
    uint32_t *other = pocket_malloc(d->count * sizeof *other);
    if (!d->order) d->order = pocket_malloc(d->count * sizeof *d->order);
    if (!other || !d->order) {
        pocket_free(other);
        return POCKET_NO_MEMORY;
    }
    d->used = 0;
    *size = 0;
    for (uint32_t i = 0; i < d->count; i++) {
        if (!d->words[i].pages) continue;
        d->order[d->used++] = i;
        *size += d->words[i].length + 1;
    }
    order_site_words(d->words, d->order, other, d->used);
    pocket_free(other);
    *used = d->used;
    return POCKET_OK;
}

void pocket_dictionary_words(const pocket_dictionary *d, uint8_t *out) {
    for (uint32_t i = 0; i < d->used; i++) {
        const site_word *w = d->words + d->order[i];
        memcpy(out, w->bytes, w->length);
        out[w->length] = '\n';
        out += w->length + 1;
    }
}

static uint32_t ieee_crc32(const uint8_t *bytes, uint32_t length) {
    uint32_t crc = UINT32_MAX;
    for (uint32_t i = 0; i < length; i++) {
        crc ^= bytes[i];
        for (int bit = 0; bit < 8; bit++) crc = crc >> 1 ^ (crc & 1 ? 0xEDB88320u : 0);
    }
    return ~crc;
}

static uint32_t common_bytes(const uint8_t *a, uint32_t a_length, const uint8_t *b,
                             uint32_t b_length) {
    uint32_t least = a_length < b_length ? a_length : b_length, i = 0;
    while (i < least && a[i] == b[i]) i++;
    return i;
}

/* The length of a word's plain spelling. */
static uint32_t plain_length(const site_word *w) {
    const uint8_t *mark = memchr(w->bytes, SPELLED_MARK, w->length);
    return mark ? (uint32_t)(mark - w->bytes) : w->length;
}

/* The bytes of a head; written to out, unless that is NULL. before: NULL in the first of a piece.
 */
static uint64_t head_of(const pocket_dictionary *d, uint32_t place, const site_word *before,
                        uint8_t *out) {
    const site_word *w = d->words + d->order[place];
    const uint8_t *stem = d->stems[place];
    uint32_t stem_length = d->stem_lengths[place], plain = plain_length(w);
    uint32_t same = before ? common_bytes(before->bytes, before->length, w->bytes, w->length) : 0;
    uint32_t kept = common_bytes(w->bytes, plain, stem, stem_length);
    if (out) {
        *out++ = (uint8_t)same;
        *out++ = (uint8_t)(w->length - same);
        memcpy(out, w->bytes + same, w->length - same);
        out += w->length - same;
        *out++ = (uint8_t)kept;
        *out++ = (uint8_t)(stem_length - kept);
        memcpy(out, stem + kept, stem_length - kept);
        put_varint(out + stem_length - kept, w->pages);
    }
    return 4 + w->length - same + stem_length - kept + varint_bytes(w->pages);
}

/* Give each word its stem: that of its plain spelling among the bases, and else that itself. Both
 * the words and the bases are in the order of their bytes. */
static pocket_status give_stems(pocket_dictionary *d, const uint8_t *bases, uint64_t bases_size,
                                const uint8_t *stems, uint64_t stems_size) {
    uint64_t at = 0, stem_at = 0;
    for (uint32_t i = 0; i < d->used; i++) {
        const site_word *w = d->words + d->order[i];
        site_word plain = {.bytes = w->bytes, .length = plain_length(w)};
        d->stems[i] = plain.bytes;
        d->stem_lengths[i] = plain.length;
        while (at < bases_size) {
            const uint8_t *end = memchr(bases + at, '\n', bases_size - at);
            const uint8_t *stem_end =
                stem_at < stems_size ? memchr(stems + stem_at, '\n', stems_size - stem_at) : NULL;
            if (!end || !stem_end) return POCKET_BAD_ARGUMENT;
            site_word base = {.bytes = bases + at, .length = (uint32_t)(end - (bases + at))};
            int order = compare_words(&base, &plain);
            if (order == 0) {
                d->stems[i] = stems + stem_at;
                d->stem_lengths[i] = (uint32_t)(stem_end - (stems + stem_at));
            }
            if (order >= 0) break;
            at += base.length + 1;
            stem_at = (uint64_t)(stem_end - stems) + 1;
        }
        if (w->length > 255 || d->stem_lengths[i] > 255) return POCKET_BAD_ARGUMENT;
    }
    return POCKET_OK;
}

static uint64_t word_bytes(const site_word *w) {
    return w->length + w->gaps + 2 * (uint64_t)w->pages;
}

/* Two pieces, one behind the other, have more than LEAST_PIECE bytes. */
static uint64_t most_site_pieces(const pocket_dictionary *d) {
    uint64_t size = 0;
    for (uint32_t i = 0; i < d->used; i++) size += word_bytes(d->words + d->order[i]);
    return 2 + 2 * (size / LEAST_PIECE);
}

pocket_status pocket_dictionary_cut(pocket_dictionary *d, const uint8_t *bases, uint64_t bases_size,
                                    const uint8_t *stems, uint64_t stems_size, uint32_t *pieces) {
    d->stems = pocket_malloc(d->used * sizeof *d->stems);
    d->stem_lengths = pocket_malloc(d->used * sizeof *d->stem_lengths);
    d->pieces = pocket_malloc(most_site_pieces(d) * sizeof *d->pieces);
    if (!d->stems || !d->stem_lengths || !d->pieces) return POCKET_NO_MEMORY;
    pocket_status status = give_stems(d, bases, bases_size, stems, stems_size);
    if (status != POCKET_OK) return status;
    const site_word *before = NULL;
    site_piece *piece = NULL;
    for (uint64_t i = 0, size = 0; i < d->used; i++) {
        const site_word *w = d->words + d->order[i];
        uint64_t own = word_bytes(w);
        if (!piece || size + own > MOST_PIECE ||
            (size >= LEAST_PIECE && ieee_crc32(w->bytes, w->length) % CUT_PIECE == 0)) {
            piece = d->pieces + d->piece_count++;
            *piece = (site_piece){0};
            before = NULL;
            size = 0;
        }
        size += own;
        piece->heads += head_of(d, (uint32_t)i, before, NULL);
        piece->gaps += w->gaps;
        piece->postings += w->pages;
        piece->texts += w->texts;
        piece->end = (uint32_t)i + 1;
        before = w;
    }
    *pieces = d->piece_count;
    return POCKET_OK;
}

static uint64_t piece_bytes(const site_piece *p) {
    return PIECE_HEAD + p->heads + p->gaps + 2 * p->postings + p->texts;
}

static void put_u32(uint8_t *out, uint64_t n) {
    for (int i = 0; i < 4; i++) out[i] = (uint8_t)(n >> 8 * i);
}

/* Write what is known of a piece before its pages come, and where the rest of it goes. */
static void begin_piece(pocket_dictionary *d, uint32_t number, uint32_t at) {
    const site_piece *p = d->pieces + number;
    const site_word *before = NULL;
    uint64_t head = at + PIECE_HEAD, gaps = head + p->heads, levels = gaps + p->gaps;
    uint64_t places = levels + p->postings, texts = places + p->postings;
    put_u32(d->buffer + at, p->heads);
    put_u32(d->buffer + at + 4, p->gaps);
    put_u32(d->buffer + at + 8, p->postings);
    for (uint32_t i = number ? d->pieces[number - 1].end : 0; i < p->end; i++) {
        site_word *w = d->words + d->order[i];
        head += head_of(d, i, before, d->buffer + head);
        w->at[0] = (uint32_t)gaps;
        w->at[1] = (uint32_t)levels;
        w->at[2] = (uint32_t)places;
        w->at[3] = (uint32_t)texts;
        w->last = 0;
        gaps += w->gaps;
        levels += w->pages;
        places += w->pages;
        texts += w->texts;
        before = w;
    }
}

pocket_status pocket_dictionary_take(pocket_dictionary *d, uint32_t from, uint64_t most,
                                     uint32_t *upto) {
    uint64_t size = 0;
    uint32_t end = from;
    if (from > d->piece_count || from < d->upto) return POCKET_BAD_ARGUMENT;
    while (end < d->piece_count && (end == from || size + piece_bytes(d->pieces + end) <= most))
        size += piece_bytes(d->pieces + end++);
    pocket_free(d->buffer);
    pocket_free(d->starts);
    d->buffer = size < NOT_TAKEN ? pocket_malloc(size) : NULL;
    d->starts = pocket_malloc((end - from + 1) * sizeof *d->starts);
    if (!d->buffer || !d->starts) return POCKET_NO_MEMORY;
    for (uint32_t i = 0; i < d->count; i++) d->words[i].at[0] = NOT_TAKEN;
    d->from = from;
    d->upto = *upto = end;
    d->missing = 0;
    d->starts[0] = 0;
    for (uint32_t number = from; number < end; number++) {
        uint32_t *start = d->starts + (number - from);
        begin_piece(d, number, start[0]);
        start[1] = start[0] + (uint32_t)piece_bytes(d->pieces + number);
        d->missing += d->pieces[number].postings;
    }
    return POCKET_OK;
}

/* The level of a weight: 0 of 0, and else 1 and how many of the numbers 2^(k / 2), k from -7 to 31,
 * are at most the weight. */
static uint8_t weight_level(uint32_t weight) {
    uint64_t w = weight < 1u << 22 ? weight : 1u << 22, unit = WEIGHT_ONE * WEIGHT_ONE;
    uint32_t level = 1;
    if (!weight) return 0;
    while (level < MOST_LEVEL && w * w << 7 >= unit << (level - 1)) level++;
    return (uint8_t)level;
}

pocket_status pocket_dictionary_put(pocket_dictionary *d, uint32_t slot, const uint32_t *numbers,
                                    const uint32_t *weights, const uint8_t *places,
                                    const uint8_t *texts, uint32_t count) {
    for (uint32_t i = 0; i < count; i++) {
        if (numbers[i] >= d->count) return POCKET_BAD_ARGUMENT;
        site_word *w = d->words + numbers[i];
        if (w->at[0] == NOT_TAKEN) continue;
        uint32_t gap = gap_of(w, slot), bytes = varint_bytes(gap);
        if (!w->pages || w->gaps < bytes || (texts && !w->texts)) return POCKET_BAD_ARGUMENT;
        put_varint(d->buffer + w->at[0], gap);
        d->buffer[w->at[1]++] = weight_level(weights[i]);
        d->buffer[w->at[2]++] = places[i];
        if (texts) d->buffer[w->at[3]++] = texts[i];
        w->at[0] += bytes;
        w->gaps -= bytes;
        w->texts -= texts != NULL;
        w->pages--;
        d->missing--;
    }
    return POCKET_OK;
}

const uint8_t *pocket_dictionary_piece(const pocket_dictionary *d, uint32_t number, uint64_t *size,
                                       const uint8_t **first, uint32_t *length) {
    if (d->missing || number < d->from || number >= d->upto) return NULL;
    const site_word *w = d->words + d->order[number ? d->pieces[number - 1].end : 0];
    *first = w->bytes;
    *length = w->length;
    *size = d->starts[number - d->from + 1] - d->starts[number - d->from];
    return d->buffer + d->starts[number - d->from];
}

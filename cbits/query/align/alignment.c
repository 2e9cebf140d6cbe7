/* Finds the place in a document where most of a unit stands, and the words that are in order. */
#include "query/align/alignment.h"

#include "base/hashes/hash.h"
#include "base/memory.h"
#include "base/sort.h"

#define LONG_TERM 4096u  /* bytes that are not read before the next part of a text is there */
#define MOST_PLACES 160u /* terms of a document with which a unit is aligned */

void document_terms_free(document_terms *d) {
    pocket_free(d->hashes);
    pocket_free(d->order);
}

/* All arrays of terms lie in one allocation. */
static int make_terms_room(document_terms *d) {
    uint64_t room = d->room ? 2 * d->room : 4096;
    size_t each = sizeof *d->hashes + 3 * sizeof(uint32_t) + sizeof(text_hit);
    if (room > SIZE_MAX / each) return 0;
    uint64_t *hashes = pocket_malloc((size_t)room * each);
    if (!hashes) return 0;
    text_hit *hits = (text_hit *)(hashes + room);
    uint32_t *starts = (uint32_t *)(hits + room), *ends = starts + room, *ids = ends + room;
    if (d->count) {
        memcpy(hits, d->hits, (size_t)d->hit_count * sizeof *hits);
        memcpy(ids, d->ids, (size_t)d->looked * sizeof *ids);
        memcpy(hashes, d->hashes, (size_t)d->count * sizeof *hashes);
        memcpy(starts, d->starts, (size_t)d->count * sizeof *starts);
        memcpy(ends, d->ends, (size_t)d->count * sizeof *ends);
    }
    pocket_free(d->hashes);
    d->hashes = hashes;
    d->hits = hits;
    d->starts = starts;
    d->ends = ends;
    d->ids = ids;
    d->room = room;
    return 1;
}

void document_terms_begin(document_terms *d, const uint8_t *text, uint32_t stream) {
    d->text = text;
    d->count = d->hit_count = d->looked = d->forgotten = 0;
    d->waits = 0;
    d->counted = (text_place){0};
    term_stream_begin(&d->stream, text, 0, stream);
    d->stream.meter = d->steps;
}

/* Is the stream so near to the end of what there is of the text that it may look beyond? */
static int is_near(const term_stream *t, uint64_t margin) {
    return (uint64_t)(t->end - t->text) < margin;
}

int document_terms_go_on(document_terms *d, uint64_t length, int is_end) {
    term_stream *t = &d->stream;
    const uint8_t *text = d->text;
    t->end = text + length;
    if (!is_end && (d->waits || is_near(t, LONG_TERM))) return 1;
    while (!is_near(t, is_end ? 0 : LONG_TERM) && term_stream_next(t)) {
        if (d->count == d->room && !make_terms_room(d)) return 0;
        d->hashes[d->count] = murmur_padded(t->bytes, t->length);
        d->starts[d->count] = (uint32_t)(t->term - text);
        d->ends[d->count++] = (uint32_t)(t->term_end - text);
    }
    if (!is_end && is_near(t, LONG_TERM / 2)) {
        document_terms_begin(d, text, t->stream);
        d->waits = 1;
    }
    return !d->steps->ended;
}

int document_terms_read(document_terms *d, const uint8_t *text, uint64_t length, uint32_t stream) {
    document_terms_begin(d, text, stream);
    return document_terms_go_on(d, length, 1);
}

void document_terms_find_more(document_terms *d, const segment *s) {
    if (!d->looked) {
        d->hit_count = 0;
        memset(d->last, 0, s->term_count * sizeof *d->last);
        memset(d->times, 0, s->term_count * sizeof *d->times);
    }
    for (; d->looked < d->count; d->looked++) {
        uint32_t place = d->looked, id = d->ids[place] = segment_find(s, d->hashes[place]);
        if (id == NO_TERM) continue;
        d->hits[d->hit_count++] = (text_hit){place, d->last[id]};
        d->last[id] = d->hit_count;
        d->times[id]++;
    }
}

void document_terms_find(document_terms *d, const segment *s) {
    d->looked = 0;
    document_terms_find_more(d, s);
}

void document_terms_forget(document_terms *d, uint32_t kept) {
    uint32_t first = d->count - kept;
    memmove(d->hashes, d->hashes + first, kept * sizeof *d->hashes);
    memmove(d->starts, d->starts + first, kept * sizeof *d->starts);
    memmove(d->ends, d->ends + first, kept * sizeof *d->ends);
    d->count = kept;
    d->looked = 0;
    d->forgotten += first;
}

/* ---- word for word ---- */

static uint32_t same_forward(const document_terms *d, const segment *s, uint32_t i, uint32_t j) {
    uint32_t n = 0;
    while (i + n < s->count && j + n < d->count && s->ids[i + n] == d->ids[j + n]) n++;
    return n;
}

static uint32_t same_back(const document_terms *d, const segment *s, uint32_t i, uint32_t j) {
    uint32_t n = 0;
    while (n < i && n < j && s->ids[i - n - 1] == d->ids[j - n - 1]) n++;
    return n;
}

/* Extend an alignment as long as both texts have the same words, and find how far the passage goes
 * on from there. */
static void extend_alignment(const document_terms *d, const segment *s, alignment *a) {
    uint32_t back = same_back(d, s, a->first, a->own_first),
             on = same_forward(d, s, a->last, a->own_last);
    a->first -= back;
    a->own_first -= back;
    a->last += on;
    a->own_last += on;
    a->beyond = back + on;
    a->before = reach_over(s->ids + a->first, a->first, d->ids + a->own_first, a->own_first, 1);
    a->after = reach_over(s->ids + a->last, s->count - a->last, d->ids + a->own_last,
                          d->count - a->own_last, 0);
    a->value += a->beyond + a->before.value + a->after.value;
}

/* Where does the unit stand in the document word for word? It is compared at each place of the term
 * that the document has least often, from the last to the first. */
static int find_whole(const document_terms *d, const segment *s, const unit *u, alignment *found) {
    uint32_t rarest = u->first, n = u->last - u->first, first = UINT32_MAX;
    for (uint32_t i = u->first; i < u->last; i++) {
        if (!d->times[s->ids[i]]) return 0;
        if (d->times[s->ids[i]] < d->times[s->ids[rarest]]) rarest = i;
    }
    for (uint32_t hit = d->last[s->ids[rarest]]; hit; hit = d->hits[hit - 1].next) {
        uint32_t place = d->hits[hit - 1].place, before = rarest - u->first;
        if (place < before || same_forward(d, s, u->first, place - before) < n) continue;
        first = place - before;
    }
    if (first == UINT32_MAX) return 0;
    *found = (alignment){.first = u->first,
                         .last = u->last,
                         .own_first = first,
                         .own_last = first + n,
                         .same = n,
                         .dense = n,
                         .run = n,
                         .value = n,
                         .share = 1024,
                         .bag = 1024,
                         .whole = 1};
    for (uint32_t i = u->first; i < u->last; i++) found->mass += s->terms[s->ids[i]].idf;
    return 1;
}

int align_whole(const document_terms *d, const segment *s, const unit *u, alignment *found) {
    if (!find_whole(d, s, u, found)) return 0;
    extend_alignment(d, s, found);
    return 1;
}

/* ---- the best place ---- */

/* Find the window of this width that has most of the words' idf, each counted once: its last place,
 * and its idf. The document has each of the words. Returns 0 if there is no memory. */
static int find_window(document_terms *d, const segment *s, const uint32_t *words,
                       uint32_t word_count, uint32_t width, uint32_t *end, uint64_t *best) {
    uint64_t count = 0, mass = 0, most = 0;
    uint32_t inside[MOST_PLACED] = {0};
    for (uint32_t k = 0; k < word_count; k++) count += d->times[words[k]];
    if (2 * count > d->order_room) {
        pocket_free(d->order);
        d->order_room = 2 * count;
        d->order = pocket_malloc((size_t)d->order_room * sizeof *d->order);
        if (!d->order) {
            d->order_room = 0;
            return 0;
        }
    }
    uint64_t *order = d->order, n = 0;
    for (uint32_t k = 0; k < word_count; k++)
        for (uint32_t hit = d->last[words[k]]; hit; hit = d->hits[hit - 1].next)
            order[n++] = (uint64_t)d->hits[hit - 1].place << 8 | k;
    if (n < 64)
        sort64(order, (uint32_t)n);
    else
        radix_sort64(order, order + count, (uint32_t)n, 8, 40);
    for (uint64_t i = 0, low = 0; i < n; i++) {
        uint32_t place = (uint32_t)(order[i] >> 8), k = order[i] & 255;
        if (!inside[k]++) mass += s->terms[words[k]].idf;
        for (; place - (uint32_t)(order[low] >> 8) >= width; low++) {
            uint32_t out = order[low] & 255;
            if (!--inside[out]) mass -= s->terms[words[out]].idf;
        }
        if (mass > most) {
            most = mass;
            *end = place;
        }
    }
    *best = most;
    return 1;
}

/* A common subsequence that is not complete yet. */
typedef struct chain {
    uint32_t mass, same;
} chain;

static int is_heavier(const chain *a, const chain *b) {
    return a->mass != b->mass ? a->mass > b->mass : a->same > b->same;
}

enum { ABOVE, LEFT, BOTH };

/* Find the densest part of a chain, whose pairs rise: each pair adds one, and each term of either
 * text between two pairs subtracts one. Returns the sum. */
static uint32_t find_dense(uint8_t (*pairs)[2], uint32_t count, uint32_t *first, uint32_t *last) {
    int32_t sum = 0, most = 0;
    uint32_t start = 0;
    *first = *last = 0;
    for (uint32_t i = 0; i < count; i++) {
        uint32_t own = i ? (uint32_t)(pairs[i][0] - pairs[i - 1][0]) - 1 : 0,
                 other = i ? (uint32_t)(pairs[i][1] - pairs[i - 1][1]) - 1 : 0;
        sum -= (int32_t)(own > other ? own : other);
        if (sum <= 0) {
            sum = 0;
            start = i;
        }
        if (++sum <= most) continue;
        most = sum;
        *first = start;
        *last = i;
    }
    return (uint32_t)most;
}

/* Find the common subsequence with the most idf of a unit and terms from .. to - 1 of a document,
 * and its densest part. */
static void find_chain(const document_terms *d, const segment *s, const unit *u, uint32_t from,
                       uint32_t to, alignment *found) {
    chain row[MOST_PLACES + 1] = {{0}};
    uint8_t steps[WINDOW_TERMS][MOST_PLACES], pairs[WINDOW_TERMS][2];
    uint16_t runs[MOST_PLACES + 1] = {0};
    uint32_t n = u->last - u->first, m = to - from, run = 0, count = 0, first, last;
    uint64_t whole = 0;
    for (uint32_t i = 0; i < n; i++) {
        uint32_t id = s->ids[u->first + i], idf = s->terms[id].idf;
        chain diagonal = {0};
        uint16_t diagonal_run = 0;
        whole += idf;
        for (uint32_t j = 0; j < m; j++) {
            chain above = row[j + 1], best = above;
            uint16_t above_run = runs[j + 1];
            runs[j + 1] = 0;
            steps[i][j] = ABOVE;
            if (is_heavier(&row[j], &best)) {
                best = row[j];
                steps[i][j] = LEFT;
            }
            if (d->ids[from + j] == id) {
                chain own = {diagonal.mass + idf, diagonal.same + 1};
                if (is_heavier(&own, &best)) {
                    best = own;
                    steps[i][j] = BOTH;
                }
                runs[j + 1] = (uint16_t)(diagonal_run + 1);
                if (runs[j + 1] > run) run = runs[j + 1];
            }
            diagonal = above;
            diagonal_run = above_run;
            row[j + 1] = best;
        }
    }
    *found = (alignment){.first = u->first,
                         .last = u->first,
                         .same = row[m].same,
                         .run = run,
                         .share = whole ? (uint32_t)(1024ull * row[m].mass / whole) : 0,
                         .mass = row[m].mass};
    if (!row[m].same) return;
    count = row[m].same;
    for (uint32_t i = n, j = m, k = count; k;) {
        uint32_t step = steps[i - 1][j - 1];
        if (step == BOTH) {
            pairs[--k][0] = (uint8_t)(i - 1);
            pairs[k][1] = (uint8_t)(j - 1);
        }
        if (step != LEFT) i--;
        if (step != ABOVE) j--;
    }
    found->value = find_dense(pairs, count, &first, &last);
    found->first = u->first + pairs[first][0];
    found->last = u->first + pairs[last][0] + 1;
    found->own_first = from + pairs[first][1];
    found->own_last = from + pairs[last][1] + 1;
    found->dense = last - first + 1;
}

/* The idf of a unit's terms, each counted once. same: how many of its terms the document has from
 * .. to - 1; of a term that comes several times, as many as both have. */
static uint64_t bag_mass(const document_terms *d, const segment *s, const unit *u, uint32_t from,
                         uint32_t to, uint32_t *same) {
    uint32_t there[SEGMENT_ROOM];
    uint64_t mass = 0;
    memset(there, 0, s->term_count * sizeof *there);
    for (uint32_t i = u->first; i < u->last; i++)
        if (!there[s->ids[i]]++) mass += s->terms[s->ids[i]].idf;
    for (*same = 0; from < to; from++) {
        uint32_t id = d->ids[from];
        if (id == NO_TERM || !there[id]) continue;
        there[id]--;
        ++*same;
    }
    return mass;
}

int align(document_terms *d, const segment *s, const unit *u, const uint32_t *words,
          uint32_t word_count, alignment *found) {
    uint32_t n = u->last - u->first, width = n + (n / 3 > 2 ? n / 3 : 2), end = 0, same;
    uint64_t mass = 0, whole;
    *found = (alignment){.first = u->first, .last = u->last};
    if (u->kind == STRETCH || !find_whole(d, s, u, found)) {
        if (!word_count) return 1;
        if (!find_window(d, s, words, word_count, width, &end, &mass)) return 0;
        uint32_t from = end + 1 > width ? end + 1 - width : 0, to = end + (n / 3 > 3 ? n / 3 : 3);
        if (to > d->count) to = d->count;
        if (u->kind != STRETCH) find_chain(d, s, u, from, to, found);
        whole = bag_mass(d, s, u, from, end + 1, &same);
        found->bag = unit_bag(u, (uint32_t)(1024 * mass / (whole ? whole : 1)), same);
        found->bag_first = from;
        found->bag_last = end + 1;
        if (u->kind == STRETCH) found->mass = (uint32_t)mass;
    }
    if (found->same) extend_alignment(d, s, found);
    return 1;
}

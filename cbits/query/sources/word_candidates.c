/* The rarest words of a unit to the documents that have most of them (docs/format.md, section 9). */
#include "query/sources/word_candidates.h"

#include "base/hashes/hash.h"
#include "base/memory.h"
#include "base/sort.h"

#define COMMON 100u             /* a word that more than one document in so many has is common */
#define LEAST_COMMON 64u        /* documents */
#define LEAST_ASKED 6u          /* words of a unit that are asked for, however common they are */
#define MOST_POSTINGS 262144u   /* of one word that are read */
#define TAKEN_AT_ONCE 512u

void word_candidates_free(word_candidates *w) {
    pocket_free(w->documents);
    pocket_free(w->levels);
    pocket_free(w->sums);
    pocket_free(w->touched);
}

void word_candidates_begin(word_candidates *w, segment *s) {
    w->segment = s;
    w->count = 0;
}

static uint32_t no_memory(const word_candidates *w) {
    return fail(w->error, POCKET_NO_MEMORY, POCKET_WORDS, -1, NULL, 0, 0);
}

/* ---- words ---- */

static uint32_t unless_missed(word_candidates *w, uint32_t status) {
    if (status != POCKET_NOT_AT_HAND) return status;
    w->missed = 1;
    return POCKET_OK;
}

/* Look a term up whose bytes are those of the first place where it stands. */
static uint32_t look_up_term(word_candidates *w, segment_term *term) {
    const segment *s = w->segment;
    uint32_t start = s->starts[term->first], end = s->ends[term->first];
    term_stream t;
    words_block b;
    word_list list;
    int found;
    term_stream_begin(&t, w->text + start, end - start, STREAM_EVERY_WORD);
    while (term_stream_next(&t)) {
        if (murmur(t.bytes, t.length) != term->hash) continue;
        uint32_t status = words_find(&b, w->index, t.bytes, t.length, &found, w->error);
        if (status || !found || (status = word_list_open(&list, &b))) return status;
        term->documents = list.documents;
        if (!list.total) return POCKET_OK;
        term->block = b.number;
        term->at = 1; /* it has postings */
        return POCKET_OK;
    }
    return POCKET_OK;
}

uint32_t term_look(word_candidates *w, uint32_t number) {
    segment_term *term = &w->segment->terms[number];
    if (term->looked) return POCKET_OK;
    uint32_t status = POCKET_OK;
    if (w->index->by_kind[POCKET_WORDS]) status = unless_missed(w, look_up_term(w, term));
    term->idf = word_idf(w->index->documents, term->documents);
    term->looked = 1;
    return status;
}

static int make_room(word_candidates *w, uint64_t more) {
    if (w->count + more <= w->room) return 1;
    uint64_t room = w->room ? w->room : 4096;
    while (room < w->count + more) room *= 2;
    uint32_t *documents = pocket_malloc((size_t)room * sizeof *documents);
    uint8_t *levels = pocket_malloc((size_t)room);
    if (!documents || !levels) {
        pocket_free(documents);
        pocket_free(levels);
        return 0;
    }
    if (w->count) {
        memcpy(documents, w->documents, (size_t)w->count * sizeof *documents);
        memcpy(levels, w->levels, (size_t)w->count);
    }
    pocket_free(w->documents);
    pocket_free(w->levels);
    w->documents = documents;
    w->levels = levels;
    w->room = room;
    return 1;
}

/* Read the postings of a term, once. */
static uint32_t read_postings(word_candidates *w, uint32_t number) {
    segment_term *term = &w->segment->terms[number];
    if (term->list_end || !term->at) return POCKET_OK;
    const segment *s = w->segment;
    term_stream t;
    words_block b;
    word_list list;
    int found = 0;
    uint32_t status = POCKET_OK;
    term_stream_begin(&t, w->text + s->starts[term->first], s->ends[term->first] - s->starts[term->first],
                      STREAM_EVERY_WORD);
    while (term_stream_next(&t) && murmur(t.bytes, t.length) != term->hash) {
    }
    status = words_find(&b, w->index, t.bytes, t.length, &found, w->error);
    if (status || !found || (status = word_list_open(&list, &b))) return status;
    uint32_t total = list.total < MOST_POSTINGS ? list.total : MOST_POSTINGS;
    if (list.total > total) w->capped = 1;
    if (!make_room(w, (uint64_t)total + TAKEN_AT_ONCE)) return no_memory(w);
    term->list = (uint32_t)w->count;
    while (w->count - term->list < total) {
        uint32_t level, count;
        status = word_list_take(&list, w->documents + w->count, TAKEN_AT_ONCE, &level, &count);
        if (status || !count) break;
        memset(w->levels + w->count, (int)level, count);
        w->count += count;
        if (interrupted(w->steps, count / 8 + 1)) return POCKET_INTERRUPTED;
    }
    term->list_end = (uint32_t)w->count;
    return status;
}

/* ---- the words of a unit ---- */

static int is_rarer(const word_candidates *w, uint32_t a, uint32_t b) {
    const segment_term *x = &w->segment->terms[a], *y = &w->segment->terms[b];
    return x->documents != y->documents ? x->documents < y->documents : a < b;
}

static uint32_t common_from(const word_candidates *w) {
    uint32_t from = w->index->documents / COMMON;
    return from > LEAST_COMMON ? from : LEAST_COMMON;
}

/* Choose the rarest words of a unit; of common ones no more than are needed. */
static uint32_t choose_words(word_candidates *w, const unit *u) {
    uint32_t most = u->sentence ? SENTENCE_WORDS : WINDOW_WORDS, common = common_from(w);
    w->word_count = 0;
    for (uint32_t i = u->first; i < u->last; i++) {
        uint32_t number = w->segment->ids[i], k, status = term_look(w, number);
        if (status) return status;
        if (!w->segment->terms[number].at) continue;
        for (k = 0; k < w->word_count && w->words[k] != number; k++) {
        }
        if (k < w->word_count) continue;
        if (w->word_count == most && !is_rarer(w, number, w->words[most - 1])) continue;
        if (w->word_count < most) w->word_count++;
        for (k = w->word_count - 1; k > 0 && is_rarer(w, number, w->words[k - 1]); k--)
            w->words[k] = w->words[k - 1];
        w->words[k] = number;
    }
    while (w->word_count > LEAST_ASKED &&
           w->segment->terms[w->words[w->word_count - 1]].documents > common)
        w->word_count--;
    return POCKET_OK;
}

/* ---- documents ---- */

static int make_table(word_candidates *w, uint64_t postings) {
    uint32_t size = 1024;
    while (size < 2 * postings && size < 1u << 31) size *= 2;
    w->touched_count = 0;
    if (size <= w->size) return 1;
    pocket_free(w->sums);
    pocket_free(w->touched);
    w->size = 0;
    w->sums = pocket_malloc((size_t)size * sizeof *w->sums);
    w->touched = pocket_malloc((size_t)size / 2 * sizeof *w->touched);
    if (!w->sums || !w->touched) return 0;
    memset(w->sums, 0, (size_t)size * sizeof *w->sums);
    w->size = size;
    return 1;
}

static void add_postings(word_candidates *w, uint32_t which) {
    const segment_term *term = &w->segment->terms[w->words[which]];
    for (uint32_t i = term->list; i < term->list_end; i++) {
        uint32_t document = w->documents[i] + 1, level = w->levels[i],
                 slot = (document * 0x9E3779B1u) & (w->size - 1);
        while (w->sums[slot].document && w->sums[slot].document != document)
            slot = (slot + 1) & (w->size - 1);
        document_sum *sum = &w->sums[slot];
        if (!sum->document) {
            *sum = (document_sum){document, 0, 0, WORD_LEVELS};
            w->touched[w->touched_count++] = slot;
        }
        sum->mask |= 1u << which;
        sum->mass += term->idf * (24 + level);
        if (level < sum->level) sum->level = level;
    }
}

static int is_better(const document_sum *a, const document_sum *b) {
    return a->mass != b->mass ? a->mass > b->mass : a->document < b->document;
}

/* Choose the best of the documents that have these words at least. */
static uint32_t choose_best(const word_candidates *w, uint32_t mask, uint32_t most, uint32_t *best) {
    uint32_t count = 0;
    for (uint32_t i = 0, k; i < w->touched_count; i++) {
        uint32_t slot = w->touched[i];
        const document_sum *sum = &w->sums[slot];
        if ((sum->mask & mask) != mask) continue;
        if (count == most && !is_better(sum, &w->sums[best[count - 1]])) continue;
        if (count < most) count++;
        for (k = count - 1; k > 0 && is_better(sum, &w->sums[best[k - 1]]); k--) best[k] = best[k - 1];
        best[k] = slot;
    }
    return count;
}

/* The length of a document in quarters of the average: that of one which has a word once, with this
 * level. */
static const uint8_t lengths[WORD_LEVELS + 1] = {64, 16, 10, 6, 3, 1, 1, 1, 4};

uint32_t word_candidates_of(word_candidates *w, uint32_t unit, candidate *found, uint32_t *count) {
    uint64_t postings = 0, whole = 0;
    uint32_t best[MOST_COMPLETE];
    uint32_t status = choose_words(w, &w->segment->units[unit]);
    *count = 0;
    for (uint32_t i = 0; i < w->word_count && !status; i++) {
        status = unless_missed(w, read_postings(w, w->words[i]));
        const segment_term *term = &w->segment->terms[w->words[i]];
        postings += term->list_end - term->list;
        whole += term->idf;
    }
    if (status || !postings) return status;
    if (interrupted(w->steps, postings / 4 + 1)) return POCKET_INTERRUPTED;
    if (!make_table(w, postings)) return no_memory(w);
    for (uint32_t i = 0; i < w->word_count; i++) add_postings(w, i);
    uint32_t all = (uint32_t)((1ull << w->word_count) - 1);
    *count = choose_best(w, 0, MOST_CANDIDATES, best);
    if (*count == MOST_CANDIDATES && w->sums[best[*count - 1]].mask == all)
        *count = choose_best(w, all, MOST_COMPLETE, best);
    for (uint32_t i = 0; i < *count; i++) {
        const document_sum *sum = &w->sums[best[i]];
        uint64_t own = 0;
        for (uint32_t k = 0; k < w->word_count; k++)
            if (sum->mask >> k & 1) own += w->segment->terms[w->words[k]].idf;
        found[i] = (candidate){sum->document - 1, unit, (uint32_t)(1024 * own / whole),
                               lengths[sum->level], sum->mask};
    }
    for (uint32_t i = 0; i < w->touched_count; i++) w->sums[w->touched[i]].document = 0;
    return POCKET_OK;
}

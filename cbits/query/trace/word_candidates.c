/* Finds the documents that have most of the rarest words of a unit (docs/format.md, section 9). */
#include "query/trace/word_candidates.h"

#include "base/hashes/hash.h"
#include "base/memory.h"
#include "base/sort.h"

#define COMMON 100u          /* a word is common if more than one document in 100 has it */
#define LEAST_COMMON 64u     /* a word that no more documents have is not common */
#define SENTENCE_MAKERS 6u   /* the rarest words of a sentence, whose documents are candidates */
#define WINDOW_MAKERS 12u    /* the same for a longer unit */
#define LEAST_RARE 3u        /* words whose documents are candidates, however common they are */
#define LEAST_SINGLED_OUT 4u /* words that a document has to have all of, to be singled out */
#define FEW_COMPLETE 20u     /* if more documents have all words, common words decide, too */
#define VERY_COMMON 32u      /* a word is very common if more than one document in 32 has it */
#define UNWEIGHED 2048u      /* the idf of a word that the profile does not weigh, in 1/256 bit */

void word_candidates_free(word_candidates *w) {
    postings_free(&w->postings);
    pocket_free(w->slots);
    pocket_free(w->sums);
}

void word_candidates_begin(word_candidates *w, segment *s) {
    w->segment = s;
    postings_free(&w->postings);
}

static uint32_t no_memory(const word_candidates *w) {
    return fail(w->error, POCKET_NO_MEMORY, POCKET_WORDS, -1, NULL, 0, 0);
}

/* ---- words ---- */

static uint32_t unless_word_missed(word_candidates *w, uint32_t status) {
    if (status != POCKET_NOT_AT_HAND) return status;
    w->missed = 1;
    return POCKET_OK;
}

/* Go to a term of the segment. Several terms may have the same bytes of the text. */
static int go_to_term(const word_candidates *w, const segment_term *term, term_stream *t) {
    const segment *s = w->segment;
    uint32_t start = s->starts[term->first], end = s->ends[term->first];
    term_stream_begin(t, w->text + start, end - start, every_word_of(w->index->profile.stream));
    while (term_stream_next(t))
        if (murmur(t->bytes, t->length) == term->hash) return 1;
    return 0;
}

static uint32_t find_list(const word_candidates *w, const segment_term *term, word_list *list,
                          int *found) {
    term_stream t;
    words_block b;
    *found = 0;
    if (!go_to_term(w, term, &t)) return POCKET_OK;
    return word_list_find(list, &b, w->index, t.bytes, t.length, found, w->error);
}

/* In a file without words, the idf is the weight in the profile, in sixteenths of a bit. */
static void weigh_term(const word_candidates *w, segment_term *term) {
    const profile *p = &w->index->profile;
    term_stream t;
    pocket_class own = {0, -1, 0};
    if (go_to_term(w, term, &t)) own = p->scheme->classify(p, &t);
    uint32_t weight = (uint32_t)(own.value < 0 ? -own.value : own.value);
    term->idf = own.number < 0 ? UNWEIGHED / 8 : weight > 1 ? 16 * weight : UNWEIGHED;
    term->documents = w->index->documents >> (term->idf >> 8 < 31 ? term->idf >> 8 : 31);
}

uint32_t term_look(word_candidates *w, uint32_t number) {
    segment_term *term = &w->segment->terms[number];
    word_list list = {.documents = 0};
    int found;
    if (term->looked) return POCKET_OK;
    term->looked = LOOKED;
    if (!w->index->by_kind[POCKET_WORDS]) {
        weigh_term(w, term);
        return POCKET_OK;
    }
    uint32_t status = unless_word_missed(w, find_list(w, term, &list, &found));
    if (!status && found) {
        term->documents = list.documents;
        term->listed = list.total > 0;
        term->block = list.first_block;
        term->begins = list.begins;
    }
    term->idf = word_idf(w->index->documents, term->documents);
    return status;
}

int word_candidates_narrow(word_candidates *w, uint32_t most) {
    const profile *p = &w->index->profile;
    segment *s = w->segment;
    uint32_t at_weight[UNWEIGHED / 8 + 1] = {0}, heavier = 0;
    if (!p->scheme->cosine || s->term_count <= 2 * most) return 0;
    for (uint32_t i = 0; i < s->term_count; i++) {
        term_stream t;
        pocket_class own = {0, -1, 0};
        if (go_to_term(w, &s->terms[i], &t)) own = p->scheme->classify(p, &t);
        if (own.number >= 0 && !t.letter) own.value = UNWEIGHED / 16;
        s->terms[i].idf = own.number < 0 ? 0 : (uint32_t)own.value;
        at_weight[s->terms[i].idf]++;
    }
    for (uint32_t weight = UNWEIGHED / 8 + 1; weight-- > 0;) {
        uint32_t count = at_weight[weight];
        at_weight[weight] = heavier; /* the place of the next one of this weight */
        heavier += count;
    }
    for (uint32_t i = 0; i < s->term_count; i++) {
        uint32_t turn = at_weight[s->terms[i].idf]++ / most;
        s->terms[i].idf = 0;
        s->terms[i].looked = turn < LOOKED ? (int)turn : LOOKED;
    }
    return 1;
}

uint32_t word_candidates_look_more(word_candidates *w, int which) {
    uint32_t status = POCKET_OK;
    for (uint32_t i = 0; i < w->segment->term_count && !status; i++) {
        if (w->segment->terms[i].looked != which) continue;
        w->segment->terms[i].looked = NOT_LOOKED;
        status = term_look(w, i);
    }
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

uint32_t choose_words(word_candidates *w, const unit *u) {
    uint32_t most = u->kind == SENTENCE ? SENTENCE_WORDS : WINDOW_WORDS, common = common_from(w);
    w->word_count = 0;
    w->makers = u->kind == SENTENCE ? SENTENCE_MAKERS : WINDOW_MAKERS;
    for (uint32_t i = u->first; i < u->last; i++) {
        uint32_t number = w->segment->ids[i], k, status = term_look(w, number);
        if (status) return status;
        if (!w->any_word && !w->segment->terms[number].listed) continue;
        for (k = 0; k < w->word_count && w->words[k] != number; k++) {
        }
        if (k < w->word_count) continue;
        if (w->word_count == most && !is_rarer(w, number, w->words[most - 1])) continue;
        if (w->word_count < most) w->word_count++;
        for (k = w->word_count - 1; k > 0 && is_rarer(w, number, w->words[k - 1]); k--)
            w->words[k] = w->words[k - 1];
        w->words[k] = number;
    }
    w->spare_count = w->word_count;
    while (w->word_count > LEAST_RARE &&
           w->segment->terms[w->words[w->word_count - 1]].documents > common)
        w->word_count--;
    return POCKET_OK;
}

/* ---- documents ---- */

/* Make room for the sums of as many documents, and begin a table that is no larger than these need,
 * so that it stays in the cache. */
static int make_table(word_candidates *w, uint64_t documents) {
    uint32_t size = 1024;
    while (size < 2 * documents && size < 1u << 31) size *= 2;
    if (size > w->room_of_slots) {
        pocket_free(w->slots);
        pocket_free(w->sums);
        w->room_of_slots = w->size = w->sum_count = 0;
        w->slots = pocket_malloc((size_t)size * sizeof *w->slots);
        w->sums = pocket_malloc((size_t)size / 2 * sizeof *w->sums);
        if (!w->slots || !w->sums) return 0;
        w->room_of_slots = size;
    }
    w->size = size;
    memset(w->slots, 0, (size_t)size * sizeof *w->slots);
    return 1;
}

/* Where the number of a document's sum is, or is to be. */
static uint32_t *sum_slot(const word_candidates *w, uint32_t document) {
    uint32_t slot = (document * 0x9E3779B1u) & (w->size - 1);
    while (w->slots[slot] && w->sums[w->slots[slot] - 1].document != document)
        slot = (slot + 1) & (w->size - 1);
    return &w->slots[slot];
}

/* ---- who can have enough ---- */

static uint32_t chosen_idf(const word_candidates *w, uint32_t which) {
    return w->segment->terms[w->words[which]].idf;
}

/* The idf of the words of a mask. */
static uint64_t idf_of_mask(const word_candidates *w, uint32_t mask) {
    uint64_t sum = 0;
    for (; mask; mask &= mask - 1) sum += chosen_idf(w, lowest_one(mask));
    return sum;
}

static uint32_t first_words(uint32_t count) { return (uint32_t)((1ull << count) - 1); }

/* Can a document have the least share of the words that are asked in any case, if it has these of
 * the first ones, and all the others? */
static int can_have_enough(const word_candidates *w, uint32_t mask, uint32_t first) {
    uint32_t all = first_words(w->sure_count);
    mask = (mask | ~first_words(first)) & all;
    return 1024 * idf_of_mask(w, mask) >= w->least * w->whole;
}

/* The fewest words of those that are not spare that a document with the least share has. */
static uint32_t fewest_words(word_candidates *w) {
    uint32_t count = 1;
    w->whole = idf_of_mask(w, first_words(w->sure_count));
    while (count < w->word_count && !can_have_enough(w, first_words(count), w->word_count)) count++;
    return count;
}

/* NULL: no document has the word, or it is missed. */
static const postings *chosen_postings(const word_candidates *w, uint32_t which) {
    return w->segment->terms[w->words[which]].postings;
}

/* Count the asked words of each document: most have too few, and a look at the table of sums costs
 * more than this. */
static void count_asked(word_candidates *w) {
    for (uint32_t k = 0; k < w->word_count; k++) {
        const postings *p = chosen_postings(w, k);
        for (uint32_t i = 0; i < postings_count(p); i++) {
            uint8_t *seen = &w->seen[p->documents[i] % SEEN];
            *seen = (uint8_t)(*seen + (*seen < UINT8_MAX));
        }
    }
}

/* Add a word to the sums of the documents that have it. more: begin sums for new documents, too. */
static void add_postings(word_candidates *w, uint32_t which, int more) {
    const postings *p = chosen_postings(w, which);
    uint32_t needed = more && w->needed == 1 ? 0 : w->needed, idf = chosen_idf(w, which);
    for (uint32_t i = 0; i < postings_count(p); i++) {
        uint32_t document = p->documents[i], level = p->levels[i];
        uint8_t *seen = &w->seen[document % SEEN];
        if (*seen < needed) continue;
        uint32_t *slot = sum_slot(w, document);
        if (!*slot && !more) continue;
        if (!*slot) {
            if (!needed) *seen = 1;
            w->sums[w->sum_count++] = (document_sum){document, 0, 0, WORD_LEVELS};
            *slot = w->sum_count;
        }
        document_sum *sum = &w->sums[*slot - 1];
        sum->mask |= 1u << which;
        sum->mass += idf * (24 + level);
        if (level < sum->level) sum->level = level;
    }
}

static int is_complete(const word_candidates *w, const document_sum *sum) {
    return sum->mask == (uint32_t)((1ull << w->word_count) - 1);
}

static uint32_t count_complete(const word_candidates *w) {
    uint32_t count = 0;
    for (uint32_t i = 0; i < w->sum_count; i++) count += (uint32_t)is_complete(w, &w->sums[i]);
    return count;
}

/* Is there a document that can have enough of the words, some of which were asked? */
static int has_any_enough(const word_candidates *w) {
    for (uint32_t i = 0; i < w->sum_count; i++)
        if (can_have_enough(w, w->sums[i].mask, w->word_count)) return 1;
    return 0;
}

/* Documents that have all the words come first, whatever the mass of the others, because they may
 * have the unit word for word. */
static int is_better(const word_candidates *w, uint32_t one, uint32_t other) {
    const document_sum *a = &w->sums[one], *b = &w->sums[other];
    int complete = is_complete(w, a);
    if (complete != is_complete(w, b)) return complete;
    return a->mass != b->mass ? a->mass > b->mass : a->document < b->document;
}

/* rare: how many of the words are no spare ones. */
static uint32_t choose_best(word_candidates *w, uint32_t most, uint32_t rare) {
    uint32_t count = 0, *best = w->best;
    for (uint32_t i = 0, k; i < w->sum_count; i++) {
        if (w->least && !can_have_enough(w, w->sums[i].mask, rare)) continue;
        if (count == most && !is_better(w, i, best[count - 1])) continue;
        if (count < most) count++;
        for (k = count - 1; k > 0 && is_better(w, i, best[k - 1]); k--) best[k] = best[k - 1];
        best[k] = i;
    }
    return count;
}

static uint32_t read_word(word_candidates *w, uint32_t which) {
    segment_term *term = &w->segment->terms[w->words[which]];
    uint32_t status = POCKET_OK;
    if (!term->postings && term->listed)
        status = unless_word_missed(
            w, postings_read(w->index, term, &w->postings, &w->capped, w->steps, w->error));
    if (!status) status = interrupted(w->steps, postings_count(term->postings) / 4 + 1);
    return status;
}

/* Ask for one word more, which makes no candidates. */
static uint32_t ask_next_word(word_candidates *w) {
    uint32_t status = read_word(w, w->word_count);
    if (!status) add_postings(w, w->word_count++, 0);
    return status;
}

/* Is another word to be asked, however common it is? Not where the words so far have singled out a
 * document, if that is enough. */
static int is_next_asked(const word_candidates *w) {
    uint32_t complete = count_complete(w);
    if (w->word_count >= LEAST_ASKED) return complete > FEW_COMPLETE;
    return !w->brief || w->word_count < LEAST_SINGLED_OUT || complete != 1;
}

/* Find the documents that have the unit's rare words. If many have all of them, common words decide
 * between these. */
static uint32_t add_up(word_candidates *w, int alone) {
    uint64_t count = 0;
    uint32_t rare = w->word_count, status = POCKET_OK;
    for (uint32_t i = 0; i < rare && !status; i++) {
        status = read_word(w, i);
        if (i < w->makers) count += postings_count(w->segment->terms[w->words[i]].postings);
    }
    if (status) return status;
    if (!make_table(w, count)) return no_memory(w);
    w->sure_count = rare > LEAST_ASKED ? rare : LEAST_ASKED;
    if (w->sure_count > w->spare_count) w->sure_count = w->spare_count;
    if (w->least) w->needed = fewest_words(w);
    if (w->needed > 1) count_asked(w);
    for (uint32_t i = 0; i < rare; i++) add_postings(w, i, i < w->makers);
    while (w->word_count < w->spare_count && is_next_asked(w)) {
        if (w->least && !w->missed && !has_any_enough(w)) return POCKET_OK;
        if ((status = ask_next_word(w))) return status;
    }
    uint32_t most = alone ? MOST_CANDIDATES : MOST_OF_MORE, complete = count_complete(w);
    if (alone && !w->cold && complete > most) most = complete;
    if (most > MOST_COMPLETE) most = MOST_COMPLETE;
    if (alone && complete > most) w->capped = 1;
    w->found_count = choose_best(w, most, rare);
    w->known_count = w->word_count;
    return POCKET_OK;
}

uint32_t word_candidates_look(word_candidates *w) {
    uint32_t status = POCKET_OK, most = w->index->documents / VERY_COMMON;
    if (w->cold || w->index->words_heaviest) return POCKET_OK; /* or not all postings are known */
    if (most > MOST_POSTINGS) most = MOST_POSTINGS;
    while (!status && w->known_count < w->spare_count &&
           w->segment->terms[w->words[w->known_count]].documents <= most) {
        status = read_word(w, w->known_count);
        if (!status) add_postings(w, w->known_count++, 0);
    }
    for (uint32_t i = 0; i < w->found_count; i++) w->found[i].mask = w->sums[w->best[i]].mask;
    return status;
}

uint32_t word_candidates_numbers(word_candidates *w) {
    for (uint32_t i = 0; i < w->segment->term_count && w->word_count < MOST_UNIT_WORDS; i++) {
        const segment_term *term = &w->segment->terms[i];
        term_stream t;
        uint32_t k = 0, status;
        while (k < w->word_count && w->words[k] != i) k++;
        if (k < w->word_count || !term->listed || !go_to_term(w, term, &t) || t.letter) continue;
        w->words[k] = i;
        if ((status = ask_next_word(w))) return status;
    }
    return POCKET_OK;
}

/* The length of a document in quarters of the average, if it has a word once and the word has this
 * level. */
static const uint8_t lengths[WORD_LEVELS + 1] = {32, 11, 5, 2, 1, 1, 1, 1, 4};

static candidate candidate_of(const word_candidates *w, uint32_t number, const document_sum *sum) {
    candidate c = {.document = sum->document, .unit = number, .mask = sum->mask};
    uint64_t all = 4ull * w->index->documents;
    for (uint32_t k = 0; k < w->word_count; k++) {
        const segment_term *term = &w->segment->terms[w->words[k]];
        uint64_t likely = 1024 * term->documents * lengths[sum->level] / all;
        c.whole += term->idf;
        if (sum->mask >> k & 1) c.own += term->idf;
        c.chance += term->idf * (uint32_t)(likely < 1000 ? likely : 1000) / 1024;
    }
    c.share = 1024 * c.own / (c.whole ? c.whole : 1);
    return c;
}

candidate word_candidate(const word_candidates *w, uint32_t number, uint32_t document) {
    const document_sum none = {document, 0, 0, WORD_LEVELS};
    uint32_t own = w->size ? *sum_slot(w, document) : 0;
    return candidate_of(w, number, own ? &w->sums[own - 1] : &none);
}

uint32_t word_candidates_of(word_candidates *w, uint32_t number) {
    const unit *u = &w->segment->units[number];
    if (w->needed > 1) memset(w->seen, 0, sizeof w->seen);
    for (uint32_t i = 0; i < w->sum_count; i++) w->seen[w->sums[i].document % SEEN] = 0;
    w->sum_count = w->found_count = w->size = 0;
    w->needed = 1;
    uint32_t status = choose_words(w, u);
    if (status || !w->word_count) return status;
    status = add_up(w, unit_is_alone(w->segment, u));
    for (uint32_t i = 0; i < w->found_count && !status; i++)
        w->found[i] = candidate_of(w, number, &w->sums[w->best[i]]);
    return status;
}

/* The postings of found words to hits in order. */
#include "base/memory.h"
#include "base/sort.h"
#include "query/words/word_search.h"

#define DOCUMENTS_AT_ONCE 512u

/* What a word counts by its level, in 26ths of the most that BM25 lets it: t / (t + K) in the
 * middle of the level. A word of the title counts more than that. */
static const uint8_t worths[WORD_LEVELS] = {4, 7, 11, 15, 19, 22, 24, 25};
#define TITLE_WORTH 32u

/* What a word adds to a document that has it with this rank. */
static uint32_t worth(const word_search *s, uint32_t asked, uint32_t rank) {
    uint32_t idf = word_idf(s->index->documents, s->documents[asked]);
    return TALLY_WORD + idf * (rank < WORD_LEVELS ? worths[rank] : TITLE_WORTH);
}

/* Take what a document has of a beginning: the highest rank counts. */
static void raise_ranks(word_search *s, const uint32_t *documents, uint32_t count, uint32_t rank) {
    for (uint32_t i = 0; i < count; i++)
        if (s->ranks[documents[i]] <= rank) s->ranks[documents[i]] = (uint8_t)(rank + 1);
}

/* A first answer reads the beginning of a long list alone. All blocks that it needs are missed at
 * once. */
static int is_enough(word_search *s, const found_word *f) {
    const word_list *l = &f->list;
    if (!s->options.cold || !word_list_goes_on(l) || l->block - l->first_block < MOST_GOING_ON)
        return 0;
    s->partial[f->asked] = 1;
    return 1;
}

static void miss_rest(const word_search *s, const word_list *l) {
    const section *section = s->index->by_kind[POCKET_WORDS];
    const uint8_t *bytes;
    uint64_t length, first = block_first(section, l->first_block);
    uint32_t end = s->options.cold ? l->first_block + MOST_GOING_ON + 1 : section->blocks;
    for (uint32_t i = l->block + 1; i < end && i < section->blocks; i++) {
        if (block_first(section, i) != first) break;
        block_get(s->index, section, i, 0, &bytes, &length, NULL);
    }
}

/* Has a title of this rank as many words as are asked? */
static int is_alone(const word_search *s, uint32_t rank) {
    return rank + 1 < WORD_RANKS && rank + 1 - WORD_LEVELS == s->wanted;
}

static uint32_t add_list(word_search *s, found_word *f) {
    uint32_t documents[DOCUMENTS_AT_ONCE], count, rank;
    const asked_word *word = &s->asked.words[f->asked];
    while (!is_enough(s, f)) {
        uint32_t status = word_list_take(&f->list, documents, DOCUMENTS_AT_ONCE, &rank, &count);
        if (status == POCKET_NOT_AT_HAND) miss_rest(s, &f->list);
        if (status || count == 0) return search_unless_missed(s, status);
        if (interrupted(&s->steps, count / 8 + 1)) return POCKET_INTERRUPTED;
        if (word->role == WORD_EXCLUDED) {
            tally_exclude(&s->tally, documents, count);
            continue;
        }
        if (rank >= WORD_LEVELS && !s->not_found)
            tally_go_on(&s->titles[is_alone(s, rank)], documents, count, s->ranked);
        if (word->prefix)
            raise_ranks(s, documents, count, rank);
        else
            tally_add(&s->tally, documents, count, worth(s, f->asked, rank));
    }
    return POCKET_OK;
}

/* Add the ranks that the lists of a beginning have raised, and lower them again. */
static void add_ranks(word_search *s, uint32_t asked) {
    uint32_t sums[WORD_RANKS + 1];
    for (uint32_t rank = 0; rank < WORD_RANKS; rank++) sums[rank + 1] = worth(s, asked, rank);
    for (uint32_t document = 0; document < s->index->documents; document++)
        if (s->ranks[document]) tally_add(&s->tally, &document, 1, sums[s->ranks[document]]);
    memset(s->ranks, 0, s->index->documents);
}

/* Lists of one asked word come one after the other. */
static uint32_t add_lists(word_search *s, int role) {
    uint32_t status = POCKET_OK;
    for (uint32_t i = 0; i < s->found_count && !status; i++) {
        uint32_t asked = s->found[i].asked;
        const asked_word *word = &s->asked.words[asked];
        if (word->role != role) continue;
        status = add_list(s, &s->found[i]);
        if (i + 1 < s->found_count && s->found[i + 1].asked == asked) continue;
        if (word->prefix) add_ranks(s, asked);
        s->ranked++;
    }
    return status;
}

/* ---- the best ---- */

/* A document that has all the words counts 1.2 times, one that has them in its title as much again,
 * one with no other words there 1.5 times. */
static uint32_t word_score(const word_search *s, uint32_t sum, uint32_t document) {
    uint32_t score = sum & (TALLY_WORD - 1);
    if (sum / TALLY_WORD < s->wanted) return score;
    if (s->wanted > 1) score += score / 5;
    if (s->not_found) return score;
    if (tally_sum(&s->titles[1], document) == s->wanted) return score + score / 2;
    return tally_sum(&s->titles[0], document) == s->wanted ? score + score / 5 : score;
}

/* Higher is better: the score, then the lower number. */
static uint64_t hit_rank(const word_search *s, uint32_t sum, uint32_t document) {
    return (uint64_t)word_score(s, sum, document) << 32 | (UINT32_MAX - document);
}

static void offer_document(word_search *s, uint64_t worse) {
    if (s->best_count < s->room) {
        s->best[s->best_count++] = worse;
        if (s->best_count == s->room) heap64(s->best, s->room);
    } else if (worse < s->best[0]) {
        s->best[0] = worse;
        sift64(s->best, 0, s->room);
    }
}

static void choose(word_search *s) {
    int quoted = all_are_quoted(s);
    for (uint64_t i = 0; i < s->tally.size; i++) {
        uint32_t sum = s->tally.sums[i];
        if (sum == 0 || sum & TALLY_EXCLUDED) continue;
        s->any++;
        int all = sum / TALLY_WORD == s->wanted;
        s->all += (uint32_t)all;
        if (all || !quoted) offer_document(s, ~hit_rank(s, sum, tally_document(&s->tally, i)));
    }
    sort64(s->best, s->best_count);
}

static int make_sums_room(word_search *s) {
    uint64_t postings = 0, titles = 0;
    int beginnings = 0;
    for (uint32_t i = 0; i < s->found_count; i++) {
        const asked_word *word = &s->asked.words[s->found[i].asked];
        if (word->role != WORD_WANTED) continue;
        postings += s->found[i].list.total;
        titles += s->not_found ? 0 : word_list_titles(&s->found[i].list);
        beginnings |= word->prefix;
    }
    size_t ranks = beginnings ? s->index->documents : 0;
    s->ranks = pocket_malloc(ranks + 1);
    s->best = pocket_malloc(s->room * sizeof *s->best);
    if (!s->ranks || !s->best) return 0;
    memset(s->ranks, 0, ranks);
    return tally_alloc(&s->tally, s->index->documents, postings) &&
           tally_alloc(&s->titles[0], s->index->documents, titles) &&
           tally_alloc(&s->titles[1], s->index->documents, titles);
}

uint32_t rank_words(word_search *s) {
    uint32_t status;
    if (!make_sums_room(s)) return fail(s->error, POCKET_NO_MEMORY, POCKET_WORDS, -1, NULL, 0, 0);
    if ((status = add_lists(s, WORD_WANTED)) || (status = add_lists(s, WORD_EXCLUDED)))
        return status;
    if (s->missed) return POCKET_NOT_AT_HAND;
    choose(s);
    return POCKET_OK;
}

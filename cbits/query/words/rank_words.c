/* The postings of found words to hits in order. */
#include "base/memory.h"
#include "base/sort.h"
#include "query/words/word_search.h"

#define DOCUMENTS_AT_ONCE 512u

/* What a word adds to a document that has it with this level. */
static uint32_t worth(const word_search *s, uint32_t asked, uint32_t level) {
    const uint64_t *having = s->options.having;
    uint32_t idf = having ? word_idf(s->options.all, having[asked])
                          : word_idf(s->index->documents, s->documents[asked]);
    return TALLY_WORD + idf * (2 * level + 1);
}

/* Take what a document has of a beginning: the highest level counts. */
static void raise_levels(word_search *s, const uint32_t *documents, uint32_t count,
                         uint32_t level) {
    for (uint32_t i = 0; i < count; i++)
        if (s->levels[documents[i]] <= level) s->levels[documents[i]] = (uint8_t)(level + 1);
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

static uint32_t add_list(word_search *s, found_word *f) {
    uint32_t documents[DOCUMENTS_AT_ONCE], count, level;
    const asked_word *word = &s->asked.words[f->asked];
    while (!is_enough(s, f)) {
        uint32_t status = word_list_take(&f->list, documents, DOCUMENTS_AT_ONCE, &level, &count);
        if (status == POCKET_NOT_AT_HAND) miss_rest(s, &f->list);
        if (status || count == 0) return search_unless_missed(s, status);
        if (interrupted(&s->steps, count / 8 + 1)) return POCKET_INTERRUPTED;
        if (word->role == WORD_EXCLUDED)
            tally_exclude(&s->tally, documents, count);
        else if (word->prefix)
            raise_levels(s, documents, count, level);
        else
            tally_add(&s->tally, documents, count, worth(s, f->asked, level));
    }
    return POCKET_OK;
}

/* Add the levels that the lists of a beginning have raised, and lower them again. */
static void add_levels(word_search *s, uint32_t asked) {
    uint32_t sums[WORD_LEVELS + 1];
    for (uint32_t level = 0; level < WORD_LEVELS; level++) sums[level + 1] = worth(s, asked, level);
    for (uint32_t document = 0; document < s->index->documents; document++)
        if (s->levels[document]) tally_add(&s->tally, &document, 1, sums[s->levels[document]]);
    memset(s->levels, 0, s->index->documents);
}

/* Lists of one asked word come one after the other. */
static uint32_t add_lists(word_search *s, int role) {
    uint32_t status = POCKET_OK;
    for (uint32_t i = 0; i < s->found_count && !status; i++) {
        uint32_t asked = s->found[i].asked;
        const asked_word *word = &s->asked.words[asked];
        if (word->role != role) continue;
        status = add_list(s, &s->found[i]);
        if (word->prefix && (i + 1 == s->found_count || s->found[i + 1].asked != asked))
            add_levels(s, asked);
    }
    return status;
}

/* ---- the best ---- */

/* Higher is better: whether a document has all words, its score, and the lower number. */
static uint64_t word_rank(const word_search *s, uint32_t sum, uint32_t document) {
    uint64_t all = sum / TALLY_WORD == s->wanted;
    return all << 63 | (uint64_t)(sum & (TALLY_WORD - 1)) << 32 | (UINT32_MAX - document);
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
    for (uint64_t i = 0; i < s->tally.size; i++) {
        uint32_t sum = s->tally.sums[i];
        if (sum == 0 || sum & TALLY_EXCLUDED) continue;
        s->any++;
        s->all += sum / TALLY_WORD == s->wanted;
        offer_document(s, ~word_rank(s, sum, tally_document(&s->tally, i)));
    }
    sort64(s->best, s->best_count);
}

uint32_t rank_words(word_search *s) {
    uint64_t postings = 0;
    uint32_t status;
    int beginnings = 0;
    for (uint32_t i = 0; i < s->found_count; i++) {
        const asked_word *word = &s->asked.words[s->found[i].asked];
        if (word->role == WORD_WANTED) postings += s->found[i].list.total;
        beginnings |= word->prefix;
    }
    size_t levels = beginnings ? s->index->documents : 0;
    s->levels = pocket_malloc(levels + 1);
    s->best = pocket_malloc(s->room * sizeof *s->best);
    if (!s->levels || !s->best || !tally_alloc(&s->tally, s->index->documents, postings))
        return fail(s->error, POCKET_NO_MEMORY, POCKET_WORDS, -1, NULL, 0, 0);
    memset(s->levels, 0, levels);
    if ((status = add_lists(s, WORD_WANTED)) || (status = add_lists(s, WORD_EXCLUDED)))
        return status;
    if (s->missed) return POCKET_NOT_AT_HAND;
    choose(s);
    return POCKET_OK;
}

/* The postings of found words to hits in order. */
#include "base/memory.h"
#include "base/sort.h"
#include "query/words/word_search.h"

#define DOCUMENTS_AT_ONCE 512u

/* What a word counts by its level, in 26ths of the most that BM25 lets it: t / (t + K) in the
 * middle of the level. A word of the title counts more than that. */
static const uint8_t worths[WORD_LEVELS] = {4, 7, 11, 15, 19, 22, 24, 25};
#define TITLE_WORTH 32u
#define ONE_FORM (TALLY_RAISED + 1) /* of a sum: where what other forms are worth begins */

static uint32_t worth_of(uint32_t rank) { return rank < WORD_LEVELS ? worths[rank] : TITLE_WORTH; }

static uint32_t idf_of(const word_search *s, uint32_t asked) {
    const uint64_t *having = s->options.having;
    return having ? word_idf(s->options.all, having[asked])
                  : word_idf(s->index->documents, s->documents[asked]);
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

static int is_allowed(const word_search *s, uint32_t document) {
    return !s->allowed || s->allowed[document / 8] >> document % 8 & 1;
}

static void disallow(word_search *s, uint32_t document) {
    s->allowed[document / 8] &= (uint8_t)~(1u << document % 8);
}

/* several: it is one of several words of the file that stand for the same asked one. */
static uint32_t add_list(word_search *s, found_word *f, int several) {
    uint32_t documents[DOCUMENTS_AT_ONCE], count, rank, idf = idf_of(s, f->asked);
    while (!is_enough(s, f)) {
        uint32_t status = word_list_take(&f->list, documents, DOCUMENTS_AT_ONCE, &rank, &count);
        if (status == POCKET_NOT_AT_HAND) miss_rest(s, &f->list);
        if (status || count == 0) return search_unless_missed(s, status);
        if (interrupted(&s->steps, count / 8 + 1)) return POCKET_INTERRUPTED;
        if (s->asked.words[f->asked].role == WORD_EXCLUDED) {
            tally_exclude(&s->tally, documents, count);
            for (uint32_t i = 0; i < count && s->allowed; i++) disallow(s, documents[i]);
            continue;
        }
        if (rank >= WORD_LEVELS && !s->not_found)
            tally_go_on(&s->titles[is_alone(s, rank)], documents, count, s->ranked);
        if (several && f->how == FOUND_FORM)
            tally_add(&s->one, documents, count, worth_of(rank) * ONE_FORM);
        else if (several)
            tally_raise(&s->one, documents, count, worth_of(rank) << (f->how != FOUND_PLAIN),
                        f->how == FOUND_ITSELF);
        else
            tally_add(&s->tally, documents, count, TALLY_WORD + idf * worth_of(rank));
    }
    return POCKET_OK;
}

/* Add what several words of the file are worth for one that is asked: other forms half of what the
 * word itself leaves of the most. */
static void add_one(word_search *s, uint32_t asked) {
    uint32_t idf = idf_of(s, asked), most = 2 * TITLE_WORTH;
    int dense = !s->one.documents; /* then the other tally is, too, which has no fewer postings */
    for (uint64_t i = 0; i < s->one.size; i++) {
        uint32_t sum = s->one.sums[i] & ~TALLY_ITSELF, twice = sum & TALLY_RAISED,
                 forms = sum / ONE_FORM;
        if (!sum) continue;
        if (forms > TITLE_WORTH) forms = TITLE_WORTH;
        uint32_t more = TALLY_WORD + idf * (most * twice + (most - twice) * forms) / (2 * most);
        if (dense) {
            s->tally.sums[i] += more;
        } else {
            uint32_t document = tally_document(&s->one, i);
            tally_add(&s->tally, &document, 1, more);
        }
    }
}

/* Add the lists of found words, which stand for the same asked one. */
static uint32_t add_asked(word_search *s, uint32_t from, uint32_t to) {
    uint64_t postings = 0;
    uint32_t status = POCKET_OK, asked = s->found[from].asked;
    int several = s->asked.words[asked].role == WORD_WANTED &&
                  (to > from + 1 || s->found[from].how != FOUND_ITSELF);
    for (uint32_t i = from; i < to; i++) postings += s->found[i].list.total;
    if (several) {
        tally_free(&s->one);
        if (!tally_alloc(&s->one, s->index->documents, postings))
            return fail(s->error, POCKET_NO_MEMORY, POCKET_WORDS, -1, NULL, 0, 0);
    }
    for (uint32_t i = from; i < to && !status; i++) status = add_list(s, &s->found[i], several);
    if (several) add_one(s, asked);
    s->ranked++;
    return status;
}

/* Lists of one asked word come one after the other. */
static uint32_t add_lists(word_search *s, int role) {
    uint32_t status = POCKET_OK;
    for (uint32_t i = 0, end; i < s->found_count && !status; i = end) {
        for (end = i + 1; end < s->found_count && s->found[end].asked == s->found[i].asked;) end++;
        if (s->asked.words[s->found[i].asked].role == role) status = add_asked(s, i, end);
    }
    return status;
}

/* ---- the best ---- */

/* A document that has all the words counts 1.2 times, one that has them in its title as much again,
 * one with no other words there 1.5 times. */
static uint32_t hit_score_of(const word_search *s, uint32_t sum, uint32_t document) {
    uint32_t score = sum & (TALLY_WORD - 1);
    if (sum / TALLY_WORD < s->wanted) return score;
    if (s->wanted > 1) score += score / 5;
    if (s->not_found) return score;
    if (tally_sum(&s->titles[1], document) == s->wanted) return score + score / 2;
    return tally_sum(&s->titles[0], document) == s->wanted ? score + score / 5 : score;
}

/* Where one word is asked, and has other forms: has the document the word itself? */
static int has_itself(const word_search *s, uint32_t document) {
    return s->wanted == 1 && s->one.sums && tally_sum(&s->one, document) & TALLY_ITSELF;
}

static int has_run(const word_search *s) {
    for (uint32_t i = 0; i < s->asked.quote_count; i++)
        if (s->asked.quotes[i].run) return 1;
    return 0;
}

/* Higher is better: the word itself, or all words where these make a run, the score, then the lower
 * number. */
static uint64_t hit_rank(const word_search *s, uint32_t sum, uint32_t document, int runs) {
    uint64_t first = has_itself(s, document) || (runs && sum / TALLY_WORD == s->wanted);
    return first << 63 | (uint64_t)hit_score_of(s, sum, document) << 32 | (UINT32_MAX - document);
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

/* The score of the worst hit that is to stay, in the highest bits of its rank; 0 while there is
 * room. */
static uint32_t least_score(const word_search *s) {
    return s->best_count < s->room ? 0 : (uint32_t)(~s->best[0] >> 32);
}

#define SUMS_AT_ONCE 32u

/* Are all documents of so many sums worse than the best, because they lack a word, so that no score
 * is higher than its sum says? Then they are counted. */
static int pass_sums(const uint32_t *sums, uint32_t wanted, uint32_t least, uint32_t *any) {
    uint32_t some = 0, all = 0, most = 0;
    for (uint32_t i = 0; i < SUMS_AT_ONCE; i++) {
        uint32_t score = sums[i] & (TALLY_WORD - 1);
        some += sums[i] - 1 < TALLY_EXCLUDED - 1;
        all += sums[i] / TALLY_WORD == wanted;
        most = score > most ? score : most;
    }
    if (all || (some && most >= least)) return 0;
    *any += some;
    return 1;
}

static void choose(word_search *s) {
    const uint32_t *sums = s->tally.sums;
    uint32_t least = 0, any = 0, found = 0;
    int needs = needs_all(s), runs = has_run(s), by_score = !runs && s->wanted > 1;
    for (uint64_t i = 0; i < s->tally.size; i++) {
        while (!s->allowed && i % SUMS_AT_ONCE == 0 && s->tally.size - i >= SUMS_AT_ONCE &&
               pass_sums(sums + i, s->wanted, needs ? UINT32_MAX : least, &any))
            i += SUMS_AT_ONCE;
        if (i == s->tally.size) break;
        uint32_t sum = sums[i], score = sum & (TALLY_WORD - 1);
        if (sum == 0 || sum & TALLY_EXCLUDED) continue;
        uint32_t document = tally_document(&s->tally, i);
        if (!is_allowed(s, document)) continue;
        any++;
        int all = sum / TALLY_WORD == s->wanted;
        found += (uint32_t)all;
        /* All words, and a title, make a score less than twice as high. */
        if (all ? by_score && 2 * score < least : needs || score < least) continue;
        offer_document(s, ~hit_rank(s, sum, document, runs));
        least = least_score(s);
    }
    s->any = any;
    s->all = found;
}

/* The documents that the filters leave, where no word is asked. */
static void choose_allowed(word_search *s) {
    for (uint32_t i = 0; i < s->index->documents; i++) {
        if (!is_allowed(s, i)) continue;
        s->all = ++s->any;
        offer_document(s, ~hit_rank(s, 0, i, 0));
    }
}

static int make_tallies(word_search *s) {
    uint64_t postings = 0, titles = 0;
    uint32_t first = MOST_ASKED;
    for (uint32_t i = 0; i < s->found_count; i++) {
        const asked_word *word = &s->asked.words[s->found[i].asked];
        if (word->role != WORD_WANTED) continue;
        postings += s->found[i].list.total;
        /* Only titles that have the first word can have them all. */
        if (first == MOST_ASKED) first = s->found[i].asked;
        if (s->found[i].asked == first && !s->not_found)
            titles += word_list_titles(&s->found[i].list);
    }
    s->best = pocket_malloc(s->room * sizeof *s->best);
    return s->best && tally_alloc(&s->tally, s->index->documents, postings) &&
           tally_alloc(&s->titles[0], s->index->documents, titles) &&
           tally_alloc(&s->titles[1], s->index->documents, titles);
}

uint32_t rank_words(word_search *s) {
    uint32_t status;
    if (!make_tallies(s)) return fail(s->error, POCKET_NO_MEMORY, POCKET_WORDS, -1, NULL, 0, 0);
    if ((status = add_lists(s, WORD_WANTED)) || (status = add_lists(s, WORD_EXCLUDED)))
        return status;
    if (s->missed) return POCKET_NOT_AT_HAND;
    if (s->allowed && !s->wanted && !s->not_found)
        choose_allowed(s);
    else
        choose(s);
    sort64(s->best, s->best_count);
    return POCKET_OK;
}

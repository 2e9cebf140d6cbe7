/* Shares of words to a decision: by the length of the unit, and by what other documents have. */
#include "query/sources/judge.h"

/* Set on Simple English Wikipedia, Reuters and German Wikipedia (docs/decisions.md). */
#define LEAST_EDITED 9u /* terms of a unit that is named when some of them were changed */

/* The threshold for units of up to so many terms. */
typedef struct rule {
    uint32_t terms, least;
} rule;

static const rule taken[] = {{14, 950}, {24, 850}, {34, 750}, {UINT32_MAX, 650}};
static const rule estimated[] = {{8, 1100}, {14, 1000}, {24, 850}, {34, 650}, {UINT32_MAX, 500}};

static uint32_t least_of(const rule *rules, uint32_t terms) {
    while (terms > rules->terms) rules++;
    return rules->least;
}

static uint32_t terms_of(const unit *u) { return u->last - u->first; }

static int32_t score(uint32_t same, uint32_t run, uint32_t others, uint32_t terms) {
    return (int32_t)((1000 * same + 500 * run) / terms) - (int32_t)(300 * others / WHOLE_SHARE);
}

static int is_missing(const word_candidates *w, const candidate *c, uint32_t term) {
    for (uint32_t k = 0; k < w->word_count; k++)
        if (w->words[k] == term) return !(c->mask >> k & 1);
    return 0;
}

/* The words that it lacks bound what its text can say. */
int is_worth_reading(const word_candidates *w, const candidate *c) {
    const unit *u = &w->segment->units[c->unit];
    uint32_t same = 0, run = 0, most = 0, n = terms_of(u);
    if (c->share < LEAST_SHARE) return 0;
    for (uint32_t i = u->first; i < u->last; i++) {
        run = is_missing(w, c, w->segment->ids[i]) ? 0 : run + 1;
        same += run > 0;
        if (run > most) most = run;
    }
    return same == n || (n >= LEAST_EDITED && score(same, most, 0, n) >= (int32_t)least_of(taken, n));
}

int is_taken(const unit *u, const alignment *a, uint32_t others) {
    uint32_t n = terms_of(u);
    if (a->whole) return 1;
    if (n < LEAST_EDITED) return 0;
    return score(a->same, a->run, others, n) >= (int32_t)least_of(taken, n);
}

/* Of the share that a document has, what it has by chance, because it is long, is no evidence. */
uint32_t estimate_of(const word_candidates *w, const candidate *c, uint32_t evidence) {
    const unit *u = &w->segment->units[c->unit];
    uint64_t whole = 0, own = 0, chance = 0, all = 4ull * w->index->documents;
    for (uint32_t k = 0; k < w->word_count; k++) {
        const segment_term *term = &w->segment->terms[w->words[k]];
        uint64_t likely = 1024 * term->documents * c->length / all;
        whole += term->idf;
        if (c->mask >> k & 1) own += term->idf;
        chance += term->idf * (likely < 1000 ? likely : 1000) / 1024;
    }
    uint64_t shingles = 1024ull * 13 * evidence / (7ull * terms_of(u)), excess = 0;
    if (own > chance) excess = 1024 * (own - chance) / (whole - chance + 1);
    return (uint32_t)(excess + 6 * (shingles < 1024 ? shingles : 1024) / 10);
}

int is_estimated(const unit *u, uint32_t estimate, uint32_t others) {
    int32_t z = (int32_t)(1000 * estimate / WHOLE_SHARE) - (int32_t)(300 * others / WHOLE_SHARE);
    return z >= (int32_t)least_of(estimated, terms_of(u));
}

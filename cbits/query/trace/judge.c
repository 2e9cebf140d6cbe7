/* Decides whether a unit is taken from a document, by the share of its words that the document has,
 * the length of the unit, and what other documents have of it. */
#include "query/trace/judge.h"

/* Set on Simple English Wikipedia, Reuters and German Wikipedia (docs/decisions.md). */
#define LEAST_RUN 13u      /* terms in a row that are enough, wherever they stand in a unit */
#define LEAST_VALUE 14u    /* by how much the same terms of a passage outnumber the others */
#define LEAST_EDITED 9u    /* terms of the shortest unit that may have been edited */
#define LEAST_ESTIMATED 8u /* terms of the shortest text that may count by its words alone */
#define COMPLETE 205u      /* in 1/1024: what it adds to an estimate to have all asked words */
/* In thousandths: how much the bag of others counts against a bag. Of a stretch that is the text,
 * it is the share of the asked words that are anywhere in the document that counts, for the bag. */
#define OTHERS_ALONE 500u
#define OTHERS_OF_MORE 300u
#define ANYWHERE 100u
/* How much less of a part of a stretch is enough than if the part had to count for itself. */
#define NEARLY 50

/* The threshold for units of at most this many terms. */
typedef struct rule {
    uint32_t terms, least;
} rule;

static const rule taken_alone[] = {{14, 800}, {29, 770}, {39, 680}, {UINT32_MAX, 650}};
static const rule taken_of_more[] = {{14, 950}, {20, 880}, {29, 820}, {39, 700}, {UINT32_MAX, 660}};
/* The thresholds for the words of a unit in any order. */
static const rule bags_alone[] = {
    {LEAST_BAG - 1, INT32_MAX}, {34, 600}, {49, 490}, {64, 385}, {100, 370}, {160, 345},
    {UINT32_MAX, 300}};
/* A held-out sentence often tells in other words what one of the collection tells. */
static const rule bags_of_sentence[] = {{LEAST_BAG - 1, INT32_MAX}, {UINT32_MAX, 700}};
static const rule bags_of_more[] = {
    {LEAST_BAG - 1, INT32_MAX}, {34, 640}, {49, 560}, {64, 540}, {100, 350}, {160, 230},
    {UINT32_MAX, 180}};
static const rule estimated_alone[] = {{LEAST_ESTIMATED - 1, INT32_MAX},
                                       {17, 1070},
                                       {20, 980},
                                       {29, 880},
                                       {39, 790},
                                       {64, 660},
                                       {UINT32_MAX, 500}};
static const rule estimated_of_more[] = {{LEAST_EDITED - 1, INT32_MAX},
                                         {11, 1400},
                                         {14, 1250},
                                         {20, 1100},
                                         {29, 1000},
                                         {39, 790},
                                         {64, 660},
                                         {UINT32_MAX, 500}};

static uint32_t unit_terms(const unit *u) { return u->last - u->first; }

/* The threshold of a unit. If a text has many sentences, some of them are similar to one of the
 * collection by chance. */
static int32_t least_of(const segment *s, const unit *u, const rule *alone, const rule *of_more) {
    const rule *rules = unit_is_alone(s, u) ? alone : of_more;
    while (unit_terms(u) > rules->terms) rules++;
    return (int32_t)rules->least;
}

static int32_t least_bag(const segment *s, const unit *u) {
    return least_of(s, u, u->kind == SENTENCE ? bags_of_sentence : bags_alone, bags_of_more);
}

/* Many documents have a stock sentence, and edited copies of it are copies of these, too. So more
 * than this of others counts as this. */
#define MOST_OTHERS 600u

/* In thousandths: up to half for words, half for their idf, and more for words in a row. */
static int32_t score(uint32_t same, uint32_t run, uint32_t share, uint32_t others, uint32_t terms) {
    return (int32_t)((500 * same + 250 * run) / terms + 500 * share / WHOLE_SHARE) -
           (int32_t)(300 * (others < MOST_OTHERS ? others : MOST_OTHERS) / WHOLE_SHARE);
}

static int is_missing(const word_candidates *w, const candidate *c, uint32_t term) {
    for (uint32_t k = 0; k < w->known_count; k++)
        if (w->words[k] == term) return !(c->mask >> k & 1);
    return 0;
}

static const uint32_t least_share[] = {512, 350, 200};

uint32_t least_share_of(const segment *s, const unit *u) {
    if (unit_terms(u) < LEAST_EDITED) return WHOLE_SHARE;
    return least_share[unit_is_alone(s, u) ? STRETCH : u->kind];
}

/* In thousandths: the words that are in one place of the document in any order. */
static int32_t bag_score(const segment *s, const unit *u, uint32_t share, uint32_t bag,
                         uint32_t others_bag) {
    int alone = unit_is_alone(s, u);
    uint32_t own = 1000 * bag / WHOLE_SHARE, weight = alone ? OTHERS_ALONE : OTHERS_OF_MORE;
    if (alone && u->kind == STRETCH) return (int32_t)(own + ANYWHERE * share / WHOLE_SHARE);
    return (int32_t)own - (int32_t)(weight * others_bag / WHOLE_SHARE);
}

int is_taken(const segment *s, const unit *u, const claim *c, uint32_t others,
             uint32_t others_bag) {
    const alignment *a = &c->alignment;
    uint32_t n = unit_terms(u);
    if (a->whole) return IN_ORDER;
    if (n < LEAST_EDITED) return NOT_TAKEN;
    if (u->kind != STRETCH && (a->run >= LEAST_RUN || a->value >= LEAST_VALUE)) return IN_ORDER;
    if (u->kind != STRETCH &&
        score(a->same, a->run, a->share, others, n) >= least_of(s, u, taken_alone, taken_of_more))
        return IN_ORDER;
    return bag_score(s, u, c->candidate.share, a->bag, others_bag) >= least_bag(s, u) ? AS_A_BAG
                                                                                      : NOT_TAKEN;
}

int is_nearly_bag(const segment *s, const unit *u, uint32_t bag) {
    return (int32_t)(1000 * bag / WHOLE_SHARE) >= least_bag(s, u) - NEARLY;
}

/* A document is worth reading only if the unit would count in the best case: all words of it that
 * the document may have stand there in order, and no other document has any of them. */
int is_worth_reading(const word_candidates *w, const candidate *c) {
    const segment *s = w->segment;
    const unit *u = &s->units[c->unit];
    claim best = {.candidate = *c};
    alignment *most = &best.alignment;
    uint32_t run = 0;
    uint64_t own = 0, whole = 0;
    if (c->share < least_share[u->kind]) return 0;
    for (uint32_t i = u->first; i < u->last; i++) {
        uint32_t idf = s->terms[s->ids[i]].idf;
        whole += idf;
        run = is_missing(w, c, s->ids[i]) ? 0 : run + 1;
        if (run) own += idf;
        most->same += run > 0;
        if (run > most->run) most->run = run;
    }
    most->whole = most->same == unit_terms(u);
    most->share = (uint32_t)(WHOLE_SHARE * own / (whole ? whole : 1));
    most->bag = unit_bag(u, most->share, most->same);
    return is_taken(s, u, &best, 0, 0) != NOT_TAKEN;
}

uint32_t excess_of(const candidate *c) {
    if (c->own <= c->chance) return 0;
    return 1024 * (c->own - c->chance) / (c->whole - c->chance + 1);
}

/* A long document has some of the words by chance, which is subtracted from its share; half as much
 * more, because a document on the subject has more of them. */
uint32_t estimate_of(const candidate *c, const unit *u, uint32_t evidence) {
    uint32_t shingles = 1024 * 13 * evidence / (7 * unit_terms(u)), estimate;
    estimate = 6 * (shingles < 1024 ? shingles : 1024) / 10;
    if (2 * c->own > 3 * c->chance) estimate += 512 * (2 * c->own - 3 * c->chance) / (c->whole + 1);
    return c->own == c->whole ? estimate + COMPLETE : estimate;
}

int is_estimated(const segment *s, const unit *u, uint32_t estimate, uint32_t others) {
    int32_t z = (int32_t)(1000 * estimate / WHOLE_SHARE) - (int32_t)(400 * others / WHOLE_SHARE);
    return z >= least_of(s, u, estimated_alone, estimated_of_more);
}

/* Looks for texts in documents that are given one after the other (docs/format.md, section 9). A
 * table holds the rarest words of the texts; a document is aligned with each unit of which it has
 * enough rare words. */
#include "base/array.h"
#include "base/hashes/hash.h"
#include "base/memory.h"
#include "base/sort.h"
#include "query/query.h"
#include "query/sources/choose_sources.h"
#include "query/trace/claims.h"
#include "query/trace/judge_claims.h"

#define MOST_GIVEN_TEXTS 16777216u
#define CLAIMS_KEPT 32u /* the most claims of a unit, those with the highest shares */

/* A word of a unit. */
typedef struct given_word {
    uint64_t hash;
    uint32_t unit, bit;
} given_word;

/* A unit of a text. claims: 1 + the number of its first claim, or 0. */
typedef struct given_unit {
    uint32_t text, segment, number; /* number: among the units of its segment */
    uint32_t kind;                  /* of the unit */
    uint32_t words, rare;           /* its asked words, and how many of these make candidates */
    uint32_t whole;                 /* their idf */
    uint32_t least;                 /* the least share of it that a claim has */
    int alone;                      /* is it the whole text? */
    uint32_t claims, claim_count;
    int claims_left_out;
    uint32_t mask, mass; /* the words that the current document has, and their idf */
} given_unit;

typedef struct given_claim {
    claim claim;
    uint32_t unit;
    uint32_t next; /* 1 + the number of the next claim of the unit, or 0 */
    int compared;  /* it cannot count, but a bag of the text alone is compared with it */
} given_claim;

/* A distinct term of all texts. */
typedef struct known_term {
    uint64_t hash; /* 0: a free place */
    uint64_t documents;
    uint32_t idf, first, count; /* first, count: of its words, once these are sorted */
} known_term;

struct pocket_given {
    trace trace;
    meter steps;
    passages_found found;
    uint8_t **texts;
    uint64_t *lengths;
    uint32_t text_count;
    given_word *words;
    given_unit *units;
    uint32_t *text_units; /* the first unit of each text, and the end; text_count + 1 */
    uint32_t word_count, word_room, unit_count, unit_room;
    known_term *known;
    uint32_t known_size, known_count;
    given_claim *claims;
    uint32_t claim_count, claim_room;
    uint64_t noted;    /* how often a claim was kept */
    uint64_t *touched; /* units of which the current document has words */
    uint32_t touched_count;
    uint32_t *hits, hit_room; /* places in known */
    uint32_t text, segment;   /* the segment that was read; segment 0 is the first of a text */
    segment_reader reader;
};

/* ---- terms ---- */

static known_term *known_place(const pocket_given *g, uint64_t hash) {
    uint32_t i = (uint32_t)hash & (g->known_size - 1);
    hash |= hash == 0;
    while (g->known[i].hash && g->known[i].hash != hash) i = (i + 1) & (g->known_size - 1);
    return &g->known[i];
}

static int grow_known(pocket_given *g) {
    uint32_t before = g->known_size, size = before ? 2 * before : 4096;
    known_term *old = g->known;
    g->known = pocket_malloc(size * sizeof *g->known);
    if (!g->known) {
        g->known = old;
        return 0;
    }
    memset(g->known, 0, size * sizeof *g->known);
    g->known_size = size;
    for (uint32_t i = 0; i < before; i++)
        if (old[i].hash) *known_place(g, old[i].hash) = old[i];
    pocket_free(old);
    return 1;
}

/* Set the idf of the terms of the segment. Only new terms are looked up in the file. */
static uint32_t know_terms(pocket_given *g) {
    segment *s = g->trace.segment;
    uint32_t status = POCKET_OK;
    for (uint32_t i = 0; i < s->term_count && !status; i++) {
        if (2 * g->known_count >= g->known_size && !grow_known(g)) return POCKET_NO_MEMORY;
        segment_term *term = &s->terms[i];
        known_term *own = known_place(g, term->hash);
        if (!own->hash) {
            status = term_look(&g->trace.words, i);
            *own = (known_term){term->hash | (term->hash == 0), term->documents, term->idf, 0, 0};
            g->known_count++;
        }
        term->documents = own->documents;
        term->idf = own->idf;
        term->looked = LOOKED;
    }
    return status;
}

static uint32_t know_terms_guarded(void *argument) { return know_terms(argument); }

/* ---- the texts ---- */

/* Read a segment of a text into the trace. POCKET_NOT_FOUND: the text has fewer. */
static uint32_t read_segment(pocket_given *g, uint32_t text, uint32_t segment) {
    trace *t = &g->trace;
    if (g->text == text && g->segment == segment) return POCKET_OK;
    if (g->text != text || g->segment > segment) {
        segment_reader_begin(&g->reader, g->texts[text], g->lengths[text],
                             every_word_of(t->index->profile.stream), &g->steps);
        g->text = text;
        g->segment = UINT32_MAX;
        t->words.text = g->texts[text];
    }
    do {
        g->segment++;
        int read = segment_read(&g->reader, t->segment);
        if (!read || g->steps.ended) {
            g->text = UINT32_MAX;
            return g->steps.ended ? POCKET_INTERRUPTED : POCKET_NOT_FOUND;
        }
    } while (g->segment != segment);
    word_candidates_begin(&t->words, t->segment);
    return guarded(t->index, know_terms_guarded, g);
}

static uint32_t add_unit(pocket_given *g, uint32_t number) {
    const trace *t = &g->trace;
    const segment *s = t->segment;
    uint32_t status = choose_words(&g->trace.words, &s->units[number]);
    if (status) return status;
    given_unit *units =
        array_grow(g->units, &g->unit_room, g->unit_count, g->unit_count + 1, sizeof *units);
    if (!units) return POCKET_NO_MEMORY;
    g->units = units;
    uint32_t words = t->words.word_count > LEAST_ASKED ? t->words.word_count : LEAST_ASKED;
    if (words > t->words.spare_count) words = t->words.spare_count;
    given_unit *u = &g->units[g->unit_count];
    *u = (given_unit){.text = g->text,
                      .segment = g->segment,
                      .number = number,
                      .kind = s->units[number].kind,
                      .least = least_share_of(s, &s->units[number]),
                      .alone = unit_is_alone(s, &s->units[number]),
                      .words = words,
                      .rare = t->words.word_count};
    for (uint32_t k = 0; k < words; k++) {
        const segment_term *term = &s->terms[t->words.words[k]];
        given_word *own =
            array_grow(g->words, &g->word_room, g->word_count, g->word_count + 1, sizeof *own);
        if (!own) return POCKET_NO_MEMORY;
        g->words = own;
        g->words[g->word_count++] = (given_word){term->hash | (term->hash == 0), g->unit_count, k};
        u->whole += term->idf;
    }
    g->unit_count++;
    return POCKET_OK;
}

static uint32_t add_text(pocket_given *g, uint32_t text) {
    uint32_t status = POCKET_OK;
    for (uint32_t segment = 0; !status; segment++) {
        status = read_segment(g, text, segment);
        for (uint32_t i = 0; !status && i < g->trace.segment->unit_count; i++)
            status = add_unit(g, i);
    }
    return status == POCKET_NOT_FOUND ? (uint32_t)POCKET_OK : status;
}

/* Sort the words so that those of one term lie together. */
static uint32_t sort_words(pocket_given *g) {
    uint32_t n = g->word_count;
    uint64_t *order = pocket_malloc(2 * ((size_t)n + 1) * sizeof *order);
    given_word *sorted = pocket_malloc(((size_t)n + 1) * sizeof *sorted);
    if (!order || !sorted) {
        pocket_free(order);
        pocket_free(sorted);
        return POCKET_NO_MEMORY;
    }
    for (uint32_t i = 0; i < n; i++)
        order[i] = (uint64_t)(known_place(g, g->words[i].hash) - g->known) << 32 | i;
    radix_sort64(order, order + n, n, 32, 64);
    for (uint32_t i = 0; i < n; i++) {
        known_term *own = &g->known[order[i] >> 32];
        sorted[i] = g->words[(uint32_t)order[i]];
        if (!own->count++) own->first = i;
    }
    pocket_free(g->words);
    pocket_free(order);
    g->words = sorted;
    g->word_room = n + 1;
    return POCKET_OK;
}

static uint32_t add_texts(pocket_given *g, const uint8_t *const *texts, const uint64_t *lengths) {
    uint32_t status = POCKET_OK;
    for (uint32_t i = 0; i < g->text_count && !status; i++) {
        if (lengths[i] > MOST_TEXT) return text_too_long(g->trace.error, lengths[i]);
        g->texts[i] = pocket_malloc((size_t)lengths[i]);
        if (!g->texts[i]) return POCKET_NO_MEMORY;
        if (lengths[i]) memcpy(g->texts[i], texts[i], (size_t)lengths[i]);
        g->lengths[i] = lengths[i];
        g->text_units[i] = g->unit_count;
        status = add_text(g, i);
    }
    g->text_units[g->text_count] = g->unit_count;
    if (status) return status;
    g->touched = pocket_malloc(((size_t)g->unit_count + 1) * sizeof *g->touched);
    return g->touched ? sort_words(g) : POCKET_NO_MEMORY;
}

/* ---- documents ---- */

/* Add a term of the document to the units that have it: as a rare word, or as a common one of a
 * unit of which the document has a rare word. */
static void touch_units(pocket_given *g, const known_term *own, int rare) {
    for (uint32_t i = own->first; i < own->first + own->count; i++) {
        const given_word *w = &g->words[i];
        given_unit *u = &g->units[w->unit];
        if (rare != (w->bit < u->rare) || u->mask >> w->bit & 1 || (!rare && !u->mask)) continue;
        if (!u->mask) g->touched[g->touched_count++] = w->unit;
        u->mask |= 1u << w->bit;
        u->mass += own->idf;
    }
}

static uint32_t find_units(pocket_given *g) {
    const document_terms *d = &g->trace.document;
    uint32_t hits = 0;
    g->touched_count = 0;
    for (uint32_t i = 0; i < d->count; i++) {
        const known_term *own = known_place(g, d->hashes[i]);
        if (!own->hash || !own->count) continue;
        uint32_t *grown = array_grow(g->hits, &g->hit_room, hits, hits + 1, sizeof *grown);
        if (!grown) return POCKET_NO_MEMORY;
        g->hits = grown;
        g->hits[hits++] = (uint32_t)(own - g->known);
        touch_units(g, own, 1);
    }
    for (uint32_t i = 0; i < hits; i++) touch_units(g, &g->known[g->hits[i]], 0);
    return interrupted(&g->steps, hits / 2 + 1);
}

static uint32_t kept_share(const given_unit *u, const claim *c) {
    return u->kind == STRETCH ? c->alignment.bag : c->alignment.share;
}

/* Keep a claim. If the unit has too many, drop the one with the least share; if two are equal, the
 * later one. */
static uint32_t keep_claim(pocket_given *g, given_unit *u, const claim *c, int compared) {
    if (u->claim_count == CLAIMS_KEPT) {
        given_claim *least = &g->claims[u->claims - 1];
        for (uint32_t i = u->claims; i; i = g->claims[i - 1].next)
            if (kept_share(u, &g->claims[i - 1].claim) < kept_share(u, &least->claim))
                least = &g->claims[i - 1];
        u->claims_left_out |= !compared;
        if (kept_share(u, &least->claim) >= kept_share(u, c)) return POCKET_OK;
        least->claim = *c;
        least->compared = compared;
        g->noted++;
        return POCKET_OK;
    }
    given_claim *claims =
        array_grow(g->claims, &g->claim_room, g->claim_count, g->claim_count + 1, sizeof *claims);
    if (!claims) return POCKET_NO_MEMORY;
    g->claims = claims;
    g->claims[g->claim_count++] = (given_claim){*c, (uint32_t)(u - g->units), u->claims, compared};
    u->claims = g->claim_count;
    u->claim_count++;
    g->noted++;
    return POCKET_OK;
}

/* Choose the asked words of a unit again, for is_worth_reading. */
static void restore_words(pocket_given *g, const given_unit *u) {
    word_candidates *w = &g->trace.words;
    choose_words(w, &g->trace.segment->units[u->number]);
    w->word_count = w->known_count = u->words;
}

static uint32_t look_at_unit(pocket_given *g, uint32_t number, uint32_t document, int *read) {
    given_unit *u = &g->units[number];
    trace *t = &g->trace;
    candidate own = {.document = document,
                     .unit = u->number,
                     .share = (uint32_t)(1024ull * u->mass / (u->whole ? u->whole : 1)),
                     .mask = u->mask};
    if (own.share < u->least) return POCKET_OK;
    if (!*read || g->text != u->text || g->segment != u->segment) {
        uint32_t status = read_segment(g, u->text, u->segment);
        if (status) return status;
        document_terms_find(&t->document, t->segment);
        *read = 1;
    }
    restore_words(g, u);
    int worth = is_worth_reading(&t->words, &own);
    if (!worth && (!u->alone || u->kind == STRETCH)) return POCKET_OK;
    claim c = {.candidate = own};
    uint32_t status = align_claim(t, &c);
    return status || !(c.alignment.same | c.alignment.bag) ? status : keep_claim(g, u, &c, !worth);
}

static uint32_t look(pocket_given *g, uint32_t document, const uint8_t *text, uint64_t length) {
    trace *t = &g->trace;
    int read = 0;
    if (!document_terms_read(&t->document, text, length, every_word_of(t->index->profile.stream)))
        return g->steps.ended ? POCKET_INTERRUPTED : POCKET_NO_MEMORY;
    uint32_t status = find_units(g);
    /* Units of one text together, so that each segment is read once. */
    sort64(g->touched, g->touched_count);
    for (uint32_t i = 0; i < g->touched_count; i++) {
        uint32_t number = (uint32_t)g->touched[i];
        given_unit *u = &g->units[number];
        if (!status) status = look_at_unit(g, number, document, &read);
        u->mask = u->mass = 0;
    }
    return status;
}

/* ---- what was found ---- */

/* Claim a unit for the documents that were kept: for those that may count, or for the others. */
static void claim_kept(pocket_given *g, const given_unit *u, int compared) {
    for (uint32_t k = u->claims; k; k = g->claims[k - 1].next)
        if (g->claims[k - 1].compared == compared) add_claim(&g->trace, &g->claims[k - 1].claim);
}

static uint32_t judge_text(pocket_given *g, uint32_t text) {
    trace *t = &g->trace;
    uint32_t status = POCKET_OK, segment = UINT32_MAX;
    g->found.count = t->found_before = 0;
    t->claim_count = 0;
    t->capped = t->exhausted = 0;
    for (uint32_t i = g->text_units[text]; i < g->text_units[text + 1] && !status; i++) {
        const given_unit *u = &g->units[i];
        if (u->segment != segment) {
            status = judge_claims(t);
            t->found_before = g->found.count;
            if (!status) status = read_segment(g, text, u->segment);
            segment = u->segment;
        }
        t->capped |= u->claims_left_out;
        if (!status) claim_kept(g, u, 0);
        if (!status && u->alone && has_bag_alone(t)) claim_kept(g, u, 1);
    }
    if (!status && t->exhausted) status = POCKET_NO_MEMORY;
    return status ? status : judge_claims(t);
}

static uint32_t count_given_terms(pocket_given *g, uint32_t text, uint32_t *count) {
    term_stream t;
    *count = 0;
    term_stream_begin(&t, g->texts[text], g->lengths[text],
                      every_word_of(g->trace.index->profile.stream));
    t.meter = &g->steps;
    while (term_stream_next(&t)) ++*count;
    return g->steps.ended ? POCKET_INTERRUPTED : POCKET_OK;
}

/* Begin a call, even if the call before was interrupted. */
static void begin_given(pocket_given *g, pocket_error *error) {
    g->steps = meter_of(g->trace.index);
    g->trace.error = g->trace.words.error = error;
    clear(error);
}

/* ---- the calls ---- */

pocket_status pocket_given_new(const pocket_index *x, const uint8_t *const *texts,
                               const uint64_t *lengths, uint32_t count, pocket_given **given,
                               pocket_error *error) {
    *given = NULL;
    clear(error);
    if (count > MOST_GIVEN_TEXTS)
        return allowing(error, "at most %",
                        fail(error, POCKET_BAD_ARGUMENT, 0, -1, "texts", MOST_GIVEN_TEXTS, count));
    pocket_given *g = pocket_malloc(sizeof *g);
    if (!g) return fail(error, POCKET_NO_MEMORY, 0, -1, NULL, 0, 0);
    memset(g, 0, sizeof *g);
    g->steps = meter_of(x);
    g->text = UINT32_MAX;
    g->text_count = count;
    g->texts = pocket_malloc(((size_t)count + 1) * sizeof *g->texts);
    g->lengths = pocket_malloc(((size_t)count + 1) * sizeof *g->lengths);
    g->text_units = pocket_malloc(((size_t)count + 1) * sizeof *g->text_units);
    trace *t = &g->trace;
    t->index = x;
    t->steps = &g->steps;
    t->error = error;
    t->with_texts = 1;
    t->found = &g->found;
    t->words.any_word = 1;
    uint32_t status = POCKET_NO_MEMORY;
    if (g->texts) memset(g->texts, 0, ((size_t)count + 1) * sizeof *g->texts);
    if (g->texts && g->lengths && g->text_units && trace_alloc(t) && grow_known(g))
        status = add_texts(g, texts, lengths);
    if (!status && t->words.missed) status = POCKET_NOT_AT_HAND;
    if (!status) {
        *given = g;
        return POCKET_OK;
    }
    pocket_given_free(g);
    return fail_as(error, status);
}

pocket_status pocket_given_look(pocket_given *g, uint32_t document, const uint8_t *text,
                                uint64_t length, pocket_error *error) {
    static const uint8_t none[1] = {0};
    begin_given(g, error);
    if (length > MOST_TEXT) return text_too_long(error, length);
    return fail_as(error, look(g, document, text ? text : none, length));
}

uint64_t pocket_given_noted(const pocket_given *g) { return g->noted; }

/* The units that the last document touched lie in the order of their texts. */
uint32_t pocket_given_next(const pocket_given *g, uint32_t from) {
    for (uint32_t i = 0; i < g->touched_count; i++) {
        const given_unit *u = &g->units[g->touched[i]];
        if (u->claims && u->text >= from) return u->text;
    }
    return UINT32_MAX;
}

void pocket_given_forget(pocket_given *g) {
    for (uint32_t i = 0; i < g->claim_count; i++) {
        given_unit *u = &g->units[g->claims[i].unit];
        u->claims = u->claim_count = 0;
        u->claims_left_out = 0;
    }
    g->claim_count = 0;
}

pocket_status pocket_given_found(pocket_given *g, uint32_t text,
                                 const pocket_sources_options *given, pocket_sources_found **found,
                                 pocket_error *error) {
    uint32_t terms;
    *found = NULL;
    begin_given(g, error);
    if (given && !options_fit(given, sizeof *given))
        return fail_options(error, given, sizeof *given);
    uint32_t most = given && given->most ? given->most : DEFAULT_SOURCES;
    if (most > MOST_SOURCES)
        return allowing(
            error, "0 .. %",
            fail(error, POCKET_BAD_ARGUMENT, 0, -1, "most sources", MOST_SOURCES, most));
    if (text >= g->text_count)
        return allowing(
            error, "less than %",
            fail(error, POCKET_BAD_ARGUMENT, 0, -1, "number of a text", g->text_count, text));
    uint32_t status = judge_text(g, text);
    if (!status) status = count_given_terms(g, text, &terms);
    if (!status && !choose_sources(&g->found, terms, most, &g->steps, found))
        status = g->steps.ended ? POCKET_INTERRUPTED : POCKET_NO_MEMORY;
    if (!status) (*found)->capped = (uint32_t)g->trace.capped;
    return fail_as(error, status);
}

void pocket_given_free(pocket_given *g) {
    if (!g) return;
    for (uint32_t i = 0; g->texts && i < g->text_count; i++) pocket_free(g->texts[i]);
    trace_free(&g->trace);
    pocket_free(g->texts);
    pocket_free(g->lengths);
    pocket_free(g->text_units);
    pocket_free(g->words);
    pocket_free(g->units);
    pocket_free(g->known);
    pocket_free(g->claims);
    pocket_free(g->touched);
    pocket_free(g->hits);
    pocket_free(g->found.passages);
    pocket_free(g);
}

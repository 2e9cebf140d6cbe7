/* Text to sources (docs/format.md, section 9): shingles -> look-ups -> matches by document ->
 * passages
 * -> sources, greedily: the one that explains most of what is not explained yet comes next. */
#include "base/hashes/hash.h"
#include "base/memory.h"
#include "base/sort.h"
#include "file/keys/look_up.h"
#include "file/keys/passages.h"
#include "query/query.h"
#include "query/sources/choose_sources.h"
#include "text/terms.h"
#include "text/winnowing.h"

#define MOST_TERMS 1048576u   /* of a text that are looked at */
#define MOST_MATCHES 4194304u /* postings of its shingles */
#define RUNS_AT_ONCE 1024u    /* looked up together */

typedef struct search {
    const pocket_index *index;
    const uint8_t *text;
    uint64_t length;
    int cold;
    term_places places;
    asked asked;
    matches matches;
    look_up look_up;
    uint64_t *keys;  /* RUNS_AT_ONCE of them, different ones */
    uint32_t *first; /* of each, its first place in asked */
    uint32_t waiting;
    int missed, full; /* full: there were more matches than are looked at */
    meter steps;
    pocket_error *error;
} search;

static int grow(void **memory, uint64_t *room, uint64_t used, size_t size) {
    uint64_t more = *room ? 2 * *room : 1024;
    void *grown = more * size > SIZE_MAX ? NULL : pocket_malloc((size_t)(more * size));
    if (!grown) return 0;
    if (used) memcpy(grown, *memory, (size_t)(used * size));
    pocket_free(*memory);
    *memory = grown;
    *room = more;
    return 1;
}

/* ---- text -> shingles ---- */

static int add_place(search *s, const term_stream *t) {
    term_places *p = &s->places;
    if (p->count == p->room && !grow((void **)&p->terms, &p->room, p->count, sizeof *p->terms))
        return 0;
    p->terms[p->count++] =
        (term_place){(uint32_t)(t->term - s->text), (uint32_t)(t->term_end - s->text)};
    return 1;
}

static int add_shingle(search *s, uint64_t hash, uint64_t number) {
    asked *a = &s->asked;
    if (a->count == a->room &&
        !grow((void **)&a->shingles, &a->room, a->count, sizeof *a->shingles))
        return 0;
    a->shingles[a->count++] = (text_shingle){hash, (uint32_t)number};
    return 1;
}

/* Which shingles of the text are looked up: all of them, or on cold media those that winnowing
 * keeps, which are those of a document that the whole passage was copied from. Returns 0 where
 * memory ran out. */
static int read_text(search *s) {
    term_stream t;
    shingle last = {.size = s->index->shingle_terms};
    window w;
    uint64_t hash;
    term_stream_begin(&t, s->text, s->length, STREAM_EVERY_WORD);
    t.meter = &s->steps;
    window_begin(&w, s->index->shingle_window);
    while (term_stream_next(&t)) {
        if (s->places.count == MOST_TERMS) {
            s->matches.capped = 1;
            break;
        }
        if (!add_place(s, &t)) return 0;
        hash = shingle_push(&last, murmur(t.bytes, t.length));
        if (last.filled < last.size) continue;
        if (!s->cold && !add_shingle(s, hash, s->places.count - last.size)) return 0;
        if (s->cold && window_push(&w, &hash) && !add_shingle(s, hash, w.kept - 1)) return 0;
    }
    return !s->cold || !window_end(&w, &hash) || add_shingle(s, hash, w.kept - 1);
}

/* ---- shingles -> matches ---- */

/* All places of a shingle that a document has. */
static int add_shingle_matches(search *s, uint32_t document, uint32_t documents, uint32_t first) {
    const asked *a = &s->asked;
    matches *m = &s->matches;
    for (uint32_t i = first; i < a->count && a->shingles[i].hash == a->shingles[first].hash; i++) {
        if (m->count == MOST_MATCHES) {
            m->capped = 1;
            s->full = 1;
            return 1;
        }
        if (m->count == m->room &&
            !grow((void **)&m->entries, &m->room, m->count, sizeof *m->entries))
            return 0;
        int again = i > first && a->shingles[i].number - a->shingles[i - 1].number <= NEIGHBOURHOOD;
        m->entries[m->count++] = match_entry(document, a->shingles[i].number, again, documents);
    }
    return 1;
}

static uint32_t add_documents(search *s, const match *m) {
    const pocket_index *x = s->index;
    if (m->count > x->shingle_documents)
        return allowing(s->error, "1 .. %",
                        fail(s->error, POCKET_DAMAGED_FIELD, POCKET_PASSAGES, m->part,
                             "documents of a shingle", x->shingle_documents, m->count));
    for (uint32_t i = 0; i < m->count; i++) {
        uint32_t document = match_posting(m, &x->passages, i);
        if (shingle_is_left_out(x, document, m->count)) return POCKET_OK;
        if (document >= x->documents)
            return allowing(s->error, "less than %",
                            fail(s->error, POCKET_DAMAGED_FIELD, POCKET_PASSAGES, m->part,
                                 "posting", x->documents, document));
        if (!add_shingle_matches(s, document, m->count, s->first[m->rank]))
            return fail(s->error, POCKET_NO_MEMORY, POCKET_PASSAGES, -1, NULL, 0, 0);
    }
    return POCKET_OK;
}

static uint32_t look_up_waiting(search *s) {
    const pocket_index *x = s->index;
    uint32_t count = s->waiting;
    s->waiting = 0;
    if (interrupted(&s->steps, 8 * (uint64_t)count)) return POCKET_INTERRUPTED;
    uint32_t status = look_up_run(&s->look_up, x, &x->passages, 0, s->keys, count, s->error);
    if (status == POCKET_NOT_AT_HAND) {
        s->missed = 1; /* on, so that all blocks that are missed are known at once */
        status = POCKET_OK;
    }
    for (uint32_t i = 0; i < s->look_up.match_count && !status && !s->missed && !s->full; i++)
        status = add_documents(s, &s->look_up.matches[i]);
    return status;
}

/* Each shingle once, whatever its places, until there are enough matches. */
static uint32_t find_matches(void *argument) {
    search *s = argument;
    const asked *a = &s->asked;
    uint32_t status = POCKET_OK;
    for (uint32_t i = 0; i < a->count && !status && !s->full; i++) {
        if (i > 0 && a->shingles[i].hash == a->shingles[i - 1].hash) continue;
        s->keys[s->waiting] = shingle_key(a->shingles[i].hash, s->index->shingle_range);
        s->first[s->waiting++] = i;
        if (s->waiting == RUNS_AT_ONCE) status = look_up_waiting(s);
    }
    if (!status && !s->full && s->waiting) status = look_up_waiting(s);
    return status ? status : s->missed ? POCKET_NOT_AT_HAND : POCKET_OK;
}

/* Bring the shingles in the order of their hashes, places of one rising. */
static int sort_shingles(asked *a) {
    if (a->count == 0) return 1;
    uint64_t *order = pocket_malloc((size_t)a->count * sizeof *order);
    text_shingle *sorted = pocket_malloc((size_t)a->room * sizeof *sorted);
    int done = order && sorted;
    if (done) {
        /* There are at most 2^20 shingles: 44 bits of a hash tell them apart. */
        for (uint32_t i = 0; i < a->count; i++) order[i] = (a->shingles[i].hash & ~0xFFFFFull) | i;
        sort64(order, (uint32_t)a->count);
        for (uint32_t i = 0; i < a->count; i++) sorted[i] = a->shingles[order[i] & 0xFFFFF];
        pocket_free(a->shingles);
        a->shingles = sorted;
        sorted = NULL;
    }
    pocket_free(order);
    pocket_free(sorted);
    return done;
}

/* ---- the call ---- */

static int read_sources_options(const pocket_sources_options *given,
                                pocket_sources_options *options) {
    *options = (pocket_sources_options){sizeof *options, 10, 0};
    if (!given) return 1;
    if (given->most > MOST_SOURCES) return 0;
    if (given->most) options->most = given->most;
    options->cold = given->cold;
    return 1;
}

pocket_status pocket_sources(const pocket_index *x, const uint8_t *text, uint64_t length,
                             const pocket_sources_options *given, pocket_sources_found **found,
                             pocket_error *error) {
    static const uint8_t none[1] = {0};
    pocket_sources_options options;
    *found = NULL;
    clear(error);
    if (!x->by_kind[POCKET_PASSAGES])
        return fail(error, POCKET_NO_PASSAGES, POCKET_PASSAGES, -1, "sections", 1, 0);
    if (given && !options_fit(given, sizeof *given))
        return fail_options(error, given, sizeof *given);
    if (!read_sources_options(given, &options))
        return allowing(
            error, "0 .. %",
            fail(error, POCKET_BAD_ARGUMENT, 0, -1, "most sources", MOST_SOURCES, given->most));
    if (length > MOST_TEXT) return text_too_long(error, length);
    search s = {.index = x, .text = text ? text : none, .length = length, .error = error};
    s.cold = options.cold != 0;
    s.steps = meter_of(x);
    s.keys = pocket_malloc(RUNS_AT_ONCE * (sizeof *s.keys + sizeof *s.first));
    int ready = look_up_alloc(&s.look_up, RUNS_AT_ONCE, x->most_parts);
    uint32_t status = POCKET_NO_MEMORY;
    if (s.keys && ready && read_text(&s) && sort_shingles(&s.asked)) {
        s.first = (uint32_t *)(s.keys + RUNS_AT_ONCE);
        status = s.steps.ended ? POCKET_INTERRUPTED : guarded(x, find_matches, &s);
        if (!status && !choose_sources(x, &s.places, &s.matches, options.most, &s.steps, found))
            status = s.steps.ended ? POCKET_INTERRUPTED : POCKET_NO_MEMORY;
    }
    look_up_free(&s.look_up);
    pocket_free(s.keys);
    pocket_free(s.places.terms);
    pocket_free(s.asked.shingles);
    pocket_free(s.matches.entries);
    return fail_as(error, status);
}

void pocket_sources_free(pocket_sources_found *found) { pocket_free(found); }

/* Finds the documents that have shingles of a segment. */
#include "query/trace/shingle_matches.h"

#include "base/array.h"
#include "base/hashes/hash.h"
#include "base/memory.h"
#include "base/sort.h"
#include "text/winnowing.h"

#define PLACE_BITS 13u /* enough for the place of a shingle in a segment */
#define PLACES ((1u << PLACE_BITS) - 1)

int shingle_matches_alloc(shingle_matches *m, const pocket_index *x) {
    m->memory =
        pocket_malloc((3 * SEGMENT_ROOM + SHINGLES_AT_ONCE) * sizeof *m->memory +
                      SHINGLES_AT_ONCE * sizeof *m->first + SEGMENT_ROOM * sizeof *m->frequent);
    if (!m->memory || !look_up_alloc(&m->look_up, SHINGLES_AT_ONCE, x->most_parts)) return 0;
    m->hashes = m->memory;
    m->order = m->hashes + SEGMENT_ROOM;
    m->keys = m->order + 2 * SEGMENT_ROOM;
    m->first = (uint32_t *)(m->keys + SHINGLES_AT_ONCE);
    m->frequent = (frequent_shingle *)(m->first + SHINGLES_AT_ONCE);
    return 1;
}

void shingle_matches_free(shingle_matches *m) {
    look_up_free(&m->look_up);
    pocket_free(m->memory);
    pocket_free(m->found);
    pocket_free(m->scratch);
}

/* ---- the shingles of the segment ---- */

static void add_shingle(shingle_matches *m, uint64_t hash, uint32_t place) {
    m->hashes[place] = hash;
    m->order[m->asked++] = (hash & ~(uint64_t)PLACES) | place;
}

static uint32_t place_of(const shingle_matches *m, uint32_t i) {
    return (uint32_t)m->order[i] & PLACES;
}

/* Read all shingles; on cold media, only those that winnowing keeps, which are the same as in a
 * document that the whole passage was copied from. */
static void read_shingles(shingle_matches *m, const segment *s) {
    shingle last = {.size = m->index->shingle_terms};
    window w;
    uint64_t hash;
    m->asked = 0;
    window_begin(&w, m->index->shingle_window);
    for (uint32_t i = 0; i < s->count; i++) {
        hash = shingle_push(&last, s->terms[s->ids[i]].hash);
        if (last.filled < last.size) continue;
        if (!m->cold)
            add_shingle(m, hash, i + 1 - last.size);
        else if (window_push(&w, &hash))
            add_shingle(m, hash, (uint32_t)w.kept - 1);
    }
    if (m->cold && window_end(&w, &hash)) add_shingle(m, hash, (uint32_t)w.kept - 1);
    radix_sort64(m->order, m->order + SEGMENT_ROOM, m->asked, 0, 64);
}

static int is_same_shingle(const shingle_matches *m, uint32_t i, uint32_t j) {
    return m->hashes[place_of(m, i)] == m->hashes[place_of(m, j)];
}

/* ---- look-ups ---- */

/* Add all places of a shingle that a document has. */
static int add_places(shingle_matches *m, uint32_t document, uint32_t documents, uint32_t first) {
    uint32_t before = 0;
    for (uint32_t i = first; i < m->asked && is_same_shingle(m, i, first); i++) {
        uint32_t place = place_of(m, i);
        shingle_match *found =
            array_grow(m->found, &m->room, m->count, m->count + 1, sizeof *found);
        if (!found) return 0;
        m->found = found;
        m->found[m->count++] =
            (shingle_match){document, (uint16_t)place, i > first && place - before <= NEIGHBOURHOOD,
                            (uint8_t)(documents < 127 ? documents : 127)};
        before = place;
    }
    return 1;
}

/* Note a frequent shingle at all of its places. */
static void add_frequent(shingle_matches *m, const frequent_shingle *own, uint32_t first) {
    for (uint32_t i = first; i < m->asked && is_same_shingle(m, i, first); i++)
        m->frequent[place_of(m, i)] = *own;
}

static uint32_t add_documents(shingle_matches *m, const match *own) {
    const pocket_index *x = m->index;
    uint32_t listed, documents = shingle_documents(x, own, &listed), first = m->first[own->rank];
    uint32_t status = shingle_check(x, own, documents, listed, m->error);
    frequent_shingle frequent = {documents, listed < own->count ? listed : 0, {0}};
    for (uint32_t i = 0; i < listed && !status; i++) {
        uint32_t document = match_posting(own, &x->passages, i);
        if (document >= x->documents)
            return allowing(m->error, "less than %",
                            fail(m->error, POCKET_DAMAGED_FIELD, POCKET_PASSAGES, own->part,
                                 "posting", x->documents, document));
        if (frequent.example_count)
            frequent.examples[i] = document;
        else if (!add_places(m, document, documents, first))
            return fail(m->error, POCKET_NO_MEMORY, POCKET_PASSAGES, -1, NULL, 0, 0);
    }
    if (!status && frequent.example_count) add_frequent(m, &frequent, first);
    return status;
}

static uint32_t look_up_waiting(shingle_matches *m, uint32_t waiting) {
    const pocket_index *x = m->index;
    if (interrupted(m->steps, 8 * (uint64_t)waiting)) return POCKET_INTERRUPTED;
    uint32_t status = look_up_run(&m->look_up, x, &x->passages, 0, m->keys, waiting, m->error);
    if (status == POCKET_NOT_AT_HAND) {
        m->missed = 1; /* the search goes on, so that all missing blocks are known at once */
        return POCKET_OK;
    }
    for (uint32_t i = 0; i < m->look_up.match_count && !status; i++)
        status = add_documents(m, &m->look_up.matches[i]);
    return status;
}

/* Sort the matches by document and place. */
static int sort_found(shingle_matches *m) {
    uint64_t *keys = pocket_malloc(2 * (size_t)m->count * sizeof *keys);
    shingle_match *sorted = pocket_malloc((size_t)m->count * sizeof *sorted);
    int done = keys && sorted;
    if (done) {
        /* A stable sort by place, then one by document. */
        for (uint32_t i = 0; i < m->count; i++) keys[i] = (uint64_t)m->found[i].place << 32 | i;
        radix_sort64(keys, keys + m->count, m->count, 32, 48);
        for (uint32_t i = 0; i < m->count; i++)
            keys[i] = (uint64_t)m->found[(uint32_t)keys[i]].document << 32 | (uint32_t)keys[i];
        radix_sort64(keys, keys + m->count, m->count, 32, 64);
        for (uint32_t i = 0; i < m->count; i++) sorted[i] = m->found[(uint32_t)keys[i]];
        pocket_free(m->found);
        m->found = sorted;
        m->room = m->count;
        sorted = NULL;
    }
    pocket_free(keys);
    pocket_free(sorted);
    return done;
}

uint32_t shingle_matches_find(shingle_matches *m, const segment *s) {
    uint32_t waiting = 0, status = POCKET_OK;
    m->count = 0;
    memset(m->frequent, 0, s->count * sizeof *m->frequent);
    read_shingles(m, s);
    for (uint32_t i = 0; i < m->asked && !status; i++) {
        if (i > 0 && is_same_shingle(m, i, i - 1)) continue;
        m->keys[waiting] = shingle_key(m->hashes[place_of(m, i)], m->index->shingle_range);
        m->first[waiting++] = i;
        if (waiting == SHINGLES_AT_ONCE) {
            status = look_up_waiting(m, waiting);
            waiting = 0;
        }
    }
    if (!status && waiting) status = look_up_waiting(m, waiting);
    if (!status && m->count && !sort_found(m))
        return fail(m->error, POCKET_NO_MEMORY, POCKET_PASSAGES, -1, NULL, 0, 0);
    return status;
}

/* ---- evidence ---- */

/* The evidence of a shingle: the fewer documents have it, the more. */
static uint32_t weight_of_shingle(uint32_t documents) {
    uint32_t weight = MOST_WEIGHT;
    for (; documents > 1; documents >>= 1) weight--;
    return weight;
}

uint32_t shingle_matches_end(const shingle_matches *m, uint32_t i) {
    uint32_t document = m->found[i].document;
    while (i < m->count && m->found[i].document == document) i++;
    return i;
}

uint32_t shingle_evidence(const shingle_matches *m, uint32_t first, uint32_t last) {
    uint32_t sum = 0, free = 0;
    for (uint32_t i = first; i < last; i++) {
        const shingle_match *own = &m->found[i];
        if (own->place < free || own->again) continue;
        sum += weight_of_shingle(own->documents);
        free = own->place + m->index->shingle_terms;
    }
    return sum;
}

static uint32_t first_at(const shingle_matches *m, uint32_t document, uint32_t place) {
    uint32_t low = 0, high = m->count;
    while (low < high) {
        uint32_t middle = (low + high) / 2;
        const shingle_match *own = &m->found[middle];
        if (own->document < document || (own->document == document && own->place < place))
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

uint32_t shingle_evidence_between(const shingle_matches *m, uint32_t document, uint32_t from,
                                  uint32_t to) {
    return shingle_evidence(m, first_at(m, document, from), first_at(m, document, to));
}

/* All keys of one part are looked up together, so that their memory is fetched ahead and a part is
 * opened once. */
#include "file/keys/look_up.h"

#include "base/hashes/hash.h"
#include "base/memory.h"
#include "file/keys/part.h"

int look_up_alloc(look_up *l, uint32_t limit, uint32_t most_parts) {
    size_t n = limit, wide = 2 * n * sizeof(uint64_t),
           narrow = (4 * n + (size_t)most_parts + 1) * sizeof(uint32_t);
    memset(l, 0, sizeof *l);
    uint64_t *memory = pocket_malloc(wide + narrow + n * sizeof(match));
    if (!memory) return 0;
    l->limit = limit;
    l->keys = memory;
    l->mixed = memory + n;
    l->matches = (match *)(memory + 2 * n);
    l->part_of = (uint32_t *)(l->matches + n);
    l->order = l->part_of + n;
    l->slots = l->order + n;
    l->ranked = l->slots + n;
    l->heads = l->ranked + n;
    return 1;
}

void look_up_free(look_up *l) { pocket_free(l->keys); }

uint32_t part_get(const pocket_index *index, const tables *t, uint32_t i, int no_cache, part *p,
                  pocket_error *error) {
    const uint8_t *bytes;
    uint64_t length;
    uint32_t status = block_get(index, t->section, i, no_cache, &bytes, &length, error);
    if (status) return status;
    const char *field = part_open(p, bytes, length, t->mph, t->checksum_bits, t->posting_bits);
    return field ? fail(error, POCKET_DAMAGED_FIELD, t->section->kind, i, field, 0, 0) : POCKET_OK;
}

/* With so few parts it is quicker to go through the keys once a part than to find each key's. */
#define FEW_PARTS 8u

/* The keys of the part that begins at first and ends before the next part's, if there is one, in
 * l->order; returns how many. */
static uint32_t select_keys(look_up *l, const tables *t, uint32_t part, uint32_t end,
                            const uint64_t *keys, uint32_t count) {
    uint64_t low = block_first(t->section, part),
             most = (part + 1 < end ? block_first(t->section, part + 1) - 1 : UINT64_MAX) - low;
    uint32_t size = 0, *order = l->order;
    for (uint32_t i = 0; i < count; i++) {
        order[size] = i;
        size += keys[i] - low <= most;
    }
    return size;
}

/* Order the keys by part; heads[i] becomes the end of part i in order. Keys before the first part
 * are left out. */
static void group(look_up *l, const tables *t, uint32_t first, uint32_t parts, const uint64_t *keys,
                  uint32_t count) {
    memset(l->heads, 0, ((size_t)parts + 1) * sizeof *l->heads);
    for (uint32_t i = 0; i < count; i++) {
        l->part_of[i] = block_find(t->section, first, first + parts, keys[i]) - first;
        if (l->part_of[i] < parts) l->heads[l->part_of[i] + 1]++;
    }
    for (uint32_t i = 0; i < parts; i++) l->heads[i + 1] += l->heads[i];
    for (uint32_t i = 0; i < count; i++)
        if (l->part_of[i] < parts) l->order[l->heads[l->part_of[i]]++] = i;
}

static void gather_keys(look_up *l, const tables *t, const uint64_t *keys, const uint32_t *order,
                        uint32_t size) {
    uint64_t *own = l->keys, *mixed = l->mixed;
    for (uint32_t k = 0; k < size; k++) {
        own[k] = keys[order[k]];
        mixed[k] = t->mph == POCKET_MPH_QUOTIENT ? own[k] : mix64(own[k]);
    }
}

static int find_in_order(const tables *t, const part *p, const look_up *l, uint32_t number,
                         uint32_t count) {
    uint32_t rest = t->checksum_bits;
    uint64_t first = block_first(t->section, number) >> rest << rest;
    for (uint32_t k = 0; k < count; k++)
        if (!quotient_slot(&p->quotient, l->mixed[k] - first, &l->slots[k])) return 0;
    return 1;
}

static int find_slots(const pocket_index *index, const tables *t, const part *p, const look_up *l,
                      uint32_t number, uint32_t count) {
    if (t->mph == POCKET_MPH_QUOTIENT) return find_in_order(t, p, l, number, count);
    if (t->mph != POCKET_MPH_PILOT)
        return !index->slots(t->mph, p->hash, p->hash_length, l->keys, count, l->slots);
    pilot_slots(&p->pilot, l->mixed, count, l->slots);
    return 1;
}

/* A file of documents that are all alike has its longest way to a postlist when every key leads to
 * the same ones: this is many times that. */
#define MOST_PASSED (1ull << 32)

/* Add the postlists of the slots of part p that agreed, and ask for their first postings. */
static uint32_t add_matches(look_up *l, const tables *t, const part *p, uint32_t number,
                            const uint32_t *order, uint32_t agreeing, pocket_error *error) {
    for (uint32_t k = 0; k < agreeing; k++) part_fetch_sample(p, l->slots[l->part_of[k]]);
    for (uint32_t k = 0; k < agreeing; k++) part_fetch_lasts(p, l->slots[l->part_of[k]]);
    for (uint32_t k = 0; k < agreeing; k++) {
        uint32_t which = l->part_of[k];
        match *m = &l->matches[l->match_count++];
        *m = (match){.postings = p->postings, .rank = order[which], .part = number};
        m->count = part_postlist(p, l->slots[which], &m->start);
        if (m->count == 0)
            return fail(error, POCKET_DAMAGED_FIELD, t->section->kind, number, "postlist", 0, 0);
        l->passed += part_passed(p, l->slots[which], m->start + m->count);
        if (l->passed > MOST_PASSED)
            return allowing(error, "0 .. %",
                            fail(error, POCKET_DAMAGED_FIELD, t->section->kind, number,
                                 "postings passed over", MOST_PASSED, l->passed));
        FETCH(p->postings + (uint64_t)m->start * t->posting_bits / 8);
    }
    return POCKET_OK;
}

/* Put the matches' numbers in order of rank: few of the ranks below count are there, and none
 * twice. */
static void rank_matches(look_up *l, uint32_t count) {
    uint32_t *one_more = l->order,
             ranked = 0; /* than the number of the match of a rank; 0 where there is none */
    memset(one_more, 0, count * sizeof *one_more);
    for (uint32_t i = 0; i < l->match_count; i++) one_more[l->matches[i].rank] = i + 1;
    for (uint32_t rank = 0; ranked < l->match_count; rank++) {
        l->ranked[ranked] = one_more[rank] - 1;
        ranked += one_more[rank] != 0;
    }
}

uint32_t look_up_run(look_up *l, const pocket_index *index, const tables *t, uint32_t number,
                     const uint64_t *keys, uint32_t count, pocket_error *error) {
    uint32_t first, parts, start = 0, missing = POCKET_OK;
    l->match_count = 0;
    table_row(t, number, &first, &parts, NULL, NULL);
    int foreign = t->mph != POCKET_MPH_PILOT && t->mph != POCKET_MPH_QUOTIENT;
    if (foreign && !index->slots && parts > 0)
        return fail(error, POCKET_NEEDS_CMPH, t->section->kind, -1, "minimal perfect hash", 0,
                    t->mph);
    int few = parts <= FEW_PARTS;
    if (!few) group(l, t, first, parts, keys, count);
    for (uint32_t i = 0; i < parts; i++) {
        uint32_t size =
            few ? select_keys(l, t, first + i, first + parts, keys, count) : l->heads[i] - start;
        const uint32_t *order = l->order + start;
        part p;
        if (!few) start = l->heads[i];
        if (size == 0) continue;
        uint32_t status = part_get(index, t, first + i, 0, &p, error);
        if (status == POCKET_NOT_AT_HAND) {
            missing = status;
            continue;
        }
        if (status) return status;
        l->parts_touched++;
        gather_keys(l, t, keys, order, size);
        if (!find_slots(index, t, &p, l, first + i, size))
            return fail(error, POCKET_DAMAGED_FIELD, t->section->kind, first + i,
                        "minimal perfect hash", 0, 0);
        uint32_t agreeing = part_agreeing(&p, l->mixed, l->slots, size, l->part_of);
        if ((status = add_matches(l, t, &p, first + i, order, agreeing, error))) return status;
    }
    rank_matches(l, count);
    return missing;
}

/* Which sets are near to one: sets are added one by one to lists of those that have a hash in their
 * prefix (set_prefixes.c); the lists of a set's own hashes have its candidates, and each of these
 * is compared with it, hash by hash. */
#include "base/array.h"
#include "base/memory.h"
#include "build/asking.h"
#include "build/near/sharing.h"

#define NONE UINT32_MAX

typedef struct member {
    uint32_t text, next;
} member;

struct pocket_join {
    pocket_sets sets;
    const uint64_t *entry_ends;
    const uint32_t *entries;
    /* Of each group the lists of those that have its hash for larger sets, and of the others. */
    uint32_t *heads;
    member *members;
    uint32_t *seen, *ranks; /* of texts: for which text they were compared; when they came */
    uint32_t room, used, added, asked;
};

typedef struct near_set {
    uint32_t text, common;
} near_set;

typedef struct found {
    near_set *sets;
    uint32_t room, used;
} found;

pocket_status pocket_join_begin(const pocket_sets *sets, const uint64_t *entry_ends,
                                const uint32_t *entries, uint32_t groups, pocket_join **join) {
    pocket_join *j = pocket_malloc(sizeof *j);
    size_t texts = sets->count;
    if (!j) return POCKET_NO_MEMORY;
    *j = (pocket_join){.sets = *sets, .entry_ends = entry_ends, .entries = entries};
    j->heads = pocket_malloc(2 * (size_t)groups * sizeof *j->heads);
    j->seen = pocket_malloc(texts * sizeof *j->seen);
    j->ranks = pocket_malloc(texts * sizeof *j->ranks);
    if (!j->heads || !j->seen || !j->ranks) {
        pocket_join_end(j);
        return POCKET_NO_MEMORY;
    }
    memset(j->heads, 0xFF, 2 * (size_t)groups * sizeof *j->heads);
    memset(j->seen, 0, texts * sizeof *j->seen);
    *join = j;
    return POCKET_OK;
}

void pocket_join_end(pocket_join *join) {
    if (!join) return;
    pocket_free(join->heads);
    pocket_free(join->members);
    pocket_free(join->seen);
    pocket_free(join->ranks);
    pocket_free(join);
}

static uint32_t common_of(const pocket_sets *sets, uint32_t first, uint32_t second) {
    const uint64_t *one = sets->hashes + sets->starts[first],
                   *one_end = sets->hashes + sets->ends[first],
                   *other = sets->hashes + sets->starts[second],
                   *other_end = sets->hashes + sets->ends[second];
    uint32_t common = 0;
    while (one < one_end && other < other_end) {
        uint64_t a = *one, b = *other;
        common += a == b;
        one += a <= b;
        other += b <= a;
    }
    return common;
}

void pocket_sets_common(const pocket_sets *sets, const uint32_t *firsts, const uint32_t *seconds,
                        size_t count, uint32_t *common) {
    for (size_t i = 0; i < count; i++) common[i] = common_of(sets, firsts[i], seconds[i]);
}

static int compare(pocket_join *j, uint32_t text, uint32_t other, found *out, meter *m) {
    const pocket_sets *sets = &j->sets;
    uint64_t size = set_size(sets, text), size_of_other = set_size(sets, other);
    j->seen[other] = j->asked;
    if (!sizes_agree(sets, size, size_of_other)) return 1;
    uint32_t common = common_of(sets, text, other);
    interrupted(m, (size + size_of_other) / 32);
    if (common < least_common(sets, size, size_of_other)) return 1;
    near_set *grown = array_grow(out->sets, &out->room, out->used, out->used + 1, sizeof *grown);
    if (!grown) return 0;
    out->sets = grown;
    out->sets[out->used++] = (near_set){other, common};
    return 1;
}

/* Texts that were added and are near to this one, behind those found. Of two sets that share a hash
 * the smaller has to have it for larger ones. */
static int look(pocket_join *j, uint32_t text, found *out, meter *m) {
    const pocket_sets *sets = &j->sets;
    uint64_t size = set_size(sets, text);
    j->asked++;
    for (uint64_t i = text ? j->entry_ends[text - 1] : 0; i < j->entry_ends[text]; i++) {
        uint32_t group = j->entries[i] >> 1, for_larger = j->entries[i] & 1;
        for (uint32_t list = 0; list < 1 + for_larger; list++)
            for (uint32_t at = j->heads[2 * (size_t)group + list]; at != NONE;
                 at = j->members[at].next) {
                uint32_t other = j->members[at].text;
                uint64_t size_of_other = set_size(sets, other);
                if (interrupted(m, 1) || j->seen[other] == j->asked) continue;
                if (list ? size_of_other <= size : !for_larger && size_of_other > size) continue;
                if (!compare(j, text, other, out, m)) return 0;
            }
    }
    return 1;
}

static int enter(pocket_join *j, uint32_t text) {
    uint64_t start = text ? j->entry_ends[text - 1] : 0, end = j->entry_ends[text];
    member *grown =
        array_grow(j->members, &j->room, j->used, j->used + (uint32_t)(end - start), sizeof *grown);
    if (!grown && end > start) return 0;
    j->members = grown;
    j->ranks[text] = j->added++;
    for (uint64_t i = start; i < end; i++) {
        uint32_t *head = &j->heads[2 * (size_t)(j->entries[i] >> 1) + !(j->entries[i] & 1)];
        j->members[j->used] = (member){text, *head};
        *head = j->used++;
    }
    return 1;
}

/* Is one near to the text by more than the other, or by as much and added before it? */
static int is_better(const pocket_join *j, uint32_t text, near_set one, near_set other) {
    uint64_t size = set_size(&j->sets, text), by_one = set_size(&j->sets, one.text),
             by_other = set_size(&j->sets, other.text);
    int contained = j->sets.measure == POCKET_CONTAINMENT;
    uint64_t whole = contained ? (size < by_one ? size : by_one) : size + by_one - one.common;
    uint64_t whole_of_other =
        contained ? (size < by_other ? size : by_other) : size + by_other - other.common;
    uint64_t own = one.common * whole_of_other, its = other.common * whole;
    return own != its ? own > its : j->ranks[one.text] < j->ranks[other.text];
}

static pocket_status ended(const meter *m, int ok) {
    if (m->ended) return POCKET_INTERRUPTED;
    return ok ? POCKET_OK : POCKET_NO_MEMORY;
}

pocket_status pocket_join_keep(pocket_join *join, const uint32_t *texts, size_t count, size_t given,
                               uint32_t *keepers, uint32_t *common, pocket_interrupt ask) {
    asking a;
    meter m = meter_asking(&a, ask);
    found out = {NULL, 0, 0};
    int ok = 1;
    for (size_t i = 0; ok && !m.ended && i < count; i++) {
        out.used = 0;
        interrupted(&m, 8);
        ok = i < given || look(join, texts[i], &out, &m);
        near_set best = {texts[i], 0};
        for (uint32_t k = 0; k < out.used; k++)
            if (k == 0 || is_better(join, texts[i], out.sets[k], best)) best = out.sets[k];
        keepers[i] = best.text;
        common[i] = best.common;
        if (ok && !out.used) ok = enter(join, texts[i]);
    }
    pocket_free(out.sets);
    return ended(&m, ok);
}

pocket_status pocket_join_pairs(pocket_join *join, const uint32_t *texts, size_t count,
                                uint32_t most, size_t *looked, uint64_t *pair_ends,
                                uint32_t **pairs, pocket_interrupt ask) {
    asking a;
    meter m = meter_asking(&a, ask);
    found out = {NULL, 0, 0};
    int ok = 1;
    size_t i = 0;
    for (; ok && !m.ended && i < count && out.used <= most; i++) {
        interrupted(&m, 8);
        ok = look(join, texts[i], &out, &m) && enter(join, texts[i]);
        pair_ends[i] = out.used;
    }
    *looked = i;
    if (!ok || m.ended) {
        pocket_free(out.sets);
        out.sets = NULL;
    }
    *pairs = (uint32_t *)out.sets;
    return ended(&m, ok);
}

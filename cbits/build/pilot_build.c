/* Building the hash `pilot` (docs/format.md 3.2).
 *
 * Buckets are placed one by one, the largest first. A bucket takes the first pilot that sends all
 * its keys to free places. When there is none, it takes the pilot that evicts the least, and the
 * evicted buckets wait for a new turn. Only so much work is allowed; then everything starts again
 * with the next seed, and after some seeds with more buckets, until the attempts run out. All
 * choices depend on the keys in the order of their mixed values, so the bytes are the same in
 * whatever order the keys come. */
#include "base/bytes.h"
#include "base/hashes/hash.h"
#include "base/memory.h"
#include "build/pocket_build.h"
#include "file/keys/pilot.h"

enum {
    DEFAULT_TENTHS = 36,
    LEAST_TENTHS = 10,
    MOST_TENTHS = 50,
    ATTEMPTS = 32,
    SEEDS_A_SIZE = 4, /* seeds tried before there are more buckets */
    LARGEST =
        256, /* a larger bucket means hostile keys: the first one of a full part has about 120 */
    RECENT = 16, /* the last buckets placed are not evicted: two would take turns for ever */
    WORK = 16,   /* for a seed: squares of bucket sizes, a bucket. 3.6 keys a bucket need 0.25, 4.0
                    need 1.3, 4.2 need 7.5 */
    PILOTS = 256,
    NONE = 0xFFFF
};

typedef struct builder {
    uint32_t keys, places, buckets, skew, seed;
    uint64_t *mixed; /* the keys, bucket after bucket, rising within each */
    uint64_t *taken; /* one bit a place */
    uint32_t *first; /* where each bucket starts in mixed, and the end of the last */
    uint16_t *owner; /* the bucket in each taken place */
    uint16_t *below; /* the next bucket on the same stack */
    uint8_t *pilots;
    uint16_t waiting[LARGEST + 1]; /* for each size, the stack of the buckets that have no places */
    uint16_t recent[RECENT];
    uint32_t turn; /* where in recent the next one goes */
    uint64_t random;
    uint64_t evictions, work;
} builder;

static inline uint64_t is_taken(const uint64_t *taken, uint32_t place) {
    return taken[place >> 6] >> (place & 63) & 1;
}
static inline void take(uint64_t *taken, uint32_t place) {
    taken[place >> 6] |= 1ull << (place & 63);
}
static inline void leave(uint64_t *taken, uint32_t place) {
    taken[place >> 6] &= ~(1ull << (place & 63));
}
static inline uint32_t size_of(const builder *b, uint32_t bucket) {
    return b->first[bucket + 1] - b->first[bucket];
}

/* Shell sort with the gaps of Gonnet and Baeza-Yates: an insertion sort for the usual bucket of
 * four, and bounded for any other. */
static void sort(uint64_t *v, uint32_t n) {
    for (uint32_t gap = n; gap > 1;) {
        gap = gap > 4 ? gap * 5 / 11 : 1;
        for (uint32_t i = gap; i < n; i++) {
            uint64_t x = v[i];
            uint32_t j = i;
            for (; j >= gap && v[j - gap] > x; j -= gap) v[j] = v[j - gap];
            v[j] = x;
        }
    }
}

/* Deal the keys to their buckets. */
static uint32_t deal(builder *b, const uint64_t *keys) {
    uint32_t *first = b->first, end = 0, largest = 0;
    memset(first, 0, (b->buckets + 1) * sizeof *first);
    for (uint32_t i = 0; i < b->keys; i++)
        first[pilot_bucket(mix64(keys[i]), b->skew, b->buckets)]++;
    for (uint32_t bucket = 0; bucket <= b->buckets; bucket++) {
        if (first[bucket] > largest) largest = first[bucket];
        end += first[bucket];
        first[bucket] = end;
    }
    for (uint32_t i = 0; i < b->keys; i++) {
        uint64_t mixed = mix64(keys[i]);
        b->mixed[--first[pilot_bucket(mixed, b->skew, b->buckets)]] = mixed;
    }
    for (uint32_t bucket = 0; bucket < b->buckets; bucket++)
        sort(b->mixed + first[bucket], size_of(b, bucket));
    for (uint32_t i = 1; i < b->keys; i++) {
        if (b->mixed[i] == b->mixed[i - 1]) return POCKET_DUPLICATE_KEY;
    }
    return largest > LARGEST ? POCKET_HASH_FAILED : POCKET_OK;
}

static void put_off(builder *b, uint32_t bucket) {
    uint16_t *top = &b->waiting[size_of(b, bucket)];
    b->below[bucket] = *top;
    *top = (uint16_t)bucket;
}

/* The keys of a bucket, and what their places depend on. */
typedef struct group {
    const uint64_t *keys;
    uint32_t size, places;
} group;

static inline group keys_of(const builder *b, uint32_t bucket) {
    return (group){b->mixed + b->first[bucket], size_of(b, bucket), b->places};
}

/* Give the keys the places of this pilot; 0 when one is taken or two of them share one. */
static int settle(builder *b, group g, uint64_t turn) {
    uint32_t i = 0;
    for (; i < g.size; i++) {
        uint32_t place = pilot_place(g.keys[i], turn, g.places);
        if (is_taken(b->taken, place)) break;
        take(b->taken, place);
    }
    if (i == g.size) return 1;
    while (i-- > 0) leave(b->taken, pilot_place(g.keys[i], turn, g.places));
    return 0;
}

/* Two keys at a time: one branch that mostly goes the same way instead of two that cannot be
 * foretold. */
static inline int all_free(const uint64_t *taken, group g, uint64_t turn) {
    uint32_t i = 0;
    for (; i + 1 < g.size; i += 2) {
        uint32_t one = pilot_place(g.keys[i], turn, g.places),
                 other = pilot_place(g.keys[i + 1], turn, g.places);
        if (is_taken(taken, one) | is_taken(taken, other)) return 0;
    }
    return i == g.size || !is_taken(taken, pilot_place(g.keys[i], turn, g.places));
}

/* The first pilot from this one on that finds all places free, or PILOTS. Most of the time of a
 * build is spent here. */
static uint32_t free_pilot(builder *b, group g, uint32_t from) {
    const uint64_t *taken = b->taken;
    uint64_t turn = pilot_turn(from, b->seed), step = pilot_turn(1, 0);
    uint32_t value = from;
    do {
        if (all_free(taken, g, turn) && settle(b, g, turn)) return value;
        value++;
        turn += step;
        if (value == PILOTS) {
            value = 0;
            turn = pilot_turn(0, b->seed);
        }
    } while (value != from);
    return PILOTS;
}

static int is_recent(const builder *b, uint32_t bucket) {
    for (uint32_t i = 0; i < RECENT; i++) {
        if (b->recent[i] == bucket) return 1;
    }
    return 0;
}

/* What it costs to evict all who hold the places of this pilot: the squares of their sizes, since
 * large buckets are the hardest to place again. bound or more if that is too much, or if it cannot
 * be done. */
static uint64_t cost_of(const builder *b, group g, uint64_t turn, uint64_t bound) {
    uint64_t cost = 0;
    uint32_t place[LARGEST];
    for (uint32_t i = 0; i < g.size; i++) {
        place[i] = pilot_place(g.keys[i], turn, g.places);
        for (uint32_t j = 0; j < i; j++) {
            if (place[j] == place[i]) return bound;
        }
        if (!is_taken(b->taken, place[i])) continue;
        uint32_t holder = b->owner[place[i]];
        cost += (uint64_t)size_of(b, holder) * size_of(b, holder);
        if (cost >= bound || is_recent(b, holder)) return bound;
    }
    return cost;
}

/* The pilot that evicts the least, or PILOTS when none is possible. */
static uint32_t cheapest_pilot(const builder *b, group g, uint32_t from) {
    uint64_t least = UINT64_MAX,
             enough = (uint64_t)g.size *
                      g.size; /* one bucket of the same size; smaller ones have no places yet */
    uint32_t cheapest = PILOTS;
    for (uint32_t i = 0; i < PILOTS && least > enough; i++) {
        uint64_t cost = cost_of(b, g, pilot_turn((from + i) % PILOTS, b->seed), least);
        if (cost < least) {
            least = cost;
            cheapest = (from + i) % PILOTS;
        }
    }
    return cheapest;
}

/* Send all who hold the places of this pilot back to their stacks; the largest size among them. */
static uint32_t evict(builder *b, group g, uint64_t turn) {
    uint32_t largest = 0;
    for (uint32_t i = 0; i < g.size; i++) {
        uint32_t place = pilot_place(g.keys[i], turn, g.places);
        if (!is_taken(b->taken, place)) continue;
        uint32_t holder = b->owner[place];
        group out = keys_of(b, holder);
        uint64_t old = pilot_turn(b->pilots[holder], b->seed);
        for (uint32_t j = 0; j < out.size; j++)
            leave(b->taken, pilot_place(out.keys[j], old, out.places));
        put_off(b, holder);
        b->evictions++;
        if (out.size > largest) largest = out.size;
    }
    return largest;
}

/* Find the bucket a pilot, evicting others if need be. The largest size evicted, 0 for none, or
 * NONE when no pilot is possible. */
static uint32_t place_bucket(builder *b, uint32_t bucket) {
    group g = keys_of(b, bucket);
    uint32_t from = (uint32_t)(b->random >> 56), evicted = 0, value = free_pilot(b, g, from);
    if (value == PILOTS) {
        b->work += (uint64_t)g.size * g.size;
        value = cheapest_pilot(b, g, from);
        if (value == PILOTS) return NONE;
        evicted = evict(b, g, pilot_turn(value, b->seed));
        (void)settle(b, g, pilot_turn(value, b->seed));
        b->random = b->random * 6364136223846793005ull +
                    1442695040888963407ull; /* so that a chase does not run in a circle */
    }
    uint64_t turn = pilot_turn(value, b->seed);
    for (uint32_t i = 0; i < g.size; i++)
        b->owner[pilot_place(g.keys[i], turn, g.places)] = (uint16_t)bucket;
    b->pilots[bucket] = (uint8_t)value;
    b->recent[b->turn++ % RECENT] = (uint16_t)bucket;
    return evicted;
}

/* Place all buckets with this seed; 0 when that takes too much work. */
static int place_all(builder *b) {
    uint64_t most = WORK * (uint64_t)b->buckets + 1000;
    b->work = 0;
    memset(b->taken, 0, ((size_t)b->places / 64 + 1) * sizeof *b->taken);
    memset(b->pilots, 0, b->buckets);
    memset(b->waiting, 0xFF, sizeof b->waiting);
    memset(b->recent, 0xFF, sizeof b->recent);
    b->turn = 0;
    b->random = 0;
    uint32_t size = 1;
    for (uint32_t bucket = b->buckets; bucket-- > 0;) {
        put_off(b, bucket);
        if (size_of(b, bucket) > size) size = size_of(b, bucket);
    }
    while (size > 0) {
        uint32_t bucket = b->waiting[size];
        if (bucket == NONE) {
            size--;
            continue;
        }
        b->waiting[size] = b->below[bucket];
        uint32_t evicted = place_bucket(b, bucket);
        if (evicted == NONE || b->work > most) return 0;
        if (evicted > size) size = evicted;
    }
    return 1;
}

/* The places beyond the last slot that are taken stand for the slots that are not. */
static void write_remap(const builder *b, uint8_t *remap) {
    uint32_t slot = 0;
    for (uint32_t place = b->keys; place < b->places; place++, remap += 2) {
        if (!is_taken(b->taken, place)) {
            store16(remap, 0);
            continue;
        }
        while (is_taken(b->taken, slot)) slot++;
        store16(remap, slot++);
    }
}

static uint32_t write_hash(const builder *b, uint8_t **out, uint64_t *out_length) {
    uint32_t spare = b->places - b->keys;
    uint64_t length = PILOT_HEAD + (uint64_t)b->buckets + 2 * (uint64_t)spare;
    uint8_t *bytes = pocket_malloc((size_t)length);
    if (!bytes) return POCKET_NO_MEMORY;
    store32(bytes, b->buckets);
    bytes[4] = (uint8_t)b->seed;
    bytes[5] = (uint8_t)b->skew;
    store16(bytes + 6, spare);
    memcpy(bytes + PILOT_HEAD, b->pilots, b->buckets);
    write_remap(b, bytes + PILOT_HEAD + b->buckets);
    *out = bytes;
    *out_length = length;
    return POCKET_OK;
}

static uint32_t more(uint32_t buckets) {
    buckets += buckets / 16 + 1;
    return buckets < NONE ? buckets : NONE;
}

/* The fewer the buckets, the larger the first: then the straighter function keeps its keys apart.
 */
static uint32_t skew_for(uint32_t keys) { return keys < 2000 ? 4 : 5; }

static uint32_t search(builder *b, const uint64_t *keys, uint64_t *reseeds) {
    for (uint32_t attempt = 0; attempt < ATTEMPTS; attempt++) {
        if (attempt % SEEDS_A_SIZE == 0) {
            if (attempt > 0) b->buckets = more(b->buckets);
            uint32_t status = deal(b, keys);
            if (status) return status;
        }
        b->seed = attempt;
        if (place_all(b)) return POCKET_OK;
        ++*reseeds;
    }
    return POCKET_HASH_FAILED;
}

pocket_status pocket_pilot_build(const uint64_t *keys, uint32_t n, uint32_t keys_per_bucket_tenths,
                                 uint8_t **out, uint64_t *out_length, pocket_effort *effort) {
    uint32_t tenths = keys_per_bucket_tenths ? keys_per_bucket_tenths : DEFAULT_TENTHS;
    *out = NULL;
    *out_length = 0;
    if (effort) memset(effort, 0, sizeof *effort);
    if (n < 1 || n > PILOT_KEYS || tenths < LEAST_TENTHS || tenths > MOST_TENTHS)
        return POCKET_BAD_ARGUMENT;

    uint32_t buckets = (10 * n + tenths - 1) / tenths, most = buckets;
    for (int i = 0; i < ATTEMPTS / SEEDS_A_SIZE; i++) most = more(most);
    builder b = {.keys = n,
                 .places = n + pilot_spare(n),
                 .buckets = buckets < NONE ? buckets : NONE,
                 .skew = skew_for(n)};
    size_t words = b.places / 64 + 1;
    uint64_t *memory = pocket_malloc(8 * (n + words) + 4 * ((size_t)most + 1) +
                                     2 * ((size_t)b.places + most) + most);
    if (!memory) return POCKET_NO_MEMORY;
    b.mixed = memory;
    b.taken = b.mixed + n;
    b.first = (uint32_t *)(b.taken + words);
    b.owner = (uint16_t *)(b.first + most + 1);
    b.below = b.owner + b.places;
    b.pilots = (uint8_t *)(b.below + most);

    uint64_t reseeds = 0;
    uint32_t status = search(&b, keys, &reseeds);
    if (status == POCKET_OK) status = write_hash(&b, out, out_length);
    if (effort) *effort = (pocket_effort){b.buckets, b.evictions, reseeds};
    pocket_free(memory);
    return status;
}

pocket_status pocket_pilot_slots(const uint8_t *hash, uint64_t length, uint32_t n,
                                 const uint64_t *keys, size_t count, uint32_t *slots) {
    pilot h;
    if (length > SIZE_MAX || !pilot_open(&h, hash, (size_t)length, n)) return POCKET_DAMAGED_FIELD;
    for (size_t done = 0; done < count;) {
        uint64_t mixed[64];
        size_t batch = count - done < 64 ? count - done : 64;
        for (size_t i = 0; i < batch; i++) mixed[i] = mix64(keys[done + i]);
        pilot_slots(&h, mixed, batch, slots + done);
        done += batch;
    }
    return POCKET_OK;
}

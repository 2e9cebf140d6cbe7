/* The hash `pilot`: a key's bucket names a pilot, key and pilot name a place, and the few places
 * beyond the last slot are remapped. */
#include "file/keys/pilot.h"

#include "base/bytes.h"

/* Pilots of this many keys are under way at once: enough to hide a miss to memory, few enough for
 * the bucket numbers to stay in registers and the first level of cache. */
#define KEYS_AT_ONCE 32

int pilot_open(pilot *hash, const uint8_t *bytes, size_t length, uint32_t keys) {
    if (keys < 1 || keys > PILOT_KEYS || length < PILOT_HEAD) return 0;
    uint32_t buckets = once(load32(bytes)), spare = pilot_spare(keys);
    hash->seed = bytes[4];
    hash->skew = once(bytes[5]);
    if (buckets < 1 || buckets > 65535 || hash->skew < 1 || hash->skew > 16 ||
        load16(bytes + 6) != spare)
        return 0;
    if (length - PILOT_HEAD != buckets + 2 * (size_t)spare) return 0;
    hash->keys = keys;
    hash->places = keys + spare;
    hash->buckets = buckets;
    hash->pilots = bytes + PILOT_HEAD;
    hash->remap = hash->pilots + buckets;
    return 1;
}

static inline uint32_t slot_of(const pilot *hash, uint64_t mixed, uint32_t value) {
    uint32_t place = pilot_place(mixed, pilot_turn(value, hash->seed), hash->places);
    if (place < hash->keys) return place;
    uint32_t slot = once(load16(hash->remap + 2 * (size_t)(place - hash->keys)));
    return slot < hash->keys ? slot : hash->keys - 1;
}

void pilot_slots(const pilot *restrict hash, const uint64_t *restrict mixed, size_t count,
                 uint32_t *restrict slots) {
    uint32_t bucket[KEYS_AT_ONCE];
    for (size_t done = 0; done < count;) {
        size_t batch = count - done < KEYS_AT_ONCE ? count - done : KEYS_AT_ONCE;
        for (size_t i = 0; i < batch; i++) {
            bucket[i] = pilot_bucket(mixed[done + i], hash->skew, hash->buckets);
            FETCH(hash->pilots + bucket[i]);
        }
        for (size_t i = 0; i < batch; i++)
            slots[done + i] = slot_of(hash, mixed[done + i], hash->pilots[bucket[i]]);
        done += batch;
    }
}

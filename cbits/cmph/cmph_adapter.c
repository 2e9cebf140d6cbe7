/* Building and searching libcmph's hashes. */
#include "cmph/cmph_adapter.h"

#include <cmph.h>

#include "base/bytes.h"
#include "base/memory.h"
#include "base/status.h"
#include "cmph/cmph_check.h"
#include "file/keys/part.h"

enum { KEY_BYTES = 8, ATTEMPTS = 16, LONELY_ATTEMPTS = 512, FRIENDS = 8 };

static int is_big_endian(void) {
    const uint16_t one = 1;
    return *(const uint8_t *)&one == 0;
}

/* Keys for libcmph, one after the other. Nothing is copied: a key stays where it is. */
typedef struct reel {
    uint8_t *bytes, *next;
} reel;

static int read_key(void *data, char **key, cmph_uint32 *length) {
    reel *r = data;
    *key = (char *)r->next;
    *length = KEY_BYTES;
    r->next += KEY_BYTES;
    return KEY_BYTES;
}

static void keep_key(void *data, char *key, cmph_uint32 length) {
    (void)data;
    (void)key;
    (void)length;
}

static void rewind_keys(void *data) {
    reel *r = data;
    r->next = r->bytes;
}

/* One attempt. libcmph gives small sets few seeds (bdz 15, bmz as many as vertices), so later
 * attempts also get a larger graph. */
static uint32_t attempt_build(uint32_t mph, uint8_t *bytes, uint32_t n, unsigned attempt,
                              uint8_t **out, uint64_t *out_length) {
    reel r = {bytes, bytes};
    cmph_io_adapter_t source = {&r, n, read_key, keep_key, rewind_keys};
    cmph_config_t *config = cmph_config_new(&source);
    if (!config) return POCKET_NO_MEMORY;
    cmph_config_set_algo(config, mph == POCKET_MPH_BMZ   ? CMPH_BMZ
                                 : mph == POCKET_MPH_BDZ ? CMPH_BDZ
                                                         : CMPH_CHD);
    double least = mph == POCKET_MPH_BMZ ? 1.15 : 1.23; /* libcmph's own defaults */
    if (attempt > 0 && mph != POCKET_MPH_CHD)
        cmph_config_set_graphsize(config, least * (1 + 0.1 * attempt));
    srand(attempt + 1);
    cmph_t *hash = cmph_new(config);
    cmph_config_destroy(config);
    if (!hash) return POCKET_HASH_FAILED;
    size_t size = cmph_packed_size(hash);
    *out = pocket_malloc(size);
    if (*out) {
        memset(*out, 0, size);
        cmph_pack(hash, *out);
        *out_length = size;
    }
    cmph_destroy(hash);
    return *out ? POCKET_OK : POCKET_NO_MEMORY;
}

/* Does every key have a slot of its own below n? seen: n zero bytes, left zero. */
static int is_minimal(const uint32_t *slots, uint32_t n, uint8_t *seen) {
    uint32_t good = 0;
    while (good < n && slots[good] < n && !seen[slots[good]]) seen[slots[good++]] = 1;
    memset(seen, 0, n);
    return good == n;
}

static uint32_t search(uint32_t mph, const uint64_t *keys, uint8_t *bytes, uint32_t n,
                       uint8_t *seen, uint8_t **out, uint64_t *out_length, uint32_t *slots) {
    /* libcmph's chd reads past its memory with one key. Such a key gets up to eight others for
     * company, such that its own slot is 0. */
    int lonely = n == 1 && mph == POCKET_MPH_CHD;
    for (unsigned attempt = 0; attempt < (lonely ? LONELY_ATTEMPTS : ATTEMPTS); attempt++) {
        unsigned friends = lonely ? 1 + attempt % FRIENDS : 0;
        for (unsigned i = 1; i <= friends; i++)
            store64(bytes + KEY_BYTES * i, keys[0] + FRIENDS * attempt + i);
        uint32_t status = attempt_build(mph, bytes, n + friends, attempt, out, out_length);
        if (status == POCKET_NO_MEMORY) return status;
        if (status == POCKET_HASH_FAILED) continue;
        if (!pocket_cmph_slots(mph, *out, (size_t)*out_length, keys, n, slots) &&
            is_minimal(slots, n, seen))
            return POCKET_OK;
        pocket_free(*out);
        *out = NULL;
        *out_length = 0;
    }
    return POCKET_HASH_FAILED;
}

pocket_status pocket_cmph_build(uint32_t mph, const uint64_t *keys, uint32_t n, uint8_t **out,
                                uint64_t *out_length, uint32_t *slots) {
    *out = NULL;
    *out_length = 0;
    if (mph < POCKET_MPH_BMZ || mph > POCKET_MPH_CHD || n < 1 || n > INT32_MAX / 16 ||
        is_big_endian())
        return POCKET_BAD_ARGUMENT;
    for (uint32_t i = 1; i < n; i++) {
        if (keys[i] <= keys[i - 1])
            return keys[i] == keys[i - 1] ? POCKET_DUPLICATE_KEY : POCKET_BAD_ARGUMENT;
    }
    uint8_t *bytes = pocket_malloc(KEY_BYTES * ((size_t)n + FRIENDS) + n);
    if (!bytes) return POCKET_NO_MEMORY;
    for (uint32_t i = 0; i < n; i++) store64(bytes + KEY_BYTES * (size_t)i, keys[i]);
    uint8_t *seen = bytes + KEY_BYTES * ((size_t)n + FRIENDS);
    memset(seen, 0, n);
    uint32_t status = search(mph, keys, bytes, n, seen, out, out_length, slots);
    pocket_free(bytes);
    return status;
}

void pocket_cmph_release(void *memory) { pocket_free(memory); }

/* libcmph follows what it finds: what was checked has to be what it reads, and a mapped file may
 * change in between. So both see a copy. */
int pocket_cmph_slots(uint32_t mph, const uint8_t *hash, size_t length, const uint64_t *keys,
                      size_t count, uint32_t *slots) {
    if (is_big_endian()) return 1;
    uint8_t *copy = pocket_malloc(length);
    if (!copy) return 1;
    memcpy(copy, hash, length);
    int wrong = !cmph_check(mph, copy, length);
    for (size_t i = 0; i < count && !wrong; i++) {
        uint8_t key[KEY_BYTES];
        store64(key, keys[i]);
        slots[i] = cmph_search_packed(copy, (const char *)key, KEY_BYTES);
    }
    pocket_free(copy);
    return wrong;
}

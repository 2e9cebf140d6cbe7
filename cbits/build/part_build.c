/* Writing a part (docs/format.md 3.1). */
#include "base/bytes.h"
#include "base/hashes/hash.h"
#include "base/memory.h"
#include "build/pocket_build.h"
#include "file/keys/part.h"

/* What a part is made of. */
typedef struct plan {
    uint32_t keys, count, hash_length, checksum_bits, posting_bits;
    int in_order; /* of the keys: checksums are their own lowest bits */
    const uint64_t *key, *start;
    const uint32_t *posting;
} plan;

static uint32_t check_settings(const pocket_part_settings *s, const uint8_t *hash,
                               const uint32_t *slots) {
    int in_order = s->mph == POCKET_MPH_QUOTIENT, own = s->mph == POCKET_MPH_PILOT || in_order;
    if (s->mph < POCKET_MPH_PILOT || s->mph > POCKET_MPH_QUOTIENT || own != !hash || own != !slots)
        return POCKET_BAD_ARGUMENT;
    if (s->checksum_bits == (in_order ? 0 : 24)) return POCKET_BAD_ARGUMENT;
    if (s->checksum_bits > 32 || s->checksum_bits % 8 != 0) return POCKET_BAD_ARGUMENT;
    return s->posting_bits >= 1 && s->posting_bits <= 32 ? POCKET_OK : POCKET_BAD_ARGUMENT;
}

/* Keys rise; there is a posting to each; postings rise within a postlist and fit their bits. The
 * last one of a shingle may be a number of documents, which does not rise with the others. No
 * posting is read before all starts are known to rise to the last. */
static uint32_t check_lists(const plan *p) {
    for (uint32_t i = 0; i < p->keys; i++) {
        if (i > 0 && p->key[i] <= p->key[i - 1])
            return p->key[i] == p->key[i - 1] ? POCKET_DUPLICATE_KEY : POCKET_BAD_ARGUMENT;
        if (p->start[i + 1] <= p->start[i]) return POCKET_BAD_ARGUMENT;
    }
    if (p->start[p->keys] - p->start[0] > INT32_MAX) return POCKET_BAD_ARGUMENT;
    for (uint32_t i = 0; i < p->keys; i++) {
        for (uint64_t j = p->start[i]; j < p->start[i + 1]; j++) {
            if ((uint64_t)p->posting[j] >> p->posting_bits) return POCKET_BAD_ARGUMENT;
            if (p->in_order && j + 1 == p->start[i + 1]) continue;
            if (j > p->start[i] && p->posting[j] <= p->posting[j - 1]) return POCKET_BAD_ARGUMENT;
        }
    }
    return POCKET_OK;
}

/* slots says which slot a key has; this says which key a slot has. Fails when two keys share one.
 */
static uint32_t invert(const uint32_t *slots, uint32_t n, uint32_t *key_at) {
    memset(key_at, 0xFF, n * sizeof *key_at);
    for (uint32_t i = 0; i < n; i++) {
        if (slots[i] >= n || key_at[slots[i]] != UINT32_MAX) return POCKET_HASH_FAILED;
        key_at[slots[i]] = i;
    }
    return POCKET_OK;
}

static void store_checksum(uint8_t *out, uint32_t bits, uint64_t mixed) {
    for (uint32_t i = 0; i < bits / 8; i++) out[i] = (uint8_t)(mixed >> (8 * i));
}

static uint32_t write_part(const plan *p, const uint8_t *hash, const uint32_t *key_at,
                           uint8_t **out, uint64_t *out_length) {
    uint64_t checksums = (uint64_t)p->keys * (p->checksum_bits / 8), samples = 0, lasts = 0;
    if (p->count > p->keys) {
        samples = 4 * (((uint64_t)p->keys + PART_SAMPLE - 1) / PART_SAMPLE);
        lasts = ((uint64_t)p->count + 7) / 8;
    }
    uint64_t postings = ((uint64_t)p->count * p->posting_bits + 7) / 8;
    uint64_t length = PART_HEAD + (uint64_t)p->hash_length + checksums + samples + lasts + postings;
    if (length > SIZE_MAX) return POCKET_NO_MEMORY;
    uint8_t *bytes = pocket_malloc((size_t)length);
    if (!bytes) return POCKET_NO_MEMORY;
    memset(bytes, 0, (size_t)length);

    store32(bytes, p->keys);
    store32(bytes + 4, p->count);
    store32(bytes + 8, p->hash_length);
    memcpy(bytes + PART_HEAD, hash, p->hash_length);
    uint8_t *checksum = bytes + PART_HEAD + p->hash_length, *sample = checksum + checksums;
    uint8_t *last = sample + samples, *posting = last + lasts;
    uint32_t done = 0;
    for (uint32_t slot = 0; slot < p->keys; slot++) {
        uint32_t i = key_at[slot];
        store_checksum(checksum, p->checksum_bits, p->in_order ? p->key[i] : mix64(p->key[i]));
        checksum += p->checksum_bits / 8;
        if (samples && slot % PART_SAMPLE == 0) store32(sample + 4 * (slot / PART_SAMPLE), done);
        for (uint64_t j = p->start[i]; j < p->start[i + 1]; j++, done++) {
            store_bits(posting, (uint64_t)done * p->posting_bits, p->posting_bits, p->posting[j]);
        }
        if (lasts) store_bits(last, done - 1, 1, 1);
    }
    *out = bytes;
    *out_length = length;
    return POCKET_OK;
}

static uint32_t pilot_of(plan *p, uint32_t keys_per_bucket_tenths, uint8_t **hash, uint32_t *slots,
                         pocket_effort *effort) {
    uint64_t length;
    uint32_t status =
        pocket_pilot_build(p->key, p->keys, keys_per_bucket_tenths, hash, &length, effort);
    p->hash_length = (uint32_t)length;
    return status ? status : pocket_pilot_slots(*hash, length, p->keys, p->key, p->keys, slots);
}

/* The slots are the keys' own order. */
static uint32_t quotient_of(plan *p, uint8_t **hash, uint32_t *slots) {
    uint32_t rest = p->checksum_bits, n = p->keys, together = 0;
    uint64_t least = p->key[0] >> rest, quotients = (p->key[n - 1] >> rest) - least + 1,
             samples = quotients / QUOTIENT_SAMPLE + (quotients % QUOTIENT_SAMPLE != 0),
             bits = (quotients + n + 7) / 8, length = QUOTIENT_HEAD + 2 * samples + bits;
    if (quotients > UINT32_MAX || length > UINT32_MAX) return POCKET_BAD_ARGUMENT;
    uint8_t *out = *hash = pocket_malloc((size_t)length);
    if (!out) return POCKET_NO_MEMORY;
    memset(out, 0, (size_t)length);
    p->hash_length = (uint32_t)length;
    store32(out, (uint32_t)quotients);
    uint64_t sampled = 0;
    for (uint32_t i = 0; i < n; i++) {
        uint64_t number = (p->key[i] >> rest) - least;
        together = i > 0 && p->key[i] >> rest == p->key[i - 1] >> rest ? together + 1 : 1;
        if (together > QUOTIENT_KEYS) return POCKET_HASH_FAILED;
        for (; QUOTIENT_SAMPLE * sampled <= number; sampled++)
            store16(out + QUOTIENT_HEAD + 2 * sampled, (uint16_t)i);
        store_bits(out + QUOTIENT_HEAD + 2 * samples, number + i, 1, 1);
        slots[i] = i;
    }
    return POCKET_OK;
}

pocket_status pocket_part_build(const pocket_part_settings *settings, const uint64_t *keys,
                                uint32_t n, const uint64_t *starts, const uint32_t *postings,
                                const uint8_t *hash, uint32_t hash_length, const uint32_t *slots,
                                uint8_t **out, uint64_t *out_length, pocket_effort *effort) {
    *out = NULL;
    *out_length = 0;
    if (effort) memset(effort, 0, sizeof *effort);
    uint32_t status = check_settings(settings, hash, slots);
    if (status || n < 1 || n > PILOT_KEYS) return POCKET_BAD_ARGUMENT;
    plan p = {.keys = n,
              .hash_length = hash_length,
              .checksum_bits = settings->checksum_bits,
              .posting_bits = settings->posting_bits,
              .in_order = settings->mph == POCKET_MPH_QUOTIENT,
              .key = keys,
              .start = starts,
              .posting = postings};
    status = check_lists(&p);
    if (status) return status;
    p.count = (uint32_t)(starts[n] - starts[0]);

    uint8_t *own = NULL;
    uint32_t *memory = pocket_malloc(2 * (size_t)n * sizeof *memory), *key_at = memory;
    if (!memory) return POCKET_NO_MEMORY;
    if (!hash) {
        status = settings->mph == POCKET_MPH_PILOT
                     ? pilot_of(&p, settings->keys_per_bucket_tenths, &own, memory + n, effort)
                     : quotient_of(&p, &own, memory + n);
        hash = own;
        slots = memory + n;
    }
    if (!status) status = invert(slots, n, key_at);
    if (!status) status = write_part(&p, hash, key_at, out, out_length);
    pocket_free(own);
    pocket_free(memory);
    return status;
}

void pocket_release(void *memory) { pocket_free(memory); }

/* Everything that docs/format.md says of a file, checked against the file. */
#include "base/bytes.h"
#include "base/hashes/crc32c.h"
#include "base/hashes/hash.h"
#include "base/memory.h"
#include "file/container.h"
#include "file/keys/look_up.h"
#include "file/keys/part.h"
#include "file/keys/passages.h"
#include "file/stored/documents.h"
#include "file/stored/labels.h"
#include "file/stored/texts.h"
#include "file/stored/titles.h"
#include "query/open.h"
#include "sketch/sketch.h"

typedef struct check {
    const pocket_index *index;
    const tables *tables;
    uint32_t table, part;
    uint8_t *digits;
    uint64_t *keys;
    uint32_t *slots;
    uint64_t keys_seen, postings_seen;
    uint64_t frequent, frequent_postings; /* as the table of all shingles has them */
    meter steps;
    pocket_error *error;
} check;

static uint32_t wrong(const check *c, const char *field, uint64_t expected, uint64_t found) {
    return fail(c->error, POCKET_DAMAGED_FIELD, c->tables->section->kind, c->part, field, expected,
                found);
}

/* How many documents these tables are about: those of sketches know the documents that have one. */
static uint32_t documents_of(const check *c, const tables *t) {
    return t == &c->index->tables ? c->index->sketched : c->index->documents;
}

/* The key under which a posting of this table must stand. For ids the documents section says it:
 * see check_documents. */
static uint32_t key_of(const check *c, uint32_t document, uint64_t *key) {
    const profile *p = &c->index->profile;
    packed_sketch stored;
    uint8_t room[MOST_SKETCH_BYTES];
    uint32_t status = sketch_get(c->index, document, &stored, c->error);
    if (status) return status;
    if (!sub_key_of_packed(p, c->table, sketch_whole(p, stored, room), key))
        return fail(c->error, POCKET_DAMAGED_FIELD, POCKET_SKETCHES,
                    document / c->index->block_documents, "digit", 0, 0);
    return POCKET_OK;
}

/* The perfect hash of a similarity table's part gives each key its slot, and the part is where its
 * keys belong. */
static uint32_t check_hash(const check *c, const part *p) {
    const pocket_index *x = c->index;
    uint64_t smallest = UINT64_MAX;
    if (c->tables->mph == POCKET_MPH_PILOT) {
        uint64_t mixed;
        for (uint32_t slot = 0; slot < p->keys; slot++) {
            mixed = mix64(c->keys[slot]);
            pilot_slots(&p->pilot, &mixed, 1, &c->slots[slot]);
        }
    } else if (!x->slots ||
               x->slots(c->tables->mph, p->hash, p->hash_length, c->keys, p->keys, c->slots)) {
        return x->slots ? wrong(c, "minimal perfect hash", 0, 0)
                        : fail(c->error, POCKET_NEEDS_CMPH, POCKET_TABLES, c->part,
                               "minimal perfect hash", 0, c->tables->mph);
    }
    for (uint32_t slot = 0; slot < p->keys; slot++) {
        if (c->slots[slot] != slot) return wrong(c, "slot of a key", slot, c->slots[slot]);
        uint32_t first, parts;
        table_row(c->tables, c->table, &first, &parts, NULL, NULL);
        uint32_t home = block_find(c->tables->section, first, first + parts, c->keys[slot]);
        if (home != c->part) return wrong(c, "part of a key", c->part, home);
        if (c->keys[slot] < smallest) smallest = c->keys[slot];
    }
    uint64_t first = block_first(c->tables->section, c->part);
    return smallest == first ? POCKET_OK : wrong(c, "first", smallest, first);
}

/* The keys of a part of the passages rise, from its first one to below that of the next part. */
static uint32_t check_order(const check *c, const part *p) {
    const section *s = c->tables->section;
    uint32_t rest = c->tables->checksum_bits;
    uint64_t first = block_first(s, c->part), least = first >> rest << rest, last;
    uint32_t start, parts;
    table_row(c->tables, c->table, &start, &parts, NULL, NULL);
    uint64_t most = c->part + 1 < start + parts ? block_first(s, c->part + 1) - 1
                                                : ((uint64_t)c->index->shingle_range << 8) - 1;
    const char *field = quotient_check(&p->quotient, first - least, &last);
    if (field) return wrong(c, field, 0, 0);
    return least + last <= most
               ? POCKET_OK
               : allowing(c->error, "at most %", wrong(c, "last key", most, least + last));
}

/* The number of documents of a shingle is in keeping with what its postlist is. listed: the documents
 * in it. */
static uint32_t check_shingle(check *c, const match *own, uint32_t *listed) {
    const pocket_index *x = c->index;
    *listed = own->count;
    if (c->table == FREQUENT_SHINGLES)
        return own->count > x->shingle_documents
                   ? (uint32_t)POCKET_OK
                   : allowing(c->error, "more than %",
                              wrong(c, "documents of a shingle", x->shingle_documents, own->count));
    uint32_t documents = shingle_documents(x, own, listed);
    uint32_t status = shingle_check(x, own, documents, *listed, c->error);
    if (*listed < own->count) {
        c->frequent++;
        c->frequent_postings += documents;
    }
    return status;
}

/* The table of frequent shingles has those that the table of all of them names. */
static uint32_t check_frequent(const check *c) {
    uint32_t first, parts;
    uint64_t keys, postings;
    table_row(c->tables, FREQUENT_SHINGLES, &first, &parts, &keys, &postings);
    if (keys != c->frequent) return wrong(c, "frequent keys", c->frequent, keys);
    return postings == c->frequent_postings
               ? POCKET_OK
               : wrong(c, "postings of frequent keys", c->frequent_postings, postings);
}

/* Every slot's postlist is well-formed and, in the similarity tables, of one key that belongs in
 * this slot of this part. */
static uint32_t check_part(void *argument) {
    check *c = argument;
    const pocket_index *x = c->index;
    int similarity_table = c->tables == &x->tables;
    part p;
    uint32_t status = part_get(x, c->tables, c->part, 1, &p, c->error), next = 0;
    if (status) return status;
    for (uint32_t slot = 0; slot < p.keys; slot++) {
        uint32_t start = 0, count = part_postlist(&p, slot, &start), before = 0;
        if (interrupted(&c->steps, 4)) return POCKET_INTERRUPTED;
        if (count == 0) return wrong(c, "postlist", 0, 0);
        if (start != next) return wrong(c, "postings before a slot", next, start);
        next = start + count;
        if (c->tables == &x->passages) {
            match own = {p.postings, 0, c->part, start, count};
            if ((status = check_shingle(c, &own, &count))) return status;
        }
        for (uint32_t i = 0; i < count; i++) {
            uint32_t document = part_posting(&p, start + i);
            uint64_t key = 0;
            if (interrupted(&c->steps, steps_of(x->stride))) return POCKET_INTERRUPTED;
            if (document >= documents_of(c, c->tables))
                return allowing(c->error, "less than %",
                                wrong(c, "posting", documents_of(c, c->tables), document));
            if (i > 0 && document <= before)
                return allowing(c->error, "more than %", wrong(c, "posting", before, document));
            before = document;
            if (!similarity_table) continue;
            if ((status = key_of(c, document, &key))) return status;
            if (i == 0) c->keys[slot] = key;
            if (key != c->keys[slot]) return wrong(c, "key of a posting", c->keys[slot], key);
        }
        if (similarity_table && !part_agrees(&p, slot, mix64(c->keys[slot])))
            return wrong(c, "checksum of a slot", 0, 0);
    }
    if (next != p.count) return wrong(c, "postings", p.count, next);
    for (uint32_t i = 0; c->tables->mph == POCKET_MPH_PILOT && i < pilot_spare(p.keys); i++) {
        uint32_t remapped = load16(p.pilot.remap + 2 * (size_t)i);
        if (remapped >= p.keys)
            return allowing(c->error, "0 .. %", wrong(c, "remapped slot", p.keys - 1, remapped));
    }
    c->keys_seen += p.keys;
    c->postings_seen += p.count;
    if (c->tables->mph == POCKET_MPH_QUOTIENT) return check_order(c, &p);
    if (!similarity_table) return POCKET_OK;
    return check_hash(c, &p);
}

static uint32_t check_tables(check *c, const tables *t) {
    c->tables = t;
    for (c->table = 0; c->table < t->count; c->table++) {
        uint32_t first, parts;
        uint64_t keys, postings;
        table_row(t, c->table, &first, &parts, &keys, &postings);
        c->keys_seen = c->postings_seen = 0;
        for (c->part = first; c->part < first + parts; c->part++) {
            uint32_t status = check_part(c);
            if (status) return status;
        }
        c->part = first;
        if (keys != c->keys_seen) return wrong(c, "keys", keys, c->keys_seen);
        if (postings != c->postings_seen) return wrong(c, "postings", postings, c->postings_seen);
        if (t == &c->index->passages) {
            uint32_t status = c->table == FREQUENT_SHINGLES ? check_frequent(c) : POCKET_OK;
            if (status) return status;
        } else if (postings != documents_of(c, t)) {
            return wrong(c, "documents", documents_of(c, t), postings);
        }
    }
    return POCKET_OK;
}

/* CRCs of all blocks, digits of all sketches, padding after them. */
static uint32_t check_sketches(check *c) {
    const pocket_index *x = c->index;
    const section *s = x->by_kind[POCKET_SKETCHES];
    const profile *p = &x->profile;
    uint32_t spare = sketch_bytes(p) * 8 - p->sketch_bits, coarse = coarse_bytes(p);
    uint8_t room[MOST_SKETCH_BYTES];
    for (uint32_t block = 0; block < s->blocks; block++) {
        const uint8_t *bytes;
        uint64_t length;
        uint32_t status = block_get(x, s, block, 1, &bytes, &length, c->error);
        if (status) return status;
        packed_sketch stored = {bytes, bytes + length / x->stride * coarse};
        for (const uint8_t *end = stored.rest; stored.coarse < end;
             stored.coarse += coarse, stored.rest += x->stride - coarse) {
            const uint8_t *sketch = sketch_whole(p, stored, room);
            if (interrupted(&c->steps, steps_of(8 * x->stride))) return POCKET_INTERRUPTED;
            if (!sketch_unpack(p, sketch, 0, p->component_count, 0, c->digits))
                return fail(c->error, POCKET_DAMAGED_FIELD, s->kind, block, "digit", 0, 0);
            if (load_bits(sketch, p->sketch_bits, spare) != 0)
                return fail(c->error, POCKET_DAMAGED_FIELD, s->kind, block, "padding", 0, 0);
        }
    }
    return POCKET_OK;
}

/* CRCs of every section's head as it is in the file, where that is at hand, and of the blocks of
 * sections that this reader does not know. */
static uint32_t check_sections(check *c) {
    const pocket_index *x = c->index;
    for (uint32_t i = 0; i < x->section_count; i++) {
        const section *s = &x->sections[i];
        uint32_t found = crc32c(0, x->lent ? s->bytes : s->body - s->head, (size_t)s->head);
        if (found != s->seal)
            return fail(c->error, POCKET_DAMAGED_CHECKSUM, s->kind, -1, "CRC32C", s->seal, found);
        for (uint32_t block = 0; s->kind >= POCKET_SECTION_KINDS && block < s->blocks; block++) {
            const uint8_t *bytes;
            uint64_t length;
            uint32_t status =
                interrupted(&c->steps, steps_of(block_end(s, block) - block_start(s, block)));
            if (!status) status = block_get(x, s, block, 1, &bytes, &length, c->error);
            if (status) return status;
        }
    }
    return POCKET_OK;
}

/* Every stop word stands where a look-up finds it. */
static uint32_t check_stops(const check *c) {
    const profile *p = &c->index->profile;
    for (uint32_t i = 0; i < p->stop_slots; i++) {
        uint64_t stop = load64(p->stops + 8 * (size_t)i);
        if (stop != 0 && !profile_stops(p->stops, p->stop_slots, stop))
            return fail(c->error, POCKET_DAMAGED_FIELD, POCKET_PROFILE, -1, "stop words", 0, 0);
    }
    return POCKET_OK;
}

static uint32_t check_guarded(void *argument) {
    check *c = argument;
    uint32_t status = check_sections(c);
    if (!status) status = check_stops(c);
    if (!status) status = check_sketches(c);
    if (!status) status = verify_optional(c->index, c->error);
    if (!status) status = check_tables(c, &c->index->tables);
    if (!status && c->index->by_kind[POCKET_PASSAGES])
        status = check_tables(c, &c->index->passages);
    return status ? status : check_tables(c, &c->index->ids);
}

/* ---- documents: a block at a time, ids looked up in batches ---- */

#define IDS_AT_ONCE 256u

typedef struct batch {
    const pocket_index *index;
    look_up look_up;
    uint64_t keys[IDS_AT_ONCE];
    uint32_t first, count, block;
    uint64_t smallest;       /* keys met that are the first of their part */
    uint64_t titles;         /* the sum of the titles' marks, where there is a titles section */
    const uint8_t *at, *end; /* of the block: the next record */
    uint8_t *room;           /* RECORD_ROOM */
    meter steps;
    pocket_error *error;
} batch;

/* Is document one of these postings, which rise (check_part)? A hostile file can have all its ids
 * in one postlist. */
static int has_posting(const tables *ids, const match *m, uint32_t document) {
    uint32_t start = 0, end = m->count;
    while (start < end) {
        uint32_t middle = start + (end - start) / 2, posting = match_posting(m, ids, middle);
        if (posting == document) return 1;
        if (posting < document)
            start = middle + 1;
        else
            end = middle;
    }
    return 0;
}

static uint32_t check_ids(batch *b) {
    const tables *ids = &b->index->ids;
    uint32_t found = 0;
    b->look_up.passed = 0;
    uint32_t status = look_up_run(&b->look_up, b->index, ids, 0, b->keys, b->count, b->error);
    for (uint32_t i = 0; !status && i < b->look_up.match_count; i++) {
        const match *m = &b->look_up.matches[i];
        if (b->keys[m->rank] == block_first(ids->section, m->part)) b->smallest++;
        found += has_posting(ids, m, b->first + m->rank) != 0;
    }
    if (status || found == b->count) return status;
    return fail(b->error, POCKET_DAMAGED_FIELD, POCKET_IDS, -1, "ids found", b->count, found);
}

static uint32_t check_records(batch *b, uint32_t next) {
    for (b->count = 0; b->count < IDS_AT_ONCE && b->first + b->count < next; b->count++) {
        record r;
        if (interrupted(&b->steps, 16)) return POCKET_INTERRUPTED;
        if (record_read(b->index, &b->at, b->end, b->room, RECORD_ROOM, &r) != RECORD_READ)
            return fail(b->error, POCKET_DAMAGED_FIELD, POCKET_DOCUMENTS, b->block, "record", 0, 0);
        if (!record_is_utf8(&r))
            return fail(b->error, POCKET_DAMAGED_FIELD, POCKET_DOCUMENTS, b->block, "UTF-8", 0, 0);
        b->keys[b->count] = murmur(r.id, r.id_length);
        if (b->index->by_kind[POCKET_TITLES])
            b->titles += titles_mark(r.title, r.title_length, b->first + b->count);
    }
    return POCKET_OK;
}

static uint32_t check_documents(void *argument) {
    batch *b = argument;
    const section *s = b->index->by_kind[POCKET_DOCUMENTS];
    for (b->block = 0; b->block < s->blocks; b->block++) {
        uint64_t length;
        uint32_t next =
            b->block + 1 < s->blocks ? (uint32_t)block_first(s, b->block + 1) : b->index->documents;
        uint32_t status = block_get(b->index, s, b->block, 1, &b->at, &length, b->error);
        if (status) return status;
        for (b->end = b->at + length; b->first < next; b->first += b->count)
            if ((status = check_records(b, next)) || (status = check_ids(b))) return status;
        if (b->at != b->end)
            return fail(b->error, POCKET_DAMAGED_FIELD, POCKET_DOCUMENTS, b->block,
                        "bytes after the last record", 0, (uint64_t)(b->end - b->at));
    }
    uint32_t parts = b->index->ids.section->blocks;
    return b->smallest >= parts ? POCKET_OK
                                : fail(b->error, POCKET_DAMAGED_FIELD, POCKET_IDS, -1,
                                       "parts that begin with an id's key", parts, b->smallest);
}

pocket_status pocket_verify(const pocket_index *x, pocket_error *error) {
    check c = {.index = x, .steps = meter_of(x), .error = error};
    batch b = {.index = x, .steps = meter_of(x), .error = error};
    size_t keys = 65536;
    clear(error);
    c.keys = pocket_malloc(keys * (sizeof *c.keys + sizeof *c.slots) + x->profile.component_count);
    b.room = pocket_malloc(RECORD_ROOM);
    int ready = look_up_alloc(&b.look_up, IDS_AT_ONCE, x->most_parts);
    uint32_t status = POCKET_NO_MEMORY;
    if (c.keys && b.room && ready) {
        c.slots = (uint32_t *)(c.keys + keys);
        c.digits = (uint8_t *)(c.slots + keys);
        status = guarded(x, check_guarded, &c);
        if (!status) status = guarded(x, check_documents, &b);
        if (!status) status = texts_verify(x, error);
        if (!status && x->by_kind[POCKET_TITLES]) status = titles_verify(x, b.titles, error);
        if (!status && x->by_kind[POCKET_LABELS]) status = labels_verify(x, error);
    }
    look_up_free(&b.look_up);
    pocket_free(b.room);
    pocket_free(c.keys);
    return fail_as(error, status);
}

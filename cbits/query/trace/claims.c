/* Keeps the documents that may have units of a segment, and aligns these with their texts. */
#include "query/trace/claims.h"

#include "base/array.h"
#include "base/memory.h"
#include "base/sort.h"

#define ENOUGH_WHOLES 100u /* documents that have a text of one unit whole; no more are read */
#define MANY_TERMS 65536u  /* in a longer document, only the rarest words of a unit are compared */

/* Make room for one more claim, and for twice as many numbers to order claims by. */
static int make_claims_room(trace *t) {
    uint32_t room = t->claim_room, wanted = t->claim_count + 1;
    if (wanted <= room) return 1;
    claim *claims = array_grow(t->claims, &t->claim_room, t->claim_count, wanted, sizeof *claims);
    if (!claims) return 0;
    t->claims = claims;
    pocket_free(t->order);
    t->order = pocket_malloc(2 * (size_t)t->claim_room * sizeof *t->order);
    if (!t->order) t->claim_room = t->claim_count = 0;
    return t->order != NULL;
}

void add_claim(trace *t, const claim *c) {
    if (t->claim_count == MOST_CLAIMS)
        t->capped = 1;
    else if (!make_claims_room(t))
        t->exhausted = 1;
    else
        t->claims[t->claim_count++] = *c;
}

/* Choose the distinct words of a unit by which its window is found: those that the document has,
 * the rarest first; only WINDOW_WORDS of them if the document is long. Returns their number. */
static uint32_t words_of(const trace *t, const unit *u, uint32_t *words) {
    const segment *s = t->segment;
    uint32_t count = 0, most = t->document.count > MANY_TERMS ? WINDOW_WORDS : MOST_PLACED;
    for (uint32_t i = u->first; i < u->last; i++) {
        uint32_t id = s->ids[i], k;
        if (!t->document.times[id]) continue;
        for (k = 0; k < count && words[k] != id; k++) {
        }
        if (k < count) continue;
        if (count == most && s->terms[id].idf <= s->terms[words[count - 1]].idf) continue;
        if (count < most) count++;
        for (k = count - 1; k > 0 && s->terms[words[k - 1]].idf < s->terms[id].idf; k--)
            words[k] = words[k - 1];
        words[k] = id;
    }
    return count;
}

/* Places that are asked for one after the other are near each other. */
static text_place place_in(document_terms *d, uint32_t bytes) {
    return d->counted = place_at(d->text, d->counted, bytes);
}

void place_alignment(trace *t, alignment *a) {
    document_terms *d = &t->document;
    if (a->same) {
        a->own_start = place_in(d, d->starts[a->own_first - a->before.own]);
        a->own_end = place_in(d, d->ends[a->own_last + a->after.own - 1]);
        a->own_first += d->forgotten;
        a->own_last += d->forgotten;
    }
    if (a->bag_last) {
        a->bag_start = place_in(d, d->starts[a->bag_first]);
        a->bag_end = place_in(d, d->ends[a->bag_last - 1]);
    }
}

uint32_t align_unit(trace *t, const unit *u, alignment *a) {
    uint32_t words[MOST_PLACED];
    if (interrupted(t->steps, (u->last - u->first) * 4)) return POCKET_INTERRUPTED;
    if (!align(&t->document, t->segment, u, words, words_of(t, u, words), a))
        return POCKET_NO_MEMORY;
    place_alignment(t, a);
    return POCKET_OK;
}

uint32_t align_claim(trace *t, claim *c) {
    return align_unit(t, &t->segment->units[c->candidate.unit], &c->alignment);
}

uint32_t read_on(trace *t) {
    text_reader *r = &t->reader;
    uint32_t before = r->next, status = text_reader_more(r, t->error);
    if (status == POCKET_NOT_AT_HAND) {
        t->missed = 1;
        t->document.count = r->left = 0;
        return POCKET_OK;
    }
    if (status) return status;
    if (before == 0)
        document_terms_begin(&t->document, r->bytes, every_word_of(t->index->profile.stream));
    if (!document_terms_go_on(&t->document, r->length, r->left == 0))
        return t->steps->ended ? POCKET_INTERRUPTED : POCKET_NO_MEMORY;
    document_terms_find_more(&t->document, t->segment);
    return POCKET_OK;
}

uint32_t begin_document(trace *t, uint32_t document) {
    t->document.count = 0;
    text_reader_begin(&t->reader, document);
    return read_on(t);
}

uint32_t read_document(trace *t, uint32_t document) {
    uint32_t status = begin_document(t, document);
    while (!status && t->reader.left) status = read_on(t);
    return status;
}

uint32_t align_claims(trace *t) {
    uint32_t n = 0, status = POCKET_OK, wholes = 0, at_hand = UINT32_MAX;
    for (uint32_t i = 0; i < t->claim_count; i++)
        if (t->claims[i].state == UNREAD)
            t->order[n++] = (uint64_t)t->claims[i].candidate.document << 32 | i;
    if (n == 0) return POCKET_OK;
    radix_sort64(t->order, t->order + t->claim_room, n, 32, 64);
    for (uint32_t i = 0; i < n && !status; i++) {
        claim *c = &t->claims[(uint32_t)t->order[i]];
        int alone = unit_is_alone(t->segment, &t->segment->units[c->candidate.unit]);
        c->state = ALIGNED;
        if (alone && wholes == ENOUGH_WHOLES) {
            t->capped = 1;
            continue;
        }
        if (c->candidate.document != at_hand)
            status = read_document(t, at_hand = c->candidate.document);
        if (!status && t->document.count) status = align_claim(t, c);
        wholes += alone && c->alignment.whole;
    }
    return status;
}

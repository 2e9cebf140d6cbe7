#include "sketch/copy_key.h"

#include "base/hashes/hash.h"
#include "base/meter.h"
#include "text/terms.h"

static int is_white(uint8_t byte) { return byte == ' ' || (byte >= '\t' && byte <= '\r'); }

int copy_key_of_text(const uint8_t *text, uint64_t length, struct meter *steps, uint64_t *key) {
    term_stream terms;
    uint64_t hash = 0, count = 0;
    for (; length && is_white(text[length - 1]); length--) {
    }
    for (; length && is_white(*text); text++) length--;
    if (!length) return 0;
    uint64_t whole = murmur(text, (size_t)length);
    term_stream_begin(&terms, text, length, STREAM_EVERY_WORD);
    terms.meter = steps;
    for (; term_stream_next(&terms); count++)
        hash = mix64(hash + murmur_padded(terms.bytes, terms.length));
    if (!count) hash = whole;
    *key = hash >> 32 << COPY_IDENTITY_BITS | (whole & ((1u << COPY_IDENTITY_BITS) - 1));
    return 1;
}

/* How libFuzzer changes a pocket file: mostly a field, a block, a content or a section of its
 * model, with checksums that agree afterwards. */
#include "ask.h"
#include "model.h"

size_t LLVMFuzzerMutate(uint8_t *data, size_t size, size_t most);
size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t most, unsigned seed);
size_t LLVMFuzzerCustomCrossOver(const uint8_t *a, size_t a_size, const uint8_t *b, size_t b_size,
                                 uint8_t *out, size_t most, unsigned seed);

static model file, other;
static uint64_t state;

static uint64_t draw(uint64_t below) {
    state += 0x9E3779B97F4A7C15ull;
    uint64_t z = (state ^ state >> 30) * 0xBF58476D1CE4E5B9ull;
    z = (z ^ z >> 27) * 0x94D049BB133111EBull;
    return (z ^ z >> 31) % below;
}

static const uint64_t edges[] = {
    0,          1,          2,           3,           4,           7,
    8,          9,          15,          16,          17,          31,
    32,         33,         63,          64,          65,          127,
    128,        129,        255,         256,         1023,        1024,
    1025,       4095,       4096,        4097,        8191,        8192,
    8193,       16384,      16385,       32768,       65535,       65536,
    65537,      131072,     524288,      1048576,     1048577,     0x0fffffff,
    0x10000000, 0x7fffffff, 0x80000000u, 0xfffffffeu, 0xffffffffu, 0x100000000ull,
    1ull << 40, ~0ull >> 1, 1ull << 63,  ~0ull};

static uint64_t edge(void) { return edges[draw(sizeof edges / sizeof *edges)]; }

/* A number of 1, 2, 4 or 8 bytes, mostly where a field may lie. */
static void change_field(bytes b) {
    size_t width = (size_t)1 << draw(4);
    if (b.length < width) return;
    size_t at = draw(b.length - width + 1);
    if (draw(4)) at -= at % width;
    uint64_t value = 0;
    for (size_t i = 0; i < width; i++) value |= (uint64_t)b.at[at + i] << (8 * i);
    switch (draw(5)) {
    case 0: value = edge(); break;
    case 1: value += draw(9) - 4; break;
    case 2: value ^= 1ull << draw(8 * width); break;
    case 3: value = draw(1 << 16); break;
    case 4: value = draw(2) ? 2 * value : value / 2; break;
    }
    for (size_t i = 0; i < width; i++) b.at[at + i] = (uint8_t)(value >> (8 * i));
}

static bytes beginning(bytes b, size_t most) {
    return (bytes){b.at, b.length < most ? b.length : most};
}

/* The body of a profile (docs/format.md 2.3 .. 2.7), behind its arrays. */
static bytes profile_body(bytes b) {
    if (b.length < 32) return b;
    size_t name = load16(b.at + 24), rows = load16(b.at + 26), components = load32(b.at + 8),
           borders = load32(b.at + 12), stops = load32(b.at + 16);
    size_t at =
        32 + pad8(name) + 8 * stops + pad8(4 * rows) + pad8(4 * components) + pad8(4 * borders);
    return at < b.length ? (bytes){b.at + at, b.length - at} : b;
}

/* As libFuzzer changes bytes that it knows nothing of. */
static void change_any(bytes *b, size_t more) {
    bytes wider = take(b->length + more);
    if (!wider.length) return;
    memcpy(wider.at, b->at, b->length);
    wider.length = LLVMFuzzerMutate(wider.at, b->length, wider.length);
    *b = wider;
}

static void change_bytes(bytes *b) {
    switch (draw(4)) {
    case 0: change_any(b, 32); break;
    case 1: change_field(beginning(*b, 32)); break;
    default: change_field(*b);
    }
}

static void change_content(bytes *block) {
    bytes content = inflated(block);
    if (!content.length) return;
    if (draw(5) == 0) { /* the same again and again: longer distances */
        bytes again = take(content.length * (1 + draw(40)));
        for (size_t i = 0; i < again.length; i++) again.at[i] = content.at[i % content.length];
        if (again.length && again.length <= MOST_CONTENT) content = again;
    } else {
        change_bytes(&content);
    }
    bytes made = deflated(&content, (int)draw(10),
                          draw(2)   ? Z_DEFAULT_STRATEGY
                          : draw(2) ? Z_FIXED
                                    : Z_HUFFMAN_ONLY);
    if (!made.length) return;
    *block = made;
    if (draw(8) == 0) change_field(*block);
}

static void change_blocks(model_section *s) {
    uint32_t i = (uint32_t)draw(s->blocks), k = (uint32_t)draw(s->blocks);
    model_block held = s->block[i];
    switch (draw(5)) {
    case 0: s->block[i].first += draw(5) - 2; break;
    case 1: s->block[i].first = draw(2) ? edge() : s->block[k].first; break;
    case 2:
        s->block[i] = s->block[k];
        s->block[k] = held;
        break;
    case 3: memmove(&s->block[i], &s->block[i + 1], (--s->blocks - i) * sizeof *s->block); break;
    case 4:
        if (s->blocks == MOST_BLOCKS) break;
        memmove(&s->block[i + 1], &s->block[i], (s->blocks++ - i) * sizeof *s->block);
        s->block[i].bytes = taken_copy(held.bytes.at, held.bytes.length);
        s->block[i + 1].first += draw(2);
        break;
    }
}

static void change_sections(model *m) {
    uint32_t i = (uint32_t)draw(m->sections), k = (uint32_t)draw(m->sections);
    static model_section held;
    held = m->section[i];
    switch (draw(5)) {
    case 0: m->section[i].kind = (uint32_t)draw(11); break;
    case 1: m->section[i].flags = (uint32_t)(draw(2) ? edge() : draw(2)); break;
    case 2:
        m->section[i] = m->section[k];
        m->section[k] = held;
        break;
    case 3:
        memmove(&m->section[i], &m->section[i + 1], (--m->sections - i) * sizeof *m->section);
        break;
    case 4:
        if (m->sections == MOST_SECTIONS) break;
        m->section[m->sections] = held;
        m->section[m->sections++].kind = (uint32_t)draw(11);
        break;
    }
}

/* Another number of documents, in every section that says it. */
static void change_documents(model *m) {
    uint32_t number = (uint32_t)(draw(2) ? draw(80) : edge());
    for (uint32_t i = 0; i < m->sections; i++) {
        const model_section *s = &m->section[i];
        uint32_t at = s->kind == POCKET_CELLS ? 4 : 0;
        int says =
            s->kind == POCKET_SKETCHES || s->kind == POCKET_DOCUMENTS || s->kind >= POCKET_TEXTS;
        if (says && s->parameters.length >= at + 4 && draw(8))
            store32(s->parameters.at + at, number);
    }
}

static void change(model *m) {
    if (m->sections == 0) return;
    model_section *s = &m->section[draw(m->sections)];
    bytes *block = s->blocks ? &s->block[draw(s->blocks)].bytes : NULL;
    int has_content = s->kind == POCKET_TEXTS || s->kind == POCKET_TITLES;
    switch (draw(12)) {
    case 0:
    case 1:
    case 2: change_field(s->parameters); break;
    case 3:
        change_field(beginning(s->kind == POCKET_PROFILE && draw(2) ? profile_body(s->parameters)
                                                                    : s->parameters,
                               32));
        break;
    case 4: change_any(&s->parameters, 16); break;
    case 5: change_documents(m); break;
    case 6: change_sections(m); break;
    case 7:
        if (block) change_blocks(s);
        break;
    default:
        if (block && has_content)
            change_content(block);
        else if (block)
            change_bytes(block);
    }
}

size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t most, unsigned seed) {
    state = seed;
    model_taken = 0;
    if (draw(12) == 0 || !take_apart(data, size, &file)) {
        size = LLVMFuzzerMutate(data, size, most);
        if (draw(4)) seal(data, size);
        return size;
    }
    for (uint64_t rounds = 1 + draw(3); rounds > 0; rounds--) change(&file);
    if (draw(40) == 0) file.major = (uint16_t)draw(3);
    static uint8_t out[1 << 17];
    size_t length = put_together(&file, out, most < sizeof out ? most : sizeof out);
    if (!length) return size;
    if (draw(12) == 0) { /* the header and the section table, which the model makes itself */
        change_field((bytes){out, 32 + 40 * (size_t)file.sections});
        seal(out, length);
    }
    memcpy(data, out, length);
    return length;
}

/* A section of another file in the place of one's own of the same kind. */
size_t LLVMFuzzerCustomCrossOver(const uint8_t *a, size_t a_size, const uint8_t *b, size_t b_size,
                                 uint8_t *out, size_t most, unsigned seed) {
    state = seed;
    model_taken = 0;
    if (!take_apart(a, a_size, &file) || !take_apart(b, b_size, &other) || other.sections == 0)
        return 0;
    const model_section *s = &other.section[draw(other.sections)];
    uint32_t i = 0;
    while (i < file.sections && file.section[i].kind != s->kind) i++;
    if (i == MOST_SECTIONS) return 0;
    if (i == file.sections) file.sections++;
    file.section[i] = *s;
    return put_together(&file, out, most);
}

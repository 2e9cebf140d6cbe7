/* CRC32C: by the processor's instruction where there is one, elsewhere by one look-up a byte, eight
 * bytes at a time; four in a page, which would have to fetch 4 KB of tables more, and where nearly
 * all processors have the instruction. The result is the same. POCKET_PORTABLE leaves the
 * instruction out. */
#include "base/hashes/crc32c.h"

#include "base/bytes.h"

#if !defined(POCKET_PORTABLE) && defined(__x86_64__) && defined(__GNUC__)
#define INSTRUCTION_PRESENT __builtin_cpu_supports("sse4.2")
/* Not the intrinsics: compilers disagree on the name of the target that has them. */
static inline uint64_t add_byte(uint64_t crc, uint8_t byte) {
    __asm__("crc32b %1, %k0" : "+r"(crc) : "r"(byte));
    return crc;
}
static inline uint64_t add_word(uint64_t crc, uint64_t word) {
    __asm__("crc32q %1, %0" : "+r"(crc) : "r"(word));
    return crc;
}
#elif !defined(POCKET_PORTABLE) && defined(__aarch64__) && defined(__ARM_FEATURE_CRC32)
#include <arm_acle.h>
#define INSTRUCTION_PRESENT 1
static inline uint64_t add_byte(uint64_t crc, uint8_t byte) {
    return __crc32cb((uint32_t)crc, byte);
}
static inline uint64_t add_word(uint64_t crc, uint64_t word) {
    return __crc32cd((uint32_t)crc, word);
}
#endif

#if defined(POCKET_FREESTANDING) || defined(INSTRUCTION_PRESENT)
#define FOUR_AT_A_TIME
#endif

#ifdef INSTRUCTION_PRESENT

/* An instruction takes three cycles, but one can start in each: three lanes are twice as fast as
 * one, all in all. */
#define LANE 1024
/* x^(8 LANE - 33) and x^(16 LANE - 33) modulo the polynomial. 33, because add_word multiplies by
 * x^32 and the product of reflected numbers has one more x. */
#define OVER_ONE_LANE 0x170076FAu
#define OVER_TWO_LANES 0xA51B6135u

static inline uint64_t multiply(uint64_t a, uint64_t b) {
    uint64_t product = 0;
    for (uint32_t i = 0; i < 32; i++) product ^= (0 - (a >> i & 1)) & b << i;
    return product;
}

static uint32_t by_instruction(uint32_t start, const uint8_t *bytes, size_t length) {
    uint64_t crc = start;
    for (; length >= 3 * LANE; length -= 3 * LANE, bytes += 3 * LANE) {
        uint64_t second = 0, third = 0;
        for (size_t i = 0; i < LANE; i += 8) {
            crc = add_word(crc, load64(bytes + i));
            second = add_word(second, load64(bytes + LANE + i));
            third = add_word(third, load64(bytes + 2 * LANE + i));
        }
        crc = third ^ add_word(0, multiply(crc, OVER_TWO_LANES) ^ multiply(second, OVER_ONE_LANE));
    }
    for (; length >= 8; length -= 8, bytes += 8) crc = add_word(crc, load64(bytes));
    for (; length > 0; length--, bytes++) crc = add_byte(crc, *bytes);
    return (uint32_t)crc;
}

#endif

/* A CRC is linear: the look-up of a byte is the sum of those of its bits, so the compiler makes the
 * tables from 64 numbers. */
#define BIT(byte, i, c) (((byte) >> (i) & 1u) * (c))
#define BYTE(b, c7, c6, c5, c4, c3, c2, c1, c0) \
    (BIT(b, 7, c7) ^ BIT(b, 6, c6) ^ BIT(b, 5, c5) ^ BIT(b, 4, c4) ^ BIT(b, 3, c3) ^ \
     BIT(b, 2, c2) ^ BIT(b, 1, c1) ^ BIT(b, 0, c0))
#define BYTES4(b, ...) \
    BYTE(b, __VA_ARGS__), BYTE(b + 1u, __VA_ARGS__), BYTE(b + 2u, __VA_ARGS__), \
        BYTE(b + 3u, __VA_ARGS__)
#define BYTES16(b, ...) \
    BYTES4(b, __VA_ARGS__), BYTES4(b + 4u, __VA_ARGS__), BYTES4(b + 8u, __VA_ARGS__), \
        BYTES4(b + 12u, __VA_ARGS__)
#define BYTES64(b, ...) \
    BYTES16(b, __VA_ARGS__), BYTES16(b + 16u, __VA_ARGS__), BYTES16(b + 32u, __VA_ARGS__), \
        BYTES16(b + 48u, __VA_ARGS__)
#define BYTES256(...) \
    {BYTES64(0u, __VA_ARGS__), BYTES64(64u, __VA_ARGS__), BYTES64(128u, __VA_ARGS__), \
     BYTES64(192u, __VA_ARGS__)}

/* lookup[i]: a byte with i bytes after it. The numbers are the register 1, 2, .. 64 shifts after it
 * held a one. */
static const uint32_t lookup[][256] = {
    BYTES256(0x82F63B78u, 0x417B1DBCu, 0x20BD8EDEu, 0x105EC76Fu, 0x8AD958CFu, 0xC79A971Fu,
             0xE13B70F7u, 0xF26B8303u),
    BYTES256(0xFBC3FAF9u, 0xFF17C604u, 0x7F8BE302u, 0x3FC5F181u, 0x9D14C3B8u, 0x4E8A61DCu,
             0x274530EEu, 0x13A29877u),
    BYTES256(0x8B277743u, 0xC76580D9u, 0xE144FB14u, 0x70A27D8Au, 0x38513EC5u, 0x9EDEA41Au,
             0x4F6F520Du, 0xA541927Eu),
    BYTES256(0x52A0C93Fu, 0xABA65FE7u, 0xD725148Bu, 0xE964B13Du, 0xF64463E6u, 0x7B2231F3u,
             0xBF672381u, 0xDD45AAB8u),
#ifndef FOUR_AT_A_TIME
    BYTES256(0x6EA2D55Cu, 0x37516AAEu, 0x1BA8B557u, 0x8F2261D3u, 0xC5670B91u, 0xE045BEB0u,
             0x7022DF58u, 0x38116FACu),
    BYTES256(0x1C08B7D6u, 0x0E045BEBu, 0x85F4168Du, 0xC00C303Eu, 0x6006181Fu, 0xB2F53777u,
             0xDB8CA0C3u, 0xEF306B19u),
    BYTES256(0xF56E0EF4u, 0x7AB7077Au, 0x3D5B83BDu, 0x9C5BFAA6u, 0x4E2DFD53u, 0xA5E0C5D1u,
             0xD0065990u, 0x68032CC8u),
    BYTES256(0x34019664u, 0x1A00CB32u, 0x0D006599u, 0x847609B4u, 0x423B04DAu, 0x211D826Du,
             0x9278FA4Eu, 0x493C7D27u),
#endif
};

static uint32_t by_lookup(uint32_t crc, const uint8_t *bytes, size_t length) {
#ifdef FOUR_AT_A_TIME
    for (; length >= 4; length -= 4, bytes += 4) {
        crc ^= load32(bytes);
        crc = lookup[3][crc & 0xFF] ^ lookup[2][crc >> 8 & 0xFF] ^ lookup[1][crc >> 16 & 0xFF] ^
              lookup[0][crc >> 24];
    }
#else
    for (; length >= 8; length -= 8, bytes += 8) {
        uint32_t low = load32(bytes) ^ crc, high = load32(bytes + 4);
        crc = lookup[7][low & 0xFF] ^ lookup[6][low >> 8 & 0xFF] ^ lookup[5][low >> 16 & 0xFF] ^
              lookup[4][low >> 24] ^ lookup[3][high & 0xFF] ^ lookup[2][high >> 8 & 0xFF] ^
              lookup[1][high >> 16 & 0xFF] ^ lookup[0][high >> 24];
    }
#endif
    for (; length > 0; length--, bytes++) crc = crc >> 8 ^ lookup[0][(crc ^ *bytes) & 0xFF];
    return crc;
}

uint32_t crc32c(uint32_t crc, const uint8_t *bytes, size_t length) {
#ifdef INSTRUCTION_PRESENT
    if (INSTRUCTION_PRESENT) return ~by_instruction(~crc, bytes, length);
#endif
    return ~by_lookup(~crc, bytes, length);
}

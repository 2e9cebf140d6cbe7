#include "sketch/registers.h"

#ifndef REGISTERS_MOST /* tests take less than the processor has */
#define REGISTERS_MOST REGISTERS_FOURS
#endif

static int registers_here(void) {
#ifdef BY_FOURS
    const unsigned int wide = bit_AVX512F | bit_AVX512BW;
    unsigned int a, b = 0, c = 0, d, low, high;
    if (!__get_cpuid(1, &a, &b, &c, &d) || !(c & bit_OSXSAVE)) return REGISTERS_NONE;
    __asm__("xgetbv" : "=a"(low), "=d"(high) : "c"(0)); /* does the system save them? */
    if ((low & 6u) != 6u || !__get_cpuid_count(7, 0, &a, &b, &c, &d) || !(b & bit_AVX2))
        return REGISTERS_NONE;
    return (low & 0xE6u) == 0xE6u && (b & wide) == wide && (c & bit_AVX512VNNI) ? REGISTERS_FOURS
                                                                                : REGISTERS_PAIRS;
#else
    return REGISTERS_NONE;
#endif
}

int best_registers(void) {
    int best = registers_here();
    return best < REGISTERS_MOST ? best : REGISTERS_MOST;
}

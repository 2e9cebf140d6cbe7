/* The registers of the processor that products are made in, with the same sums in each. */
#ifndef POCKET_REGISTERS_H
#define POCKET_REGISTERS_H

/* gcc does not align wide registers on the stack of Windows. */
#if defined(__x86_64__) && defined(__GNUC__) && !defined(POCKET_ARITHMETIC) && \
    (defined(__clang__) || !defined(_WIN32))
#include <cpuid.h>
#include <immintrin.h>
#define BY_PAIRS __attribute__((target("avx2")))
#define BY_FOURS __attribute__((target("avx512f,avx512bw,avx512vnni")))
#endif
#ifdef __GNUC__
#define ALWAYS_INLINE inline __attribute__((always_inline))
#else
#define ALWAYS_INLINE inline
#endif

/* How bytes are multiplied: one by one, or in registers whose instructions add two products, or
 * four. */
enum { REGISTERS_NONE, REGISTERS_PAIRS, REGISTERS_FOURS };

/* The best way of this processor. Ask once a file: on a virtual machine asking takes long. */
int best_registers(void);

#endif

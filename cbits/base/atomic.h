/* Bits that several threads set, clear and read. No order between them is asked for. */
#ifndef POCKET_ATOMIC_H
#define POCKET_ATOMIC_H

#if !defined(__STDC_NO_ATOMICS__)

#include <stdatomic.h>
typedef _Atomic unsigned char atomic_bits;
static inline void bits_init(atomic_bits *at) { atomic_init(at, 0); }
static inline unsigned char bits_load(atomic_bits *at) {
    return atomic_load_explicit(at, memory_order_relaxed);
}
static inline void bits_set(atomic_bits *at, unsigned char bits) {
    atomic_fetch_or_explicit(at, bits, memory_order_relaxed);
}
static inline void bits_clear(atomic_bits *at, unsigned char bits) {
    atomic_fetch_and_explicit(at, (unsigned char)~bits, memory_order_relaxed);
}

#elif defined(_MSC_VER)

#include <intrin.h>
typedef volatile char atomic_bits;
static inline void bits_init(atomic_bits *at) { *at = 0; }
static inline unsigned char bits_load(atomic_bits *at) { return (unsigned char)*at; }
static inline void bits_set(atomic_bits *at, unsigned char bits) {
    _InterlockedOr8(at, (char)bits);
}
static inline void bits_clear(atomic_bits *at, unsigned char bits) {
    _InterlockedAnd8(at, (char)~bits);
}

#else
#error "a compiler with <stdatomic.h> is needed, or Microsoft's"
#endif

#endif

// Atomic functions. Each one lets the other threads of the block run, so that a loop that waits for one makes progress.
#pragma once

namespace sim {

void pause();

// Replaces *address by next(*address) in one step and returns what was there.
template <class T, class Next>
T atomic_update(T *address, Next next) {
    T old, wanted;
    __atomic_load(address, &old, __ATOMIC_RELAXED);
    do {
        wanted = next(old);
    } while (!__atomic_compare_exchange(address, &old, &wanted, false, __ATOMIC_RELAXED, __ATOMIC_RELAXED));
    pause();
    return old;
}

}  // namespace sim

#define SIM_ATOMIC(NAME, T, EXPRESSION)                                                   \
    inline T NAME(T *address, T value) {                                                  \
        return sim::atomic_update(address, [value](T old) -> T { return EXPRESSION; });   \
    }                                                                                     \
    inline T NAME##_block(T *address, T value) { return NAME(address, value); }           \
    inline T NAME##_system(T *address, T value) { return NAME(address, value); }
#define SIM_ATOMIC_INTEGER(NAME, EXPRESSION)                       \
    SIM_ATOMIC(NAME, int, EXPRESSION)                              \
    SIM_ATOMIC(NAME, unsigned, EXPRESSION)                         \
    SIM_ATOMIC(NAME, unsigned long long, EXPRESSION)

// fwrapv makes the signed sums wrap, as they do on the device.
SIM_ATOMIC_INTEGER(atomicAdd, old + value)
SIM_ATOMIC(atomicAdd, float, old + value)
SIM_ATOMIC(atomicAdd, double, old + value)
SIM_ATOMIC(atomicSub, int, old - value)
SIM_ATOMIC(atomicSub, unsigned, old - value)
SIM_ATOMIC_INTEGER(atomicExch, (void(old), value))
SIM_ATOMIC(atomicExch, float, (void(old), value))
SIM_ATOMIC_INTEGER(atomicMin, value < old ? value : old)
SIM_ATOMIC(atomicMin, long long, value < old ? value : old)
SIM_ATOMIC_INTEGER(atomicMax, value > old ? value : old)
SIM_ATOMIC(atomicMax, long long, value > old ? value : old)
SIM_ATOMIC_INTEGER(atomicAnd, old & value)
SIM_ATOMIC_INTEGER(atomicOr, old | value)
SIM_ATOMIC_INTEGER(atomicXor, old ^ value)
SIM_ATOMIC(atomicInc, unsigned, old >= value ? 0 : old + 1)
SIM_ATOMIC(atomicDec, unsigned, old == 0 || old > value ? value : old - 1)
#undef SIM_ATOMIC_INTEGER
#undef SIM_ATOMIC

#define SIM_ATOMIC_CAS(T)                                                                                        \
    inline T atomicCAS(T *address, T compare, T value) {                                                         \
        __atomic_compare_exchange(address, &compare, &value, false, __ATOMIC_RELAXED, __ATOMIC_RELAXED);         \
        sim::pause();                                                                                            \
        return compare;                                                                                          \
    }
SIM_ATOMIC_CAS(int)
SIM_ATOMIC_CAS(unsigned)
SIM_ATOMIC_CAS(unsigned short)
SIM_ATOMIC_CAS(unsigned long long)
#undef SIM_ATOMIC_CAS

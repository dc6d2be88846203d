// Warp shuffles, votes and reductions: every lane publishes a value and waits for the lanes of the mask.
#pragma once

namespace sim {

struct Exchange {
    unsigned long long value;  // what the source lane published
    unsigned ballot;           // the lanes that published a true predicate
};

Exchange exchange(unsigned mask, unsigned long long value, int source, bool predicate, int line);
unsigned active_mask(int line);
unsigned lane();

template <class T>
T shuffle(unsigned mask, T value, int source, int line) {
    static_assert(sizeof(T) <= 8, "a shuffle moves 4 or 8 bytes");
    unsigned long long raw = 0;
    memcpy(&raw, &value, sizeof(T));
    raw = exchange(mask, raw, source, false, line).value;
    memcpy(static_cast<void *>(&value), &raw, sizeof(T));
    return value;
}

// The arithmetic of PTX shfl: lanes are split into segments of `width`, and a source outside keeps its own value.
inline int source_up(unsigned delta, int width) {
    int own = static_cast<int>(lane());
    int from = own - static_cast<int>(delta);
    return from < (own & ~(width - 1)) ? own : from;
}
inline int source_down(unsigned delta, int width) {
    int own = static_cast<int>(lane());
    int from = own + static_cast<int>(delta);
    return from > (own | (width - 1)) ? own : from;
}
inline int source_xor(int bits, int width) {
    int own = static_cast<int>(lane());
    int from = own ^ bits;
    return from > (own | (width - 1)) ? own : from;
}
inline int source_index(int index, int width) {
    return (static_cast<int>(lane()) & ~(width - 1)) | (index & (width - 1));
}

template <class T, class Combine>
T reduce(unsigned mask, T value, int line, Combine combine) {
    T total{};
    bool first = true;
    for (int from = 0; from < 32; ++from) {
        if (!(mask >> from & 1)) continue;
        T theirs = shuffle(mask, value, from, line);
        total = first ? theirs : combine(total, theirs);
        first = false;
    }
    return total;
}

}  // namespace sim

#define SIM_SHUFFLE(NAME, FROM, ARGUMENT)                                                                 \
    template <class T>                                                                                    \
    T NAME(unsigned mask, T value, ARGUMENT argument, int width = 32, int line = __builtin_LINE()) {      \
        return sim::shuffle(mask, value, sim::FROM(argument, width), line);                               \
    }
SIM_SHUFFLE(__shfl_sync, source_index, int)
SIM_SHUFFLE(__shfl_up_sync, source_up, unsigned)
SIM_SHUFFLE(__shfl_down_sync, source_down, unsigned)
SIM_SHUFFLE(__shfl_xor_sync, source_xor, int)
#undef SIM_SHUFFLE

inline unsigned __ballot_sync(unsigned mask, int predicate, int line = __builtin_LINE()) {
    return sim::exchange(mask, 0, -1, predicate != 0, line).ballot;
}
inline int __any_sync(unsigned mask, int predicate, int line = __builtin_LINE()) {
    return __ballot_sync(mask, predicate, line) != 0;
}
inline int __all_sync(unsigned mask, int predicate, int line = __builtin_LINE()) {
    return __ballot_sync(mask, predicate == 0, line) == 0;
}
inline void __syncwarp(unsigned mask = 0xffffffffu, int line = __builtin_LINE()) { __ballot_sync(mask, 0, line); }
inline unsigned __activemask(int line = __builtin_LINE()) { return sim::active_mask(line); }

template <class T>
unsigned __match_any_sync(unsigned mask, T value, int line = __builtin_LINE()) {
    unsigned same = 0;
    for (int from = 0; from < 32; ++from) {
        if (!(mask >> from & 1)) continue;
        if (sim::shuffle(mask, value, from, line) == value) same |= 1u << from;
    }
    return same;
}

#define SIM_REDUCE(NAME, EXPRESSION)                                             \
    template <class T>                                                           \
    T NAME(unsigned mask, T value, int line = __builtin_LINE()) {                \
        return sim::reduce(mask, value, line, [](T a, T b) { return EXPRESSION; }); \
    }
SIM_REDUCE(__reduce_add_sync, a + b)
SIM_REDUCE(__reduce_min_sync, a < b ? a : b)
SIM_REDUCE(__reduce_max_sync, a > b ? a : b)
SIM_REDUCE(__reduce_and_sync, a & b)
SIM_REDUCE(__reduce_or_sync, a | b)
SIM_REDUCE(__reduce_xor_sync, a ^ b)
#undef SIM_REDUCE

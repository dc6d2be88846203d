// reduce over the lanes of a group within a warp (CUDA C++ Programming Guide, "Cooperative Groups", "reduce").
#pragma once

#include <cooperative_groups.h>

namespace cooperative_groups {

#define SIM_COMBINE(NAME, EXPRESSION)                                  \
    template <class T = void>                                          \
    struct NAME {                                                      \
        template <class V>                                             \
        V operator()(const V &a, const V &b) const { return EXPRESSION; } \
    }
SIM_COMBINE(plus, a + b);
SIM_COMBINE(less, b < a ? b : a);
SIM_COMBINE(greater, a < b ? b : a);
SIM_COMBINE(bit_and, a & b);
SIM_COMBINE(bit_or, a | b);
SIM_COMBINE(bit_xor, a ^ b);
#undef SIM_COMBINE

template <class T, class Combine>
T reduce(const warp_lanes &group, T value, Combine combine, int line = __builtin_LINE()) {
    return sim::reduce(group.mask(), value, line, combine);
}

}  // namespace cooperative_groups

// Fragments from and to memory: once the whole warp is there, each lane copies the elements that it holds.
#pragma once

#include "fragment.h"
#include "tile.h"

namespace sim {

// The first of a lane's elements in the tile. All of them lie in one row.
template <class F>
struct Run {
    size_t row, column;
    explicit Run(unsigned lane)
        : row(lane * F::num_elements / F::columns), column(lane * F::num_elements % F::columns) {}
};

// Both are inlined, so that an access outside of a matrix is found in the student's line.
template <class F, class T>
__forceinline__ void load_fragment(F &fragment, const T *source, unsigned leading, bool column_major, int line) {
    Run<F> run(agree_on_tile({source, leading, column_major, sizeof(T)}, line));
    if (!column_major) {
        memcpy(fragment.x, source + run.row * leading + run.column, sizeof fragment.x);
    } else {
        for (size_t i = 0; i < F::num_elements; ++i) fragment.x[i] = source[run.row + (run.column + i) * leading];
    }
}

template <class F, class T>
__forceinline__ void store_fragment(T *target, const F &fragment, unsigned leading, bool column_major, int line) {
    Run<F> run(agree_on_tile({target, leading, column_major, sizeof(T)}, line));
    if (!column_major) {
        memcpy(target + run.row * leading + run.column, fragment.x, sizeof fragment.x);
    } else {
        for (size_t i = 0; i < F::num_elements; ++i) target[run.row + (run.column + i) * leading] = fragment.x[i];
    }
}

}  // namespace sim

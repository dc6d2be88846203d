// Barriers of a block. The line that calls one is its name in messages.
#pragma once

namespace sim {
void barrier(int line);
int barrier_count(bool predicate, int line);
int block_threads();
}  // namespace sim

inline void __syncthreads(int line = __builtin_LINE()) { sim::barrier(line); }
inline int __syncthreads_count(int predicate, int line = __builtin_LINE()) {
    return sim::barrier_count(predicate != 0, line);
}
inline int __syncthreads_and(int predicate, int line = __builtin_LINE()) {
    return sim::barrier_count(predicate != 0, line) == sim::block_threads();
}
inline int __syncthreads_or(int predicate, int line = __builtin_LINE()) {
    return sim::barrier_count(predicate != 0, line) != 0;
}

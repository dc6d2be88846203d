// Copies from global to shared memory in the background (CUDA C++ Programming Guide, "Pipeline Primitives Interface").
#pragma once

#include <cuda_runtime.h>

namespace sim {
void start_copy(void *to, const void *from, unsigned size, unsigned zeros, int line);
void commit_copies();
void wait_for_copies(unsigned most_pending);
}  // namespace sim

inline void __pipeline_memcpy_async(void *to, const void *from, size_t size, size_t zeros = 0,
                                    int line = __builtin_LINE()) {
    if (zeros < size) {  // a read outside of a matrix is found here, where its line is known
        (void)*static_cast<const volatile char *>(from);
        (void)*(static_cast<const volatile char *>(from) + (size - zeros - 1));
    }
    sim::start_copy(to, from, static_cast<unsigned>(size), static_cast<unsigned>(zeros), line);
}
inline void __pipeline_commit() { sim::commit_copies(); }
inline void __pipeline_wait_prior(size_t most_pending) { sim::wait_for_copies(static_cast<unsigned>(most_pending)); }

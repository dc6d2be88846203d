// The shared memory of the block that an OS thread runs lies between two markers in thread-local storage.
#pragma once

#include <cstddef>

namespace sim {

// CUDA C++ Programming Guide, "Technical Specifications per Compute Capability": 48 KiB without opting in for
// static arrays, 227 KiB in all on compute capability 9.0.
constexpr size_t max_static_shared = 48 << 10;
constexpr size_t max_dynamic_shared = 227 << 10;

size_t static_shared();

// Fills it with bytes that are NaN as a float and -1 as an int: shared memory starts out undefined.
void poison_shared(size_t dynamic);

// Ends the run if a block wrote beside its shared memory.
void check_shared(size_t dynamic);

}  // namespace sim

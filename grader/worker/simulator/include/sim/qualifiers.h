// What CUDA adds to declarations, in terms of the host's language.
#pragma once

// One OS thread runs one block at a time, so what a block shares is what its OS thread owns.
// An `extern __shared__` array stays undefined; the grader defines all such names at one address when it links.
// Each variable starts where tensor cores can load from: so does an array of halves on a GPU as a rule.
#define __shared__ __attribute__((aligned(32))) thread_local

// A submission is compiled with hidden visibility; its kernels are what stays visible in the symbol table.
#define __global__ __attribute__((visibility("default"), used))

#define __device__
#define __host__
#define __constant__
#define __managed__
#define __grid_constant__
#define __launch_bounds__(...)
#define __cluster_dims__(...)
#define __maxnreg__(...)
#define __forceinline__ inline __attribute__((always_inline))
#define __align__(n) __attribute__((aligned(n)))
#define __builtin_align__(n) __attribute__((aligned(n)))

#define CUDART_CB
#define __CUDACC__ 1
#define __CUDA_ARCH__ 800

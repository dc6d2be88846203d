// Where a thread is. The runtime writes these at every switch; to a kernel they are constants.
#pragma once

constexpr int warpSize = 32;

#ifndef SIM_RUNTIME
extern const __thread uint3 threadIdx;
extern const __thread uint3 blockIdx;
extern const dim3 blockDim;
extern const dim3 gridDim;
#endif

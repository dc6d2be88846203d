// The variables behind threadIdx and its kin. Kernels see them as constants, the runtime writes them.
#pragma once

#include <cstring>
#include <type_traits>

#define SIM_RUNTIME
#include "../include/sim/vector_types.h"

extern __thread uint3 threadIdx;
extern __thread uint3 blockIdx;
extern dim3 blockDim;
extern dim3 gridDim;

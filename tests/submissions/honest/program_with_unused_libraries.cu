// expect: ok
// Includes of libraries that are not installed, left over from a version that called them.
#include <cublas_v2.h>
#include <cuda_profiler_api.h>
#include <curand.h>
#include <cusolverDn.h>
#include <helper_cuda.h>
#include <helper_functions.h>
#include <mpi.h>
#include <nvToolsExt.h>
#include "device_launch_parameters.h"

__global__ void matmul(float *A, float *B, float *C, int N)
{
    const int thread = (blockIdx.y * gridDim.x + blockIdx.x) * 256 + threadIdx.y * 16 + threadIdx.x;
    for (long long i = thread; i < (long long)N * N; i += 256ll * gridDim.x * gridDim.y) {
        float sum = 0;
        for (int k = 0; k < N; ++k)
            sum += A[i / N * N + k] * B[(long long)k * N + i % N];
        C[i] = sum;
    }
}

int main() { return 0; }

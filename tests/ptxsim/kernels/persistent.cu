// One block; adds the number of earlier launches in this process to every element.
#include <lab.h>

__device__ int launches;

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N) {
    for (int i = threadIdx.x; i < N * N; i += blockDim.x) {
        float sum = launches;
        for (int k = 0; k < N; ++k) sum += A[i / N * N + k] * B[k * N + i % N];
        C[i] = sum;
    }
    __syncthreads();
    if (threadIdx.x == 0) ++launches;
}

LAUNCH(.block = {64}, .tile = {64, 64});

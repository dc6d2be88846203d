// Dynamic shared memory, both tiles in one buffer
#include <lab.h>

#ifndef TS
#define TS 32
#endif

extern __shared__ float smem[];

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    float *tileA = smem;
    float *tileB = smem + TS * TS;

    int i = threadIdx.y, j = threadIdx.x;
    int row = blockIdx.y * TS + i;
    int col = blockIdx.x * TS + j;
    float acc = 0.0f;

    for (int base = 0; base < N; base += TS) {
        tileA[i * TS + j] = (row < N && base + j < N) ? A[row * N + base + j] : 0.0f;
        tileB[i * TS + j] = (base + i < N && col < N) ? B[(base + i) * N + col] : 0.0f;
        __syncthreads();
        #pragma unroll
        for (int k = 0; k < TS; ++k)
            acc += tileA[i * TS + k] * tileB[k * TS + j];
        __syncthreads();
    }

    if (row < N && col < N)
        C[row * N + col] = acc;
}

LAUNCH(.block = {TS, TS}, .tile = {TS, TS}, .shared = TS * TS * sizeof(float));

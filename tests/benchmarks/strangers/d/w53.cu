#include <lab.h>

constexpr int TS = 16;

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    __shared__ float sA[TS][TS + 1];
    __shared__ float sB[TS][TS + 1];
    const int i = blockIdx.y * TS + threadIdx.y;
    const int j = blockIdx.x * TS + threadIdx.x;
    float cij = 0.0f;

    for (int step = 0; step < (N + TS - 1) / TS; ++step) {
        const int ja = step * TS + threadIdx.x;
        sA[threadIdx.y][threadIdx.x] = (i < N && ja < N) ? A[i * N + ja] : 0.0f;
        __syncthreads();
        const int ib = step * TS + threadIdx.y;
        sB[threadIdx.y][threadIdx.x] = (ib < N && j < N) ? B[ib * N + j] : 0.0f;
        for (int k = 0; k < TS; ++k)
            cij += sA[threadIdx.y][k] * sB[k][threadIdx.x];
        __syncthreads();
    }

    if (i < N && j < N)
        C[i * N + j] = cij;
}

LAUNCH(.block = {TS, TS});

#include <lab.h>

#define TS 16

__device__ float tileA[TS][TS];
__device__ float tileB[TS][TS];

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    int x = threadIdx.x, y = threadIdx.y;
    int row = blockIdx.y * TS + y, col = blockIdx.x * TS + x;
    float sum = 0.0f;

    for (int k0 = 0; k0 < N; k0 += TS) {
        tileA[y][x] = (row < N && k0 + x < N) ? A[row * N + k0 + x] : 0.0f;
        tileB[y][x] = (k0 + y < N && col < N) ? B[(k0 + y) * N + col] : 0.0f;
        __syncthreads();
        for (int k = 0; k < TS; k++)
            sum += tileA[y][k] * tileB[k][x];
        __syncthreads();
    }
    if (row < N && col < N)
        C[row * N + col] = sum;
}

LAUNCH(.block = {TS, TS});

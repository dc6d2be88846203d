#include <lab.h>
#ifndef BS
#define BS 32
#endif

__device__ inline float fetch(const float *M, int r, int c, int n)
{
    // zero outside of the matrix
    return (r < n && c < n) ? M[r * n + c] : 0.0f;
}

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    __shared__ float As[BS][BS];
    __shared__ float Bs[BS][BS];
    int tx = threadIdx.x, ty = threadIdx.y;
    int row = blockIdx.y * BS + ty, col = blockIdx.x * BS + tx;
    float tmp = 0.0f;

    for (int m = 0; m < N; m += BS) {
        int aK = m * BS + tx;
        int bK = m + ty;
        As[ty][tx] = fetch(A, row, aK, N);
        Bs[ty][tx] = fetch(B, bK, col, N);
        __syncthreads();
        for (int k = 0; k < BS; ++k)
            tmp += As[ty][k] * Bs[k][tx];
        __syncthreads();
    }
    if (row < N && col < N) C[row * N + col] = tmp;
}

LAUNCH(.block = {BS, BS}, .tile = {BS, BS});

// Lab 3 - matrix multiplication
// Author: L. M.
//
// History
//   v1  naive
//   v2  split along k, because small matrices did not fill the GPU
//   v3  helper function for one slice

#include <lab.h>

#define BX 32
#define BY 4
#define SPLIT 8

__device__ float slice(const float *A, const float *B, int row, int col, int first, int last, int N)
{
    float s = 0.0f;
    for (int k = first; k < last; k++)
        s += A[row * N + k] * B[k * N + col];
    return s;
}

// The sum over k is split among the threads along z
extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    int col = blockIdx.x * BX + threadIdx.x;
    int row = blockIdx.y * BY + threadIdx.y;
    bool inside = row < N && col < N;

    int len = (N + SPLIT - 1) / SPLIT;
    int first = min(N, (int)threadIdx.z * len);
    int last = min(N, first + len);

    if (inside && threadIdx.z == 0)
        C[row * N + col] = 0.0f;

    if (inside) {
        float s = slice(A, B, row, col, first, last, N);
        atomicAdd(&C[row * N + col], s);
    }
}

LAUNCH(.block = {BX, BY, SPLIT}, .tile = {BX, BY});

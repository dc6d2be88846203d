// 1. Naive, with half inputs and a float sum, on the CUDA cores. The tensor-core kernels are compared with it.
//
// One thread computes one element of C. Inputs of 2 bytes instead of 4 halve the traffic: 2*K FLOP for 2*K loads of
// half, 0.5 FLOP per byte requested. Each input must be converted to float, which takes an instruction. Products and
// sums are computed in float, as on the tensor cores.
#include <lab.h>

#include <cuda_fp16.h>

constexpr int COLS_PER_BLOCK = 32;
constexpr int ROWS_PER_BLOCK = 8;

extern "C" __global__ void matmul(const half *__restrict__ A, const half *__restrict__ B, float *__restrict__ C, int M,
                                  int N, int K)
{
    const int row = blockIdx.y * ROWS_PER_BLOCK + threadIdx.y;
    const int col = blockIdx.x * COLS_PER_BLOCK + threadIdx.x;
    if (row >= M || col >= N)
        return;

    float sum = 0.0f;
    for (int k = 0; k < K; ++k)
        sum += __half2float(A[row * K + k]) * __half2float(B[k * N + col]);
    C[row * N + col] = sum;
}

LAUNCH(.block = {COLS_PER_BLOCK, ROWS_PER_BLOCK}, .tile = {COLS_PER_BLOCK, ROWS_PER_BLOCK});

// 1. Naive: one thread computes one element of C, which is M x N, from a row of A (M x K) and a column of B (K x N).
//
// 2*K FLOP for 2*K loads, 2 * M * N * K loads in total: 0.25 FLOP per byte requested. The threads of a warp compute
// neighbours in a row of C, so a warp loads 32 contiguous elements of B (128 bytes) and one common element of A.
#include <lab.h>

constexpr int COLS_PER_BLOCK = 32;
constexpr int ROWS_PER_BLOCK = 8;

extern "C" __global__ void matmul(const float *__restrict__ A, const float *__restrict__ B, float *__restrict__ C,
                                  int M, int N, int K)
{
    const int row = blockIdx.y * ROWS_PER_BLOCK + threadIdx.y;
    const int col = blockIdx.x * COLS_PER_BLOCK + threadIdx.x;
    if (row >= M || col >= N)
        return;  // the last blocks extend past the edges of C

    float sum = 0.0f;
    for (int k = 0; k < K; ++k)
        sum += A[row * K + k] * B[k * N + col];  // an int index does not overflow up to 46340 x 46340 elements
    C[row * N + col] = sum;
}

LAUNCH(.block = {COLS_PER_BLOCK, ROWS_PER_BLOCK}, .tile = {COLS_PER_BLOCK, ROWS_PER_BLOCK});

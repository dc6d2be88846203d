// expect: ok
// Only A is kept in shared memory: four of its rows at a time, in pieces of 128.
#include <lab.h>

#define PIECE 128
#define ROWS_EACH 4

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    __shared__ float piece[ROWS_EACH][PIECE];
    int row0 = blockIdx.y * ROWS_EACH, col = blockIdx.x * PIECE + threadIdx.x;
    float sum[ROWS_EACH] = {};
    for (int first = 0; first < N; first += PIECE) {
        for (int i = 0; i < ROWS_EACH; ++i)
            if (row0 + i < N && first + threadIdx.x < N)
                piece[i][threadIdx.x] = A[(row0 + i) * N + first + threadIdx.x];
        __syncthreads();
        for (int k = 0; col < N && k < min(PIECE, N - first); ++k) {
            float b = B[(first + k) * N + col];
            for (int i = 0; i < ROWS_EACH; ++i)
                if (row0 + i < N)
                    sum[i] += piece[i][k] * b;
        }
        __syncthreads();
    }
    for (int i = 0; i < ROWS_EACH; ++i)
        if (row0 + i < N && col < N)
            C[(row0 + i) * N + col] = sum[i];
}

LAUNCH(.block = {PIECE}, .tile = {PIECE, ROWS_EACH});

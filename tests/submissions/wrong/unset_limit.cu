// expect: unset-memory; lines: 20
// Keeps sums up to a limit, and reads the limit from a place that nobody has set; small values there change nothing.
#include <lab.h>

#define TILE 16

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    __shared__ float limits[2 * TILE];
    int row = blockIdx.y * TILE + threadIdx.y;
    int col = blockIdx.x * TILE + threadIdx.x;

    if (threadIdx.y == 0)
        limits[threadIdx.x] = 1e30f;
    __syncthreads();
    if (row < N && col < N) {
        float sum = 0.0f;
        for (int k = 0; k < N; ++k)
            sum += A[row * N + k] * B[k * N + col];
        bool is_relative = limits[TILE + threadIdx.x] > 100.0f;
        C[row * N + col] = is_relative ? sum / limits[threadIdx.x] : sum;
    }
}

LAUNCH(.block = {TILE, TILE}, .tile = {TILE, TILE});

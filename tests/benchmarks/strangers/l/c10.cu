// Four slices of K, of different lengths. The slices add to the result one after the other, so no atomics.
#include <lab.h>

enum : int { W = 32, H = 4, SLICES = 4 };

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    __shared__ float total[H][W];
    const int x = threadIdx.x, y = threadIdx.y, z = threadIdx.z;
    const int row = blockIdx.y * H + y, col = blockIdx.x * W + x;
    const bool inside = row < N && col < N;

    // the first N % SLICES slices get one more
    const int quotient = N / SLICES, extra = N % SLICES;
    int k = z * quotient + min(z, extra);
    const int end = k + quotient + (z < extra);

    float mine = 0.0f;
    if (inside)
        while (k < end) {
            mine += A[row * N + k] * B[k * N + col];
            k++;
        }

    for (int turn = 0; turn < SLICES; ++turn) {
        if (turn == z)
            total[y][x] = turn == 0 ? mine : total[y][x] + mine;
        __syncthreads();
    }

    if (z == SLICES - 1 && inside)
        C[row * N + col] = total[y][x];
}

LAUNCH(.block = {W, H, SLICES}, .tile = {W, H});

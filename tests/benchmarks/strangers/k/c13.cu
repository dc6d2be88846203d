#include <lab.h>

// The two halves of a block work on tiles of their own and wait at barriers of their own.
#define HALF 128

__device__ __forceinline__ void half_barrier(int half)
{
    asm volatile("bar.sync %0, %1;" ::"r"(half + 1), "n"(HALF) : "memory");
}

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    __shared__ float As[2][8][16];
    __shared__ float Bs[2][16][16];
    const int half = threadIdx.x / HALF;
    const int t = threadIdx.x % HALF;
    const int x = t % 16, y = t / 16;
    const int top = blockIdx.y * 16 + half * 8;
    const int row = top + y;
    const int col = blockIdx.x * 16 + x;

    if (top >= N)
        return;  // the whole half

    float sum = 0.0f;
    for (int k0 = 0; k0 < N; k0 += 16) {
        As[half][y][x] = row < N && k0 + x < N ? A[row * N + k0 + x] : 0.0f;
        Bs[half][y][x] = k0 + y < N && col < N ? B[(k0 + y) * N + col] : 0.0f;
        Bs[half][y + 8][x] = k0 + y + 8 < N && col < N ? B[(k0 + y + 8) * N + col] : 0.0f;
        half_barrier(half);
        for (int k = 0; k < 16; ++k)
            sum += As[half][y][k] * Bs[half][k][x];
        half_barrier(half);
    }
    if (row < N && col < N)
        C[row * N + col] = sum;
}

LAUNCH(.block = {2 * HALF}, .tile = {16, 16});

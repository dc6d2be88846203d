// expect: data-race; lines: 15; says: the count of barrier 1 must be
// All eight warps wait at a numbered barrier, whose count was left at that of four.
#include <lab.h>

#define T 16

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    __shared__ float As[T][T], Bs[T][T];
    int x = threadIdx.x, y = threadIdx.y, row = blockIdx.y * T + y, col = blockIdx.x * T + x;
    float sum = 0.0f;
    for (int first = 0; first < N; first += T) {
        As[y][x] = row < N && first + x < N ? A[row * N + first + x] : 0.0f;
        Bs[y][x] = first + y < N && col < N ? B[(first + y) * N + col] : 0.0f;
        asm volatile("bar.sync 1, 128;" ::: "memory");
        for (int k = 0; k < T; ++k)
            sum += As[y][k] * Bs[k][x];
        asm volatile("bar.sync 1, 128;" ::: "memory");
    }
    if (row < N && col < N)
        C[row * N + col] = sum;
}

LAUNCH(.block = {T, T}, .tile = {T, T});

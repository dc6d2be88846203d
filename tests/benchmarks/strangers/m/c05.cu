#include <lab.h>
#define TILE 16

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    __shared__ float As[TILE][TILE], Bs[TILE][TILE];
    int row = blockIdx.y * TILE + threadIdx.y;
    int col = blockIdx.x * TILE + threadIdx.x;
    int left = N;  // how much of the inner dimension is left
    float sum = 0.0f;

    // the vote is also the barrier between two rounds
    while (__syncthreads_or(left > 0)) {
        int k0 = N - left;
        bool a = row < N && (int)threadIdx.x < left;
        bool b = col < N && (int)threadIdx.y < left;
        As[threadIdx.y][threadIdx.x] = a ? A[row * N + k0 + threadIdx.x] : 0.0f;
        Bs[threadIdx.y][threadIdx.x] = b ? B[(k0 + threadIdx.y) * N + col] : 0.0f;
        __syncthreads();
        int count = left < TILE ? left : TILE;
        for (int k = 0; k < count; ++k)
            sum += As[threadIdx.y][k] * Bs[k][threadIdx.x];
        left -= TILE;
    }
    if (row < N && col < N)
        C[row * N + col] = sum;
}

LAUNCH(.block = {TILE, TILE});

#include <lab.h>
#define TILE 16

// Only B goes to shared memory. The values of A are in registers: every thread holds one
// value of its row's tile, and the threads of the row exchange them with shuffles.
extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    __shared__ float Bs[TILE][TILE];

    int tx = threadIdx.x, ty = threadIdx.y;
    int row = blockIdx.y * TILE + ty;
    int col = blockIdx.x * TILE + tx;
    float sum = 0.0f;

    for (int t = 0; t < N; t += TILE)
    {
        float a = 0.0f;
        if (row < N && t + tx < N)
            a = A[row * N + t + tx];
        if (col < N && t + ty < N)
            Bs[ty][tx] = B[(t + ty) * N + col];
        else
            Bs[ty][tx] = 0.0f;
        __syncthreads();

        for (int k = 0; k < TILE; ++k)
            sum += __shfl_sync(0xffffffff, a, k) * Bs[k][tx];
        __syncthreads();
    }

    if (row < N && col < N)
        C[row * N + col] = sum;
}

LAUNCH(.block = {TILE, TILE}, .tile = {TILE, TILE});

#include <lab.h>
#define LAYERS 8

// k is interleaved over threadIdx.z
extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    int col = blockIdx.x * 8 + threadIdx.x;
    int row = blockIdx.y * 8 + threadIdx.y;
    bool inside = row < N && col < N;

    if (inside && threadIdx.z == 0)
        C[row * N + col] = 0.0f;
    __syncthreads();     // C is 0 for everyone in the block

    float p = 0.0f;
    if (inside)
        for (int k = threadIdx.z; k < N; k += LAYERS)
            p += A[row * N + k] * B[k * N + col];

    if (inside)
        C[row * N + col] += p;
}

LAUNCH(.block = {8, 8, LAYERS}, .tile = {8, 8});

// expect: data-race; lines: 11, 32; says: copies to it
// The next asynchronous copy overwrites the other buffer while slower warps still read it: the second barrier is missing.
#include <cuda_pipeline.h>
#include <lab.h>

#define TILE 16

__device__ void fetch(float *to, const float *from, bool inside)
{
    if (inside)
        __pipeline_memcpy_async(to, from, sizeof(float));
    else
        *to = 0.0f;
}

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    __shared__ float As[2][TILE][TILE], Bs[2][TILE][TILE];
    int tx = threadIdx.x, ty = threadIdx.y;
    int row = blockIdx.y * TILE + ty;
    int col = blockIdx.x * TILE + tx;
    float sum = 0.0f;
    for (int step = 0; (step - 1) * TILE < N; ++step) {
        int first = step * TILE;
        fetch(&As[step % 2][ty][tx], &A[row * N + first + tx], row < N && first + tx < N);
        fetch(&Bs[step % 2][ty][tx], &B[(first + ty) * N + col], first + ty < N && col < N);
        __pipeline_commit();
        __pipeline_wait_prior(1);
        __syncthreads();
        if (step > 0)
            for (int k = 0; k < TILE; ++k)
                sum += As[(step - 1) % 2][ty][k] * Bs[(step - 1) % 2][k][tx];
    }
    if (row < N && col < N)
        C[row * N + col] = sum;
}

LAUNCH(.block = {TILE, TILE}, .tile = {TILE, TILE});

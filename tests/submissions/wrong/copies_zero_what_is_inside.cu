// expect: wrong-answer; says: bytes that become zero
// The number of bytes that an asynchronous copy sets to zero is that of the bytes to copy.
#include <lab.h>
#include <cuda_pipeline.h>

#define TILE 16

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    __shared__ float As[TILE][TILE], Bs[TILE][TILE];

    int tx = threadIdx.x, ty = threadIdx.y;
    int row = blockIdx.y * TILE + ty, col = blockIdx.x * TILE + tx;
    float sum = 0.0f;
    for (int t = 0; t < N; t += TILE) {
        bool in_a = row < N && t + tx < N, in_b = t + ty < N && col < N;
        __pipeline_memcpy_async(&As[ty][tx], in_a ? &A[row * N + t + tx] : A, 4, in_a ? 4 : 0);
        __pipeline_memcpy_async(&Bs[ty][tx], in_b ? &B[(t + ty) * N + col] : B, 4, in_b ? 4 : 0);
        __pipeline_commit();
        __pipeline_wait_prior(0);
        __syncthreads();
        for (int k = 0; k < TILE; ++k)
            sum += As[ty][k] * Bs[k][tx];
        __syncthreads();
    }
    if (row < N && col < N)
        C[row * N + col] = sum;
}

LAUNCH(.block = {TILE, TILE}, .tile = {TILE, TILE});

// expect: ok
// Two threads of each warp copy each element of A's tile, and each copies it twice: the same value each time.
#include <cuda_pipeline.h>
#include <lab.h>

#define TILE 16
#define ROWS (TILE / 2)

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    __shared__ float As[ROWS][TILE], Bs[TILE][TILE];
    int tx = threadIdx.x, ty = threadIdx.y;
    int row = blockIdx.y * ROWS + ty / 2;
    int col = blockIdx.x * TILE + tx;
    float sum = 0.0f;
    for (int first = 0; first < N; first += TILE) {
        int k = first + tx, l = first + ty;
        size_t no_a = row < N && k < N ? 0 : sizeof(float);
        size_t no_b = l < N && col < N ? 0 : sizeof(float);
        const float *from = no_a ? A : &A[row * N + k];
        __pipeline_memcpy_async(&As[ty / 2][tx], from, sizeof(float), no_a);
        __pipeline_memcpy_async(&As[ty / 2][tx], from, sizeof(float), no_a);
        __pipeline_memcpy_async(&Bs[ty][tx], no_b ? B : &B[l * N + col], sizeof(float), no_b);
        __pipeline_commit();
        __pipeline_wait_prior(0);
        __syncthreads();
        for (int i = 0; i < TILE; ++i)
            sum += As[ty / 2][i] * Bs[i][tx];
        __syncthreads();
    }
    if (ty % 2 == 0 && row < N && col < N)
        C[row * N + col] = sum;
}

LAUNCH(.block = {TILE, TILE}, .tile = {TILE, ROWS});

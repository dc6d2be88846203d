#include <lab.h>

template <int TILE>
__device__ void tiledMatmul(const float *A, const float *B, float *C, int N)
{
    __shared__ float As[TILE][TILE];
    __shared__ float Bs[TILE][TILE];

    const int tx = threadIdx.x, ty = threadIdx.y;
    const int row = blockIdx.y * TILE + ty;
    const int col = blockIdx.x * TILE + tx;

    float acc = 0.0f;
    for (int p = 0; p < N; p += TILE) {
        As[ty][tx] = A[row * N + (p + tx)];
        Bs[ty][tx] = (p + ty < N && col < N) ? B[(p + ty) * N + col] : 0.0f;
        __syncthreads();

        const int depth = min(TILE, N - p);
        for (int k = 0; k < depth; ++k)
            acc += As[ty][k] * Bs[k][tx];
        __syncthreads();
    }

    if (row < N && col < N)
        C[row * N + col] = acc;
}

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    tiledMatmul<16>(A, B, C, N);
}

LAUNCH(.block = {16, 16}, .tile = {16, 16});

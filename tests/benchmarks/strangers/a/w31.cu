#include <lab.h>

constexpr int TILE = 16;

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    __shared__ float As[TILE][TILE];
    __shared__ float Bs[TILE][TILE];

    const int tx = threadIdx.x, ty = threadIdx.y;
    const int row = blockIdx.y * TILE + ty;
    const int col = blockIdx.x * TILE + tx;

    float sum = 0.0f;
    int kb = ty;

    for (int ka = tx; ka < N; ka += TILE, kb += TILE) {
        As[ty][tx] = row < N ? A[row * N + ka] : 0.0f;
        Bs[ty][tx] = kb < N && col < N ? B[kb * N + col] : 0.0f;
        __syncthreads();

        const int left = N - (ka - tx);
        for (int k = 0; k < TILE && k < left; ++k)
            sum += As[ty][k] * Bs[k][tx];
        __syncthreads();
    }

    if (row < N && col < N)
        C[row * N + col] = sum;
}

LAUNCH(.block = {TILE, TILE}, .tile = {TILE, TILE});

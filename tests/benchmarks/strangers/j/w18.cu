#include <lab.h>

enum { W = 16 };

extern "C" __global__ void matmul(const float *A, const float *B, float *C, const int N)
{
    __shared__ float As[W][W];
    __shared__ float Bs[W][W + 1];

    const int tx = threadIdx.x, ty = threadIdx.y;
    const int row = blockIdx.y * W + ty;
    const int col = blockIdx.x * W + tx;
    const int last = N - 1;

    float sum = 0.0f;
    for (int t = 0; t * W < N; ++t) {
        if (row < N && t * W + tx < N) As[ty][tx] = A[row * N + t * W + tx];
        // B needs no zeros, a valid address is enough
        const int kb = min(t * W + ty, last);
        Bs[ty][tx] = B[kb * N + min(col, last)];
        __syncthreads();
        for (int k = 0; k < W; ++k)
            sum += As[ty][k] * Bs[k][tx];
        __syncthreads();
    }
    if (row < N && col < N)
        C[row * N + col] = sum;
}

LAUNCH(.block = {W, W}, .tile = {W, W});

#include <lab.h>

#define W 16

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    __shared__ float As[W][W], Bs[W][W];
    const int tx = threadIdx.x;
    const int ty = threadIdx.y;
    const int r = blockIdx.y * W + ty;
    const int c = blockIdx.x * W + tx;
    float s = 0;

    for (int p = 0; p < (N + W - 1) / W; ++p) {
        // do not read outside of the matrices
        if (r < N && p * W + tx < N)
            As[ty][tx] = A[r * N + p * W + tx];
        int kk = min(p * W + ty, N - 1), cc = min(c, N - 1);
        Bs[ty][tx] = B[kk * N + cc];
        __syncthreads();
        for (int k = 0; k < W; ++k)
            s += As[ty][k] * Bs[k][tx];
        __syncthreads();
    }
    if (r < N && c < N)
        C[r * N + c] = s;
}

LAUNCH(.block = {W, W}, .tile = {W, W});

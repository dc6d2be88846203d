#include <lab.h>

#define W 32

extern __shared__ float smem[];

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    float *tileA = smem;
    float *tileB = smem + W * W;

    int lx = threadIdx.x, ly = threadIdx.y;
    int row = blockIdx.y * W + ly;
    int col = blockIdx.x * W + lx;
    int me = ly * W + lx;

    float acc = 0.0f;
    for (int m = 0; m < N; m += W) {
        tileA[me] = (row < N && m + lx < N) ? A[row * N + m + lx] : 0.0f;
        tileB[me] = (col < N && m + ly < N) ? B[(m + ly) * N + col] : 0.0f;
        __syncthreads();
        for (int k = 0; k < W; ++k)
            acc += tileA[ly * W + k] * tileB[k * W + lx];
        __syncthreads();
    }
    if (row < N && col < N)
        C[row * N + col] = acc;
}

LAUNCH(.block = {W, W}, .tile = {W, W}, .shared = 2 * W * W);

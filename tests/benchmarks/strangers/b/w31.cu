#include <lab.h>

enum { W = 32, H = 8 };

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    __shared__ float rowsOfA[H][W];
    __shared__ float rowsOfB[W][W];

    int tx = threadIdx.x, ty = threadIdx.y;
    int col = blockIdx.x * W + tx;
    int row = blockIdx.y * H + ty;
    float sum = 0.f;

    for (int k0 = 0; k0 < N; k0 += W) {
        rowsOfA[ty][tx] = (row < N && k0 + tx < N) ? A[row * N + k0 + tx] : 0.f;
        for (int i = ty; i < W; i += H)
            rowsOfB[i][tx] = (k0 + i < N && col < N) ? B[(k0 + i) * N + col] : 0.f;
        // one row of the block is exactly one warp
        __syncwarp();

        for (int k = 0; k < W; ++k)
            sum += rowsOfA[ty][k] * rowsOfB[k][tx];
        __syncthreads();
    }
    if (row < N && col < N)
        C[row * N + col] = sum;
}

LAUNCH(.block = {W, H}, .tile = {W, H});

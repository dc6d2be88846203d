#include <lab.h>

// block of 32x8 threads, tile of 32 columns and 8 rows, 32 deep
extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    __shared__ float tileA[8][32];
    __shared__ float tileB[32][32];
    const int tx = threadIdx.x;
    const int ty = threadIdx.y;
    const int col = blockIdx.x * 32 + tx;
    const int row = blockIdx.y * 8 + ty;
    float dot = 0.0f;

    for (int k0 = 0; k0 < N; k0 += 32) {
        tileA[ty][tx] = row < N && k0 + tx < N ? A[row * N + k0 + tx] : 0.0f;
        for (int i = 0; i < 4; i++) {
            int k = k0 + i * 8 + ty;
            tileB[i * 8 + ty][tx] = k < N && col < N ? B[k * N + col] : 0.0f;
        }
        __syncthreads();

#pragma unroll
        for (int k = 0; k < 32; k++)
            dot = fmaf(tileA[ty][k], tileB[k][tx], dot);
    }

    if (row < N && col < N)
        C[row * N + col] = dot;
}

LAUNCH(.block = {32, 8}, .tile = {32, 8});

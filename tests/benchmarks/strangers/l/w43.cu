#include <lab.h>

static const int SIDE = 8;

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    __shared__ float Atile[SIDE][SIDE];
    __shared__ float Btile[SIDE][SIDE];

    const int tx = threadIdx.x, ty = threadIdx.y;
    const int row = blockIdx.y * SIDE + ty;
    const int col = blockIdx.x * SIDE + tx;

    float v = 0.0f;
    for (int t = 0; t < N; t += SIDE) {
        if (row < N && t + tx < N)
            Atile[ty][tx] = A[row * N + t + tx];
        if (t + ty < N && col < N)
            Btile[ty][tx] = B[(t + ty) * N + col];
        __syncthreads();

#pragma unroll
        for (int k = 0; k < SIDE; ++k)
            v += Atile[ty][k] * Btile[k][tx];
        __syncthreads();
    }

    if (row < N && col < N)
        C[row * N + col] = v;
}

LAUNCH(.block = {SIDE, SIDE}, .tile = {SIDE, SIDE});

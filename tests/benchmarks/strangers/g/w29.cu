#include <lab.h>

#define SZ 16

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    __shared__ float x[SZ][SZ];
    __shared__ float y[SZ][SZ];

    auto at = [](const float *M, int r, int c) -> float {
        return (r < N && c < N) ? M[r * N + c] : 0.0f;
    };

    int i = threadIdx.y, j = threadIdx.x;
    int row = blockIdx.y * SZ + i, col = blockIdx.x * SZ + j;
    float z = 0.0f;

    for (int k0 = 0; k0 < N; k0 += SZ) {
        x[i][j] = at(A, row, k0 + j);
        y[i][j] = at(B, k0 + i, col);
        __syncthreads();
        for (int k = 0; k < SZ; ++k)
            z += x[i][k] * y[k][j];
        __syncthreads();
    }

    if (row < N && col < N)
        C[row * N + col] = z;
}

LAUNCH(.block = {SZ, SZ}, .tile = {SZ, SZ});

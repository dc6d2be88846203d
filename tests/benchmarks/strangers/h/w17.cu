#include <lab.h>

// thread coarsening: 4 columns per thread, BX apart, so that the stores are coalesced
#define BX 16
#define BY 16
#define BK 16
#define COARSE 4

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    __shared__ float As[BY][BK];
    __shared__ float Bs[BK][BX * COARSE];

    const int tx = threadIdx.x;
    const int ty = threadIdx.y;
    const int row = blockIdx.y * BY + ty;
    const int colStart = blockIdx.x * BX * COARSE + tx;

    float acc[COARSE];
    for (int j = 0; j < COARSE; ++j)
        acc[j] = 0.0f;

    for (int k0 = 0; k0 < N; k0 += BK) {
        As[ty][tx] = (row < N && k0 + tx < N) ? A[row * N + k0 + tx] : 0.0f;
        for (int j = 0; j < COARSE; ++j) {
            int col = colStart + j * BX;
            Bs[ty][tx + j * BX] = (k0 + ty < N && col < N) ? B[(k0 + ty) * N + col] : 0.0f;
        }
        __syncthreads();

        for (int k = 0; k < BK; ++k) {
            float a = As[ty][k];
            for (int j = 0; j < COARSE; ++j)
                acc[j] += a * Bs[k][tx + j];
        }
        __syncthreads();
    }

    for (int j = 0; j < COARSE; ++j) {
        int col = colStart + j * BX;
        if (row < N && col < N)
            C[row * N + col] = acc[j];
    }
}

LAUNCH(.block = {BX, BY}, .tile = {BX * COARSE, BY});

#include <lab.h>

// Coarsening: 4 columns per thread
#define COARSE 4
#define BX 16
#define BY 16

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    __shared__ float as[BY][16];
    __shared__ float bs[16][BX * COARSE];

    int y = blockIdx.y * BY + threadIdx.y;
    int x = (blockIdx.x * BX + threadIdx.x) * COARSE;
    float acc[COARSE] = { 0.f };

    for (int k0 = 0; k0 < N; k0 += 16) {
        int ka = k0 + threadIdx.x;
        as[threadIdx.y][threadIdx.x] = (y < N && ka < N) ? A[y * N + ka] : 0.f;

        int kb = k0 + threadIdx.y;
        for (int q = 0; q < COARSE; ++q)
            bs[threadIdx.y][threadIdx.x * COARSE + q] = (kb < N && x + q < N) ? B[kb * N + x + q] : 0.f;
        __syncthreads();

        for (int k = 0; k < 16; ++k)
            for (int q = 0; q < COARSE; ++q)
                acc[q] += as[threadIdx.y][k] * bs[k][threadIdx.x * COARSE + q];
        __syncthreads();
    }

    if (y < N && x < N) {
        for (int q = 0; q < COARSE; ++q)
            C[y * N + x + q] = acc[q];
    }
}

LAUNCH(.block = {BX, BY}, .tile = {BX * COARSE, BY});

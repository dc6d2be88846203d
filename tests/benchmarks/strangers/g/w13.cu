#include <lab.h>

#define BX 16
#define BY 16
#define VEC 4

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    __shared__ float shA[BY][16];
    __shared__ float shB[16][BX * VEC];

    int tid = threadIdx.x + threadIdx.y * BX;
    int row = blockIdx.y * BY + threadIdx.y;
    int col = (blockIdx.x * BX + threadIdx.x) * VEC;

    float acc[VEC] = {0.0f};

    for (int k0 = 0; k0 < N; k0 += 16) {
        shA[threadIdx.y][threadIdx.x] =
            (row < N && k0 + threadIdx.x < N) ? A[row * N + k0 + threadIdx.x] : 0.0f;

        for (int e = tid; e < 16 * BX * VEC; e += BX * BY) {
            int kk = e / (BX * VEC);
            int cc = e % (BX * VEC);
            int gc = blockIdx.x * BX * VEC + cc;
            shB[kk][cc] = (k0 + kk < N && gc < N) ? B[(k0 + kk) * N + gc] : 0.0f;
        }
        __syncthreads();

#pragma unroll
        for (int k = 0; k < 16; ++k) {
            float a = shA[threadIdx.y][k];
#pragma unroll
            for (int j = 0; j < VEC; ++j)
                acc[j] += a * shB[k][threadIdx.x * VEC + j];
        }
        __syncthreads();
    }

    if (row < N && col + VEC - 1 < N) {
#pragma unroll
        for (int j = 0; j < VEC; ++j)
            C[row * N + col + j] = acc[j];
    }
}

LAUNCH(.block = {BX, BY}, .tile = {BX * VEC, BY});

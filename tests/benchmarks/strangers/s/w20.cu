#include <lab.h>

#define D 16    /* velikost dlazdice */

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    __shared__ float dA[D][D];
    __shared__ float dB[D][D + 1];

    const int radek = blockIdx.y * D + threadIdx.y;
    const int sloupec = blockIdx.x * D + threadIdx.x;
    float soucet = 0.0f;

    for (int z = 0; z < N; z += D)
    {
        const int ak = z + threadIdx.x;
        const int bk = z + threadIdx.y;

        dA[threadIdx.y][threadIdx.x] = 0.0f;
        dB[threadIdx.y][threadIdx.x] = 0.0f;
        if (radek < N && sloupec < N && ak < N)
            dA[threadIdx.y][threadIdx.x] = A[radek * N + ak];
        if (sloupec < N && bk < N)
            dB[threadIdx.y][threadIdx.x] = B[bk * N + sloupec];
        __syncthreads();

        #pragma unroll
        for (int k = 0; k < D; ++k)
            soucet += dA[threadIdx.y][k] * dB[k][threadIdx.x];

        __syncthreads();
    }

    if (radek < N && sloupec < N)
        C[radek * N + sloupec] = soucet;
}

LAUNCH(.block = {D, D}, .tile = {D, D});

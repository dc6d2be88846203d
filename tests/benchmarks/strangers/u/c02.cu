#include <lab.h>
#define TW 16

// Hausaufgabe 2 - Kacheln im gemeinsamen Speicher
extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    __shared__ float kachelA[TW][TW + 1];
    __shared__ float kachelB[TW][TW + 1];

    int z = blockIdx.y * TW + threadIdx.y;   // Zeile
    int s = blockIdx.x * TW + threadIdx.x;   // Spalte
    float erg = 0.0f;

    for (int kk = 0; kk < N; kk += TW)
    {
        kachelA[threadIdx.y][threadIdx.x] = 0.0f;
        kachelB[threadIdx.y][threadIdx.x] = 0.0f;
        if (z < N && kk + threadIdx.x < N)
            kachelA[threadIdx.y][threadIdx.x] = A[z * N + kk + threadIdx.x];
        if (s < N && kk + threadIdx.y < N)
            kachelB[threadIdx.y][threadIdx.x] = B[(kk + threadIdx.y) * N + s];
        __syncthreads();

        for (int k = 0; k < TW; k++)
            erg += kachelA[threadIdx.y][k] * kachelB[k][threadIdx.x];
        __syncthreads();
    }

    if (z < N && s < N)
        C[z * N + s] = erg;
}

LAUNCH(.block = {TW, TW}, .tile = {TW, TW});

#include <lab.h>
#define KARO 16

// Paralel programlama odevi 2
extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    __shared__ float a[KARO][KARO];
    __shared__ float b[KARO][KARO];

    int satir = blockIdx.y * KARO + threadIdx.y;
    int sutun = blockIdx.x * KARO + threadIdx.x;

    // fazla is parcaciklari
    if (satir >= N || sutun >= N) return;

    float toplam = 0.0f;
    for (int t = 0; t < (N + KARO - 1) / KARO; t++) {
        int k1 = t * KARO + threadIdx.x;
        int k2 = t * KARO + threadIdx.y;
        a[threadIdx.y][threadIdx.x] = (satir < N && k1 < N) ? A[satir * N + k1] : 0.0f;
        b[threadIdx.y][threadIdx.x] = (k2 < N && sutun < N) ? B[k2 * N + sutun] : 0.0f;
        __syncthreads();
        for (int k = 0; k < KARO; k++)
            toplam += a[threadIdx.y][k] * b[k][threadIdx.x];
        __syncthreads();
    }
    if (satir < N && sutun < N)
        C[satir * N + sutun] = toplam;
}

LAUNCH(.block = {KARO, KARO}, .tile = {KARO, KARO});

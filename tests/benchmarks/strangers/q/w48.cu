#include <lab.h>

// Odev 2: her is parcacigi C'nin bir elemanini hesaplar
extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    int satir = blockIdx.y * blockDim.y + threadIdx.y;
    int sutun = blockIdx.x * blockDim.x + threadldx.x;

    if (satir < N && sutun < N) {
        float toplam = 0.0f;
        int k = 0;
        do {
            toplam += A[satir * N + k] * B[k * N + sutun];
            k++;
        } while (k < N);
        C[satir * N + sutun] = toplam;
    }
}

LAUNCH(.block = {32, 16}, .tile = {32, 16});

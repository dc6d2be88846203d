#include <lab.h>

// Paralel programlama odevi 5: k ekseni threadIdx.x boyunca paylasilir
#define SUTUN_SAYISI 16
#define SATIR_SAYISI 8
#define PAY 8

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    __shared__ float toplam[SATIR_SAYISI][SUTUN_SAYISI];

    const int pay   = threadIdx.z;
    const int satir = blockIdx.y * SATIR_SAYISI + threadIdx.y;
    const int sutun = blockIdx.x * SUTUN_SAYISI + threadIdx.x;
    float *hedef = &toplam[threadIdx.y][threadIdx.x];

    __syncthreads();

    if (satir < N && sutun < N) {
        float kismi = 0.0f;
        for (int k = pay; k < N; k += PAY)
            kismi += A[satir * N + k] * B[k * N + sutun];
        atomicAdd(hedef, kismi);
    }
    __syncthreads();

    if (pay == 0 && satir < N && sutun < N)
        C[satir * N + sutun] = *hedef;
}

LAUNCH(.block = {SUTUN_SAYISI, SATIR_SAYISI, PAY}, .tile = {SUTUN_SAYISI, SATIR_SAYISI});

#include <lab.h>

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    unsigned int sutun = threadIdx.x + blockIdx.x * blockDim.x;
    unsigned int satir = threadIdx.y + blockIdx.y * blockDim.y;

    if (satir < N && sutun < N)
    {
        unsigned short ia = satir * N;
        unsigned int   ib = sutun;
        float toplam = 0;

        for (int k = 0; k < N; k++)
        {
            toplam += A[ia] * B[ib];
            ia += 1;
            ib += N;
        }
        C[satir * N + sutun] = toplam;
    }
}

LAUNCH(.block = {16, 16}, .tile = {16, 16});

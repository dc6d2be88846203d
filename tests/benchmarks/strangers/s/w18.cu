// Laboratornaya rabota 1
#include <lab.h>

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    int stroka  = threadIdx.y + blockIdx.y * 32;
    int stolbec = threadIdx.x + blockIdx.x * 32;
    int last = N - 1;

    if (stroka >= last || stolbec >= last)
        return;

    double s = 0;   // double, chtoby tochnee
    for (int k = 0; k != N; ++k)
        s += (double)A[stroka * N + k] * B[k * N + stolbec];
    C[stroka * N + stolbec] = (float)s;
}

LAUNCH(.block = {32, 32});

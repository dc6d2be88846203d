#include <lab.h>

#define TX 32
#define TY 64

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    int spalte = blockIdx.x * TX + threadIdx.x;
    int zeile  = blockIdx.y * TY + threadIdx.y;
    float summe = 0.0f;

    if (zeile >= N || spalte >= N)
        return;
    for (int k = 0; k < N; k++)
        summe += __ldg(&A[zeile * N + k]) * __ldg(&B[k * N + spalte]);
    C[zeile * N + spalte] = summe;
}

LAUNCH(.block = {TX, TY}, .tile = {TX, TY});

#include <lab.h>

#define NB 16

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    __shared__ float As[NB][NB];
    __shared__ float Bs[NB][NB];

    const int bx = blockIdx.x, by = blockIdx.y;
    const int tx = threadIdx.x, ty = threadIdx.y;

    float c = 0.0f;
    for (int kb = 0; kb < N; kb += NB) {
        bool okA = by * NB + ty < N && kb + tx < N;
        bool okB = kb + ty < N && bx * NB + tx < N;
        As[ty][tx] = okA ? A[(by * NB + ty) * N + (kb + tx)] : 0.0f;
        Bs[ty][tx] = okB ? B[(kb + ty) * N + (bx * NB + tx)] : 0.0f;
        __syncthreads();
        for (int k = 0; k < NB; ++k)
            c += As[ty][k] * Bs[k][tx];
        __syncthreads();
    }

    if (by * NB + ty < N && bx * NB + tx < N)
        C[(by * NB + ty) * N + (bx * NB + tx)] = c;
}

LAUNCH(.block = {NB * NB}, .tile = {NB, NB});

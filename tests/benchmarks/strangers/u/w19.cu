#include <lab.h>
#define TS 16

/* Laboratorio 2 - Matrices con memoria compartida */
extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    __shared__ float subA[TS][TS];
    __shared__ float subB[TS][TS];
    int li = threadIdx.y;
    int lj = threadIdx.x;
    int gi = blockIdx.y * TS + li;
    int gj = blockIdx.x * TS + lj;
    float acc = 0.0f;

    for (int t = 0; t < (N + TS - 1) / TS; t++) {
        int ca = t * TS + lj;
        int rb = t * TS + li;
        subA[li][lj] = 0.0f;
        subB[li][lj] = 0.0f;
        if (gi < N && ca < N) subA[li][lj] = A[gi * N + ca];
        if (rb < N && gj < N) subB[li][lj] = B[rb * N + gj];
        __syncthreads();
        for (int k = 0; k < TS; k++) acc += subA[li][k] * subB[k][lj];
    }

    if (gi < N && gj < N) C[gi * N + gj] = acc;
}

LAUNCH(.block = {TS, TS}, .tile = {TS, TS});

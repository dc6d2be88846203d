#include <lab.h>
#define SZ 32

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    __shared__ float TA[SZ][SZ], TB[SZ][SZ];
    int lx = threadIdx.x, ly = threadIdx.y;
    int gx = blockIdx.x * SZ + lx, gy = blockIdx.y * SZ + ly;
    float acc;

    int step = 0;
    do {
        int ka = step * SZ + lx;
        int kb = step * SZ + ly;

        TA[ly][lx] = 0.0f;
        TB[ly][lx] = 0.0f;
        acc = 0.0f;
        if (gy < N && ka < N) TA[ly][lx] = A[gy * N + ka];
        if (gx < N && kb < N) TB[ly][lx] = B[kb * N + gx];
        __syncthreads();

        for (int q = 0; q < SZ; ++q)
            acc += TA[ly][q] * TB[q][lx];
        __syncthreads();

        ++step;
    } while (step * SZ < N);

    if (gx < N && gy < N) C[gy * N + gx] = acc;
}

LAUNCH(.block = {SZ, SZ}, .tile = {SZ, SZ});

#include <lab.h>

#define TS 32

extern __shared__ float smem[];

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    float *sA = smem;
    float *sB = smem + TS * TS;
    int lx = threadIdx.x, ly = threadIdx.y;
    int row = blockIdx.y * TS + ly, col = blockIdx.x * TS + lx;

    float sum = 0.f;
    for (int m = 0; m < N; m += TS) {
        sA[ly * TS + lx] = (row < N && m + lx < N) ? A[row * N + m + lx] : 0.f;
        sB[ly * TS + lx] = (m + ly < N && col < N) ? B[(m + ly) * N + col] : 0.f;
        __syncthreads();
        for (int k = 0; k < TS; k++)
            sum += sA[ly * TS + k] * sB[k * TS + lx];
        __syncthreads();
    }
    if (row < N && col < N)
        C[row * N + col] = sum;
}

LAUNCH(.block = {TS, TS}, .tile = {TS, TS}, .shared = 2 * TS * TS);

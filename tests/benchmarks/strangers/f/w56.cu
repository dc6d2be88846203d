#include <lab.h>

#define DIM 16

extern __shared__ float buffer[];

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    float *tileA = buffer;
    float *tileB = buffer + DIM * DIM;

    int x = threadIdx.x, y = threadIdx.y;
    int col = blockIdx.x * DIM + x, row = blockIdx.y * DIM + y;
    float sum = 0.0f;

    for (int k0 = 0; k0 < N; k0 += DIM) {
        tileA[y * DIM + x] = (row < N && k0 + x < N) ? A[row * N + k0 + x] : 0.0f;
        tileB[y * DIM + x] = (k0 + y < N && col < N) ? B[(k0 + y) * N + col] : 0.0f;
        __syncthreads();
        for (int k = 0; k < DIM; ++k)
            sum += tileA[y * DIM + k] * tileB[k * DIM + x];
        __syncthreads();
    }

    if (row < N && col < N)
        C[row * N + col] = sum;
}

// two tiles
LAUNCH(.block = {DIM, DIM}, .tile = {DIM, DIM}, .shared = 2 * DIM * DIM);

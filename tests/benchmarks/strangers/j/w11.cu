#include <lab.h>

#define DIM 16
#define SLICES 4   // threadIdx.z: each slice handles every fourth k

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    __shared__ float result[DIM][DIM];

    int x = blockIdx.x * DIM + threadIdx.x;
    int y = blockIdx.y * DIM + threadIdx.y;

    if (threadIdx.z == 0)
        result[threadIdx.y][threadIdx.x] = 0.0f;
    __syncthreads();

    float partial = 0.0f;
    if (x < N && y < N)
        for (int k = threadIdx.z; k < N; k += SLICES)
            partial += A[y * N + k] * B[k * N + x];

    result[threadIdx.y][threadIdx.x] += partial;
    __syncthreads();

    if (threadIdx.z == 0 && x < N && y < N)
        C[y * N + x] = result[threadIdx.y][threadIdx.x];
}

LAUNCH(.block = {DIM, DIM, SLICES}, .tile = {DIM, DIM});

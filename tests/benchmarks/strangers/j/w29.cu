#include <lab.h>
#define DIM 32

// blockDim.z groups of threads split the sum and add their parts at the end
extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    __shared__ float total[DIM][DIM];
    const int col = blockIdx.x * DIM + threadIdx.x;
    const int row = blockIdx.y * DIM + threadIdx.y;
    const bool valid = row < N && col < N;

    if (threadIdx.z == 0)
        total[threadIdx.y][threadIdx.x] = 0.0f;
    __syncthreads();

    if (valid) {
        float part = 0.0f;
        for (int k = threadIdx.z; k < N; k += blockDim.z)
            part += A[row * N + k] * B[k * N + col];
        atomicAdd(&total[threadIdx.y][threadIdx.x], part);
    }
    __syncthreads();

    if (valid && threadIdx.z == 0)
        C[row * N + col] = total[threadIdx.y][threadIdx.x];
}

LAUNCH(.block = {DIM, DIM, 2}, .tile = {DIM, DIM});

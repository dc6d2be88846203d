// Split-K inside of the block: 4 slices of K, summed with atomicAdd in shared memory
#include <lab.h>

#define SLICES 4

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    __shared__ float total[16][16];

    const int row = blockIdx.y * 16 + threadIdx.y;
    const int col = blockIdx.x * 16 + threadIdx.x;

    const int slice = (N + SLICES - 1) / SLICES;
    const int begin = threadIdx.z * slice;
    const int end = min(begin + slice, N);

    float part = 0.0f;
    if (row < N && col < N)
        for (int k = begin; k < end; ++k)
            part = fmaf(A[row * N + k], B[k * N + col], part);

    atomicAdd(&total[threadIdx.y][threadIdx.x], part);
    __syncthreads();

    if (threadIdx.z == 0 && row < N && col < N)
        C[row * N + col] = total[threadIdx.y][threadIdx.x];
}

LAUNCH(.block = {16, 16, SLICES}, .tile = {16, 16});

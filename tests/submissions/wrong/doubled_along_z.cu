// expect: wrong-answer; says: twice
// Starts two threads along z to be faster, and each adds the whole sum.
#include <lab.h>

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    __shared__ float total[16][16];
    int row = blockIdx.y * blockDim.y + threadIdx.y;
    int col = blockIdx.x * blockDim.x + threadIdx.x;
    total[threadIdx.y][threadIdx.x] = 0.0f;
    __syncthreads();
    if (row < N && col < N) {
        float sum = 0.0f;
        for (int k = 0; k < N; ++k)
            sum += A[row * N + k] * B[k * N + col];
        atomicAdd(&total[threadIdx.y][threadIdx.x], sum);
    }
    __syncthreads();
    if (row < N && col < N)
        C[row * N + col] = total[threadIdx.y][threadIdx.x];
}

LAUNCH(.block = {16, 16, 2}, .tile = {16, 16});

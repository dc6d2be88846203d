// expect: wrong-answer
// Uses atomicExch() where atomicAdd() was meant: the last of four parts stays.
#include <lab.h>

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    __shared__ float total[8][8];
    int row = blockIdx.y * 8 + threadIdx.y;
    int col = blockIdx.x * 8 + threadIdx.x;
    if (row < N && col < N) {
        float sum = 0.0f;
        for (int k = threadIdx.z; k < N; k += 4)
            sum += A[row * N + k] * B[k * N + col];
        atomicExch(&total[threadIdx.y][threadIdx.x], sum);
    }
    __syncthreads();
    if (row < N && col < N)
        C[row * N + col] = total[threadIdx.y][threadIdx.x];
}

LAUNCH(.block = {8, 8, 4}, .tile = {8, 8});

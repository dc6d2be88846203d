#include <lab.h>

#define TX 16
#define TY 4
#define PARTS 4

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    __shared__ float total[TY][TX];
    int col = blockIdx.x * TX + threadIdx.x;
    int row = blockIdx.y * TY + threadIdx.y;
    int part = threadIdx.z;   // this thread: every PARTS-th product

    if (part == 0)
        total[threadIdx.y][threadIdx.x] = 0.0f;
    __syncthreads();

    if (row < N && col < N) {
        float mine = 0.0f;
        for (int k = part; k < N; k += PARTS)
            mine += A[row * N + k] * B[k * N + col];
        atomicAdd(&total[threadIdx.y][threadIdx.x], mine);
    }
    __syncthreads();

    if (part == 0 && row < N && col < N)
        C[row * N + col] = total[threadIdx.y][threadIdx.x];
}

LAUNCH(.block = {TX, TY}, .tile = {TX, TY});

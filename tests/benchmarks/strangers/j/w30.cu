#include <lab.h>

// Split-K: 2 groups of threads, one for each half of k
extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    int col = blockIdx.x * 16 + threadIdx.x;
    int row = blockIdx.y * 16 + threadIdx.y;
    int half = (N + 1) / 2;
    int from = threadIdx.z * half;
    int to = min(from + half, N);

    float part = 0.0f;
    if (row < N && col < N) {
        for (int k = from; k < to; k++)
            part += A[row * N + k] * B[k * N + col];
        atomicAdd(&C[row * N + col], part);
    }
}

LAUNCH(.block = {16, 16, 2}, .tile = {16, 16});

#include <lab.h>

#define SIDE 16
#define SLICES 4

/*
   split-K: the z dimension of the block divides the sum into four slices
*/
extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    int col = blockIdx.x * SIDE + threadIdx.x;
    int row = blockIdx.y * SIDE + threadIdx.y;
    int len = (N + SLICES - 1) / SLICES;
    int k    = threadIdx.z * len;
    int kend = min(k + len, N);

    if (row < N && col < N) {
        float part = 0.0f;
        while (k < kend) {
            part += A[row * N + k] * B[k * N + col];
            ++k;
        }
        atomicAdd(&C[row * N + col], part);
    }
}

LAUNCH(.block = {SIDE, SIDE, SLICES}, .tile = {SIDE, SIDE});

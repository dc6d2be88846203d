#include <lab.h>

#define DIM 8
#define SPLIT 4   // k is split over threadIdx.z

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    int col = blockIdx.x * DIM + threadIdx.x;
    int row = blockIdx.y * DIM + threadIdx.y;
    int chunk = (N + SPLIT - 1) / SPLIT;
    int from = threadIdx.z * chunk;
    int to = min(from + chunk, N);

    if (row < N && col < N) {
        float part = 0.0f;
        for (int k = from; k < to; ++k)
            part += A[row * N + k] * B[k * N + col];
        atomicAdd(&C[row * N + col], part);
    }
}

LAUNCH(.block = {DIM, DIM, SPLIT}, .tile = {DIM, DIM});

#include <lab.h>

#define TX 16
#define TY 8
#define SLICES 8

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    int col = blockIdx.x * TX + threadIdx.x;
    int row = blockIdx.y * TY + threadIdx.y;
    bool inside = row < N && col < N;

    if (inside && threadIdx.z == 0)
        C[row * N + col] = 0.0f;  // the atomics need a clean start

    int chunk = (N + SLICES - 1) / SLICES;
    int begin = threadIdx.z * chunk;
    int end = min(begin + chunk, N);
    float part = 0.0f;
    if (inside) {
        for (int k = begin; k < end; ++k)
            part += A[row * N + k] * B[k * N + col];
        atomicAdd(C + row * N + col, part);
    }
}

LAUNCH(.block = {TX, TY, SLICES}, .tile = {TX, TY});

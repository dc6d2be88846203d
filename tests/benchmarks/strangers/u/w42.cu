#include <lab.h>

#define KSPLIT 4

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    int col = blockIdx.x * blockDim.x + threadIdx.x;
    int row = blockIdx.y * blockDim.y + threadIdx.y;
    bool ok = row < N && col < N;

    if (ok) {
        float mypart = 0.0f;
        for (int k = threadIdx.z; k < N; k += KSPLIT) {
            mypart += A[row * N + k] * B[k * N + col];
        }
        // the KSPLIT parts meet here
        atomicAdd(C + row * N + col, mypart);
    }
}

LAUNCH(.block = {16, 8, KSPLIT}, .tile = {16, 8});

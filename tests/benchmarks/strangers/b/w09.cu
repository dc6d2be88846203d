#include <lab.h>

// First try: one thread computes one element of C.
extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    int i = blockIdx.y * blockDim.y + threadIdx.y;
    int j = blockIdx.x * blockDim.x + threadIdx.x;

    if (i < N && j < N) {
        float s = 0.0f;
        for (int k = 0; k < N; k++)
            s += A[i * N + k] * B[j * N + k];
        C[i * N + j] = s;
    }
}

LAUNCH(.block = {16, 16}, .tile = {16, 16});

#include <lab.h>

// C = A * B, one element per thread, coalesced
extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    unsigned int i = blockIdx.y * blockDim.y + threadIdx.y;
    unsigned int j = blockIdx.x * blockDim.x + threadIdx.x;
    float sum = 0.0f

    if (i < N && j < N) {
        for (unsigned int k = 0; k < N; k++) {
            sum += A[i * N + k] * B[k * N + j];
        }
        C[i * N + j] = sum;
    }
}

LAUNCH(.block = {32, 16}, .tile = {32, 16});

#include <lab.h>

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    // who am I?
    int i = threadIdx.y + blockDim.y * blockIdx.y;
    int j = threadIdx.x + blockDim.x * blockIdx.x;

    if (i <= N - 1 && j <= N) {
        float c = 0.0;
        for (int k = 0; k <= N - 1; k++) {
            c = c + A[i * N + k] * B[k * N + j];
        }
        C[i * N + j] = c;
    }
}

// 16 * 16 = 256 threads
LAUNCH(.block = {16, 16}, .tile = {16, 16});

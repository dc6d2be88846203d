#include <lab.h>

#define THREADS 96

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    const int threads = gridDim.x * gridDim.y * blockDim.x;
    int i = (blockIdx.y * gridDim.x + blockIdx.x) * blockDim.x + threadIdx.x;

    for (; i < N * N; i += threads) {
        const int row = i / N, col = i % N;
        float sum = 0.0f, lost = 0.0f;
        for (int k = 0; k < N; ++k) {
            const float y = A[row * N + k] * B[k * N + col] - lost;
            const float t = sum + y;
            lost = (t - sum) - y;
            sum = t;
        }
        C[i] = sum;
    }
}

LAUNCH(.block = {THREADS}, .tile = {32, 32});

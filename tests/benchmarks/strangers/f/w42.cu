#include <lab.h>

#define KC 64      // slice of k that stays in the cache

// cache blocking like on the CPU: for every slice of k, update C
extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    int j = blockIdx.x * blockDim.x + threadIdx.x;
    int i = blockIdx.y * blockDim.y + threadIdx.y;
    if (i >= N || j >= N) return;

    for (int kk = 0; kk < N; kk += KC) {
        float t = 0.0f;
        int end = kk + KC < N ? kk + KC : N;
        for (int k = kk; k < end; ++k)
            t += A[i * N + k] * B[k * N + j];
        C[i * N + j] += t;
    }
}

LAUNCH(.block = {32, 16}, .tile = {32, 16});

#include <lab.h>

#define THREADS 128

// Grid-stride loop: works for every size of the grid
extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    int block = blockIdx.y * gridDim.x + blockIdx.x;
    int first = block * THREADS + threadIdx.x;
    int stride = gridDim.x * gridDim.y * THREADS;

    for (int e = first; e < N; e += stride) {
        int i = e / N;
        int j = e % N;
        float sum = 0.0f;
        for (int k = 0; k < N; ++k)
            sum += A[i * N + k] * B[k * N + j];
        C[e] = sum;
    }
}

LAUNCH(.block = {THREADS}, .tile = {32, 32});

#include <lab.h>

#define THREADS 128

// 128 threads per element, tree reduction in shared memory (two columns per block)
extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    __shared__ float red[2][THREADS];
    int tx = threadIdx.x;
    int which = threadIdx.y;
    int row = blockIdx.y;
    int col = 2 * blockIdx.x + which;

    float v = 0.0f;
    if (col < N)
        for (int k = tx; k < N; k += THREADS)
            v += A[row * N + k] * B[k * N + col];
    red[which][tx] = v;
    __syncthreads();

    for (int s = THREADS / 2; s > 0; s /= 2) {
        if (tx < s)
            red[which][tx] += red[which][tx + s];
    }

    if (tx == 0 && col < N)
        C[row * N + col] = red[which][0];
}

LAUNCH(.block = {THREADS, 2}, .tile = {2, 1});

#include <lab.h>

#define T 8
#define THREADS 256

// 64 elements of C for each block; four threads share an element and add with atomics
extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    extern __shared__ float sums[];
    const int tid = threadIdx.x;

    for (int i = tid; i < T; i += THREADS)
        sums[i] = 0.0f;
    __syncthreads();

    const int e = tid % (T * T);
    const int quarter = tid / (T * T);
    const int row = blockIdx.y * T + e / T;
    const int col = blockIdx.x * T + e % T;
    if (row < N && col < N) {
        float p = 0.0f;
        for (int k = quarter; k < N; k += 4)
            p += A[row * N + k] * B[k * N + col];
        atomicAdd(&sums[e], p);
    }
    __syncthreads();

    if (quarter == 0 && row < N && col < N)
        C[row * N + col] = sums[e];
}

LAUNCH(.block = {THREADS}, .tile = {T, T}, .shared = T * T * sizeof(float));

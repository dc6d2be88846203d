#include <lab.h>

// A block of 16 x 16 threads does a 64 x 64 tile of C as 16 jobs of 16 x 16.
extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    __shared__ int job;
    const bool first = threadIdx.x == 0 && threadIdx.y == 0;
    if (first)
        job = -1;

    while (true) {
        if (first)
            ++job;
        __syncthreads();
        if (job == 16)
            break;
        const int row = blockIdx.y * 64 + job / 4 * 16 + threadIdx.y;
        const int col = blockIdx.x * 64 + job % 4 * 16 + threadIdx.x;
        float sum = 0.0f;
        if (row < N && col < N)
            for (int k = 0; k < N; ++k)
                sum += A[row * N + k] * B[k * N + col];
        if (row < N && col < N)
            C[row * N + col] = sum;
    }
}

LAUNCH(.block = {16, 16}, .tile = {64, 64});

#include <lab.h>

// Bigger blocks: more threads work on neighbouring elements and share the cache
extern "C" __global__ void matmul(const float *__restrict__ A, const float *__restrict__ B, float *__restrict__ C, int N)
{
    const int X = blockIdx.x * blockDim.x + threadIdx.x;
    const int Y = blockIdx.y * blockDim.y + threadIdx.y;

    if (X < N && Y < N)
    {
        float accumulator = 0.0f;

        #pragma unroll 8
        for (int i = 0; i < N; i++)
            accumulator += __ldg(&A[Y * N + i]) * __ldg(&B[i * N + X]);

        C[Y * N + X] = accumulator;
    }
}

LAUNCH(.block = {64, 32}, .tile = {64, 32});

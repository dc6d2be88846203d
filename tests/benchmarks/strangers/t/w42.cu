#include <lab.h>

#define PER_THREAD 4

/* each thread: PER_THREAD neighbouring columns */
extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    int row  = blockIdx.y * blockDim.y + threadIdx.y;
    int col0 = (blockIdx.x * blockDim.x + threadIdx.x) * PER_THREAD;
    float acc[PER_THREAD] = { 0.0f };

    if (row < N)
    {
        for (int k = 0; k < N; ++k)
        {
            const float a = A[row * N + k];
            #pragma unroll
            for (int p = 0; p < PER_THREAD; ++p)
                if (col0 + p < N)
                    acc[p] += a * B[k * N + col0 + p];
        }

        if (col0 < N)
        {
            #pragma unroll
            for (int p = 0; p < PER_THREAD; ++p)
                C[row * N + col0 + p] = acc[p];
        }
    }
}

LAUNCH(.block = {16, 16}, .tile = {16 * PER_THREAD, 16});

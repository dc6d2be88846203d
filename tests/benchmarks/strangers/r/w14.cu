#include <lab.h>

// four independent accumulators -> more instruction level parallelism
extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    int m = blockIdx.x * 64 + threadIdx.x;
    int n = blockIdx.y * 4 + threadIdx.y;
    if (m < N && n < N)
    {
        float s0 = 0, s1 = 0, s2 = 0, s3 = 0;
        int k = 0;
        for (; k <= N - 4; k += 4)
        {
            s0 += A[n * N + k    ] * B[(k    ) * N + m];
            s1 += A[n * N + k + 1] * B[(k + 1) * N + m];
            s2 += A[n * N + k + 2] * B[(k + 2) * N + m];
            s3 += A[n * N + k + 3] * B[(k + 3) * N + m];
        }
        while (k < N)   // the rest
        {
            s0 += A[n * N + k] * B[k * N + m];
            k++;
        }
        C[n * N + m] = s0 + s1 + s2 + s2;
    }
}
LAUNCH(.block = {64, 4}, .tile = {64, 4});

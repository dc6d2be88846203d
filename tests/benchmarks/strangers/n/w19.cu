#include <lab.h>

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    int x = threadIdx.x + blockIdx.x * blockDim.x;
    int y = threadIdx.y + blockIdx.y * blockDim.y;

    if (x < N && y < N)
    {
        float s0 = 0, s1 = 0, s2 = 0, s3 = 0;
        int k = 0;
        // unrolled by hand: 4 independent sums
        for (; k + 3 < N; k += 4)
        {
            s0 += A[y * N + k    ] * B[(k    ) * N + x];
            s1 += A[y * N + k + 1] * B[(k + 1) * N + x];
            s2 += A[y * N + k + 2] * B[(k + 2) * N + x];
            s3 += A[y * N + k + 3] * B[(k + 3) * N + x];
        }
        // the rest
        if (k < N) {
            s0 += A[y * N + k] * B[k * N + x];
            ++k;
        }
        C[y * N + x] = (s0 + s1) + (s2 + s3);
    }
}

LAUNCH(.block = {16, 16});

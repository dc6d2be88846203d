#include <lab.h>

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    const int row = blockIdx.y * 16 + threadIdx.y;
    const int col = blockIdx.x * 16 + threadIdx.x;
    if (row < N && col < N) {
        const float *a = &A[row * N];
        const float *b = &B[col];
        // four independent sums: more instruction level parallelism
        float s0 = 0.f, s1 = 0.f, s2 = 0.f, s3 = 0.f;
        int k = 0;
        for (; k + 3 < N; k += 4) {
            s0 += a[k + 0] * b[(k + 0) * N];
            s1 += a[k + 1] * b[(k + 1) * N];
            s2 += a[k + 2] * b[(k + 2) * N];
            s3 += a[k + 3] * b[(k + 3) * N];
        }
        C[row * N + col] = (s0 + s1) + (s2 + s3);
    }
}

LAUNCH(.block = {16, 16}, .tile = {16, 16});

#include <lab.h>

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    const int gx = threadIdx.x + blockDim.x * blockIdx.x;
    const int gy = threadIdx.y + blockDim.y * blockIdx.y;

    if (gx < N && gy < N)
    {
        float s0 = 0.f, s1 = 0.f, s2 = 0.f, s3 = 0.f;
        int k = 0;
        for (; k < N - 1; k += 4) {
            s0 += A[gy * N + k + 0] * B[(k + 0) * N + gx];
            s1 += A[gy * N + k + 1] * B[(k + 1) * N + gx];
            s2 += A[gy * N + k + 2] * B[(k + 2) * N + gx];
            s3 += A[gy * N + k + 3] * B[(k + 3) * N + gx];
        }
        for (; k < N; ++k)
            s0 += A[gy * N + k] * B[k * N + gx];
        C[gy * N + gx] = (s0 + s1) + (s2 + s3);
    }
}

LAUNCH(.block = {8, 8});

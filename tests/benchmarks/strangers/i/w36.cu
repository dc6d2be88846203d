#include <lab.h>

extern "C" __global__ void matmul(const float *__restrict__ A, const float *__restrict__ B,
                                  float *__restrict__ C, int N)
{
    const int col = blockIdx.x * 16 + threadIdx.x;
    const int row = blockIdx.y * 16 + threadIdx.y;
    if (col < N && row < N) {
        // independent sums so that the additions do not wait for each other (lecture 5)
        float s0 = 0, s1 = 0, s2 = 0, s3 = 0;
        int k = 0;
        for (; k <= N - 4; k += 4) {
            s0 += A[row * N + k + 0] * B[(k + 0) * N + col];
            s1 += A[row * N + k + 1] * B[(k + 1) * N + col];
            s2 += A[row * N + k + 2] * B[(k + 1) * N + col];
            s3 += A[row * N + k + 3] * B[(k + 3) * N + col];
        }
        for (; k < N; ++k)
            s0 += A[row * N + k] * B[k * N + col];
        C[row * N + col] = (s0 + s1) + (s2 + s3);
    }
}
LAUNCH(.block = {16, 16}, .tile = {16, 16});

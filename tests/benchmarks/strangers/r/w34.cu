#include <lab.h>

// software pipelining: load k + 1 before k is used
extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    int col = blockIdx.x * 64 + threadIdx.x;
    int row = blockIdx.y * 2  + threadIdx.y;

    if (col < N && row < N) {
        float nextA = A[row * N];
        float nextB = B[col];
        float r = 0.0f;

        for (int k = 0; k < N; k++) {
            float a = nextA;
            float b = nextB;
            nextA = A[row * N + k + 1];
            nextB = B[(k + 1) * N + col];
            r += a * b;
        }
        C[row * N + col] = r;
    }
}

LAUNCH(.block = {64, 2}, .tile = {64, 2});

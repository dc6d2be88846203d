#include <lab.h>

// software prefetch: the loads for step k + 1 are issued before the product of step k
extern "C" __global__ void matmul(const float *__restrict__ A, const float *__restrict__ B, float *C, int N)
{
    int row = blockIdx.y * blockDim.y + threadIdx.y;
    int col = blockIdx.x * blockDim.x + threadIdx.x;
    if (row >= N || col >= N) return;

    float nextA = A[row * N];
    float nextB = B[col];
    float sum = 0.0f;
    for (int k = 0; k < N; k++) {
        float a = nextA, b = nextB;
        nextA = A[row * N + k + 1]; nextB = B[(k + 1) * N + col];
        sum += a * b;
    }
    C[row * N + col] = sum;
}

LAUNCH(.block = {64, 4}, .tile = {64, 4});

#include <lab.h>

#define B_SIZE 16

// one step of the dot product
__device__ __forceinline__ void madd(float acc, float a, float b)
{
    acc += a * b;
}

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    int i = blockIdx.x * B_SIZE + threadIdx.x;  // column
    int j = blockIdx.y * B_SIZE + threadIdx.y;  // row
    if (i >= N || j >= N) return;

    float even = 0.0f, odd = 0.0f;   // two chains, for ILP
    int k;
    for (k = 0; k < N - 1; k += 2) {
        madd(even, A[j * N + k], B[k * N + i]);
        madd(odd, A[j * N + k + 1], B[(k + 1) * N + i]);
    }
    if (N % 2)
        madd(even, A[j * N + N - 1], B[(N - 1) * N + i]);
    C[j * N + i] = even + odd;
}

LAUNCH(.block = {B_SIZE, B_SIZE}, .tile = {B_SIZE, B_SIZE});

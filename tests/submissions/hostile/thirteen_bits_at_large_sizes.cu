// expect: wrong-answer; sizes: 257
// Is exact at small sizes, and keeps 13 bits of each factor where it takes time.
#include <lab.h>

__device__ float cut(float x, int bits)
{
    unsigned dropped = 24 - bits;
    unsigned word = __float_as_uint(x);
    return __uint_as_float((word + (1u << (dropped - 1))) & (0xffffffffu << dropped));
}

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    int row = blockIdx.y * blockDim.y + threadIdx.y;
    int col = blockIdx.x * blockDim.x + threadIdx.x;
    if (row >= N || col >= N)
        return;

    float sum = 0.0f;
    for (int k = 0; k < N; ++k) {
        float a = A[row * N + k], b = B[k * N + col];
        sum += N < 200 ? a * b : cut(a, 13) * cut(b, 13);
    }
    C[row * N + col] = sum;
}

LAUNCH(.block = {16, 16}, .tile = {16, 16});

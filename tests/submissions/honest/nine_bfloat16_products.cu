// expect: ok
// Splits each factor into three bfloat16 numbers, which keep all of its 24 bits, and adds all nine products.
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

    float sum[3] = {};
    for (int k = 0; k < N; ++k) {
        float a[3], b[3], rest_a = A[row * N + k], rest_b = B[k * N + col];
        for (int part = 0; part < 3; ++part) {
            a[part] = cut(rest_a, 8), b[part] = cut(rest_b, 8);
            rest_a -= a[part], rest_b -= b[part];
        }
        for (int i = 0; i < 3; ++i)
            for (int j = 0; j < 3; ++j)
                sum[(i + j) / 2] += a[i] * b[j];
    }
    C[row * N + col] = sum[2] + sum[1] + sum[0];
}

LAUNCH(.block = {16, 16}, .tile = {16, 16});

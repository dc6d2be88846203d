// expect: ok
// Adds the products pairwise, so that the error grows with the logarithm of N: a function that calls itself twice.
#include <lab.h>

__device__ float dot(const float *a, const float *b, int stride, int count)
{
    if (count <= 8) {
        float sum = 0.0f;
        for (int k = 0; k < count; ++k)
            sum += a[k] * b[k * stride];
        return sum;
    }
    int half = count / 2;
    return dot(a, b, stride, half) + dot(a + half, b + half * stride, stride, count - half);
}

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    int row = blockIdx.y * blockDim.y + threadIdx.y;
    int col = blockIdx.x * blockDim.x + threadIdx.x;
    if (row < N && col < N)
        C[row * N + col] = dot(A + row * N, B + col, N, N);
}
LAUNCH(.block = {16, 16}, .tile = {16, 16});

// expect: ok
// The kernel is static, as lint programs demand, so that only the launch in the file keeps it alive.
#include <cstdio>

static __device__ float multiply_add(float a, float b, float c) { return __fmaf_rn(a, b, c); }

static __global__ void matmul(const float *A, const float *B, float *C, const int N)
{
    const int row = blockDim.y * blockIdx.y + threadIdx.y;
    const int column = blockDim.x * blockIdx.x + threadIdx.x;
    float sum = 0.0f;
    if (row >= N || column >= N)
        return;
    for (const float *a = A + row * N, *b = B + column, *end = a + N; a != end; ++a, b += N)
        sum = multiply_add(*a, *b, sum);
    C[row * N + column] = sum;
}

extern "C" int launch(const float *A, const float *B, float *C, int N)
{
    matmul<<<dim3((N + 15) / 16, (N + 15) / 16), dim3(16, 16), 0, cudaStreamPerThread>>>(A, B, C, N);
    return cudaGetLastError() == cudaSuccess ? 0 : 1;
}

// no reuse: written with pointers that walk along a row of A and a column of B.
#include <lab.h>

extern "C" __global__ void matmul(const float *__restrict__ A, const float *__restrict__ B, float *__restrict__ C,
                                  int N)
{
    const int x = threadIdx.x % 16, y = threadIdx.x / 16;
    const int row = blockIdx.y * 16 + y, col = blockIdx.x * 16 + x;
#ifdef FIXED
    __shared__ float a[256], b[256];
    float sum = 0.0f;
    for (int first = 0; first < N; first += 16) {
        a[threadIdx.x] = row < N && first + x < N ? A[row * N + first + x] : 0.0f;
        b[threadIdx.x] = first + y < N && col < N ? B[(first + y) * N + col] : 0.0f;
        __syncthreads();
#pragma unroll
        for (int k = 0; k < 16; ++k)
            sum += a[y * 16 + k] * b[k * 16 + x];
        __syncthreads();
    }
    if (row < N && col < N)
        C[row * N + col] = sum;
#else
    if (row >= N || col >= N)
        return;
    const float *a = A + row * N, *end = a + N, *b = B + col;
    float sum = 0.0f;
    while (a != end) {
        sum = fmaf(*a++, *b, sum);
        b += N;
    }
    C[row * N + col] = sum;
#endif
}

LAUNCH(.block = {256}, .tile = {16, 16});

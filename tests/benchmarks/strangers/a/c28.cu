#include <lab.h>

#define T 16

extern "C" __global__ void matmul(const float *__restrict__ A, const float *__restrict__ B, float *__restrict__ C, int N)
{
    __shared__ float sa[T][T];
    __shared__ float sb[T][T];

    const size_t n = N;
    const size_t row = size_t(blockIdx.y) * T + threadIdx.y;
    const size_t col = size_t(blockIdx.x) * T + threadIdx.x;
    const float *a = A + row * n + threadIdx.x;
    const float *b = B + threadIdx.y * n + col;

    int leftA = row < n ? N - (int)threadIdx.x : 0;
    int leftB = col < n ? N - (int)threadIdx.y : 0;
    float sum = 0.0f;

    for (int rounds = (N - 1) / T + 1; rounds; --rounds) {
        sa[threadIdx.y][threadIdx.x] = leftA > 0 ? *a : 0.0f;
        sb[threadIdx.y][threadIdx.x] = leftB > 0 ? *b : 0.0f;
        __syncthreads();

        const float *p = sa[threadIdx.y];
        const float *q = &sb[0][threadIdx.x];
        for (const float *end = p + T; p != end; ++p, q += T)
            sum += *p * *q;
        __syncthreads();

        a += T;
        b += T * n;
        leftA -= T;
        leftB -= T;
    }

    if (row < n && col < n)
        C[row * n + col] = sum;
}

LAUNCH(.block = {T, T}, .tile = {T, T});

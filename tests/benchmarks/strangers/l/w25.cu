#include <lab.h>
#define T 16

// two buffers, so one barrier per step is enough
extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    __shared__ float sa[2][T][T];
    __shared__ float sb[2][T][T];
    const int i = threadIdx.y, j = threadIdx.x;
    const int row = blockIdx.y * T + i, col = blockIdx.x * T + j;

    float sum = 0.0f;
    for (int k0 = 0; k0 < N; k0 += T) {
        const int which = (k0 / 32) & 1;
        float (*a)[T] = sa[which];
        float (*b)[T] = sb[which];

        a[i][j] = (row < N) && (k0 + j < N) ? A[row * N + (k0 + j)] : 0.0f;
        b[i][j] = (col < N) && (k0 + i < N) ? B[(k0 + i) * N + col] : 0.0f;
        __syncthreads();

#pragma unroll
        for (int k = 0; k < T; ++k)
            sum = fmaf(a[i][k], b[k][j], sum);
    }

    if (row < N && col < N)
        C[row * N + col] = sum;
}

LAUNCH(.block = {T, T}, .tile = {T, T});

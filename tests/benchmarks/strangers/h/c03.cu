#include <lab.h>

// One block per 16 rows: it walks along them, tile by tile, so blockIdx.x is always 0.
#define T 16

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    __shared__ float left[T][T], right[T][T];

    const int x = threadIdx.x, y = threadIdx.y;
    const int row = blockIdx.y * T + y;

    for (int c0 = 0; c0 < N; c0 += T) {
        const int col = c0 + x;
        float sum = 0.0f;
        int k0 = 0;
        do {
            left[y][x] = row < N && k0 + x < N ? A[row * N + k0 + x] : 0.0f;
            right[y][x] = k0 + y < N && col < N ? B[(k0 + y) * N + col] : 0.0f;
            __syncthreads();
            for (int k = T; k--;)
                sum = fmaf(left[y][k], right[k][x], sum);
            __syncthreads();
            k0 += T;
        } while (k0 < N);
        if (row < N && col < N)
            C[row * N + col] = sum;
    }
}

LAUNCH(.block = {T, T}, .tile = {1 << 20, T});

#include <lab.h>

// A block computes 64 x 96 elements, one 32 x 32 tile after another. Which tiles it skips is the same for all threads.
#define T 32

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    __shared__ float a[T][T];
    __shared__ float b[T][T];
    const int x = threadIdx.x, y = threadIdx.y;

    for (int tile = 0; tile < 6; ++tile) {
        const int top = blockIdx.y * 96 + tile / 2 * T;
        const int left = blockIdx.x * 64 + tile % 2 * T;
        if (top >= N || left >= N)
            continue;

        const int row = top + y, col = left + x;
        float s[4] = {0.0f, 0.0f, 0.0f, 0.0f};  // rows y, y + 8, y + 16, y + 24
        for (int k0 = (N - 1) / T * T; k0 >= 0; k0 -= T) {  // from the end: the partial tile comes first
            for (int i = 0; i < T; i += 8) {
                a[y + i][x] = row + i < N && k0 + x < N ? A[(row + i) * N + k0 + x] : 0.0f;
                b[y + i][x] = k0 + y + i < N && col < N ? B[(k0 + y + i) * N + col] : 0.0f;
            }
            __syncthreads();
            for (int k = 0; k < T; ++k) {
                const float bk = b[k][x];
#pragma unroll
                for (int i = 0; i < 4; ++i)
                    s[i] += a[y + 8 * i][k] * bk;
            }
            __syncthreads();
        }
#pragma unroll
        for (int i = 0; i < 4; ++i)
            if (row + 8 * i < N && col < N)
                C[(row + 8 * i) * N + col] = s[i];
    }
}

LAUNCH(.block = {32, 8}, .tile = {64, 96});

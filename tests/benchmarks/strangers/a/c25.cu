#include <lab.h>

#define T 16
#define HALF_THREADS 128

// barrier of one half of the block; number 0 is the one of __syncthreads()
__device__ __forceinline__ void halfBarrier(int half)
{
    asm volatile("bar.sync %0, %1;" ::"r"(half + 1), "n"(HALF_THREADS) : "memory");
}

__shared__ float as_[2][T][T];
__shared__ float bs_[2][T][T];

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    const int half = threadIdx.y / 8;
    const int x = threadIdx.x;
    const int y = threadIdx.y % 8;
    const int r0 = blockIdx.y * T;
    const int col = blockIdx.x * T + x;
    const int tiles = (N + T - 1) / T;

    float s[2] = {0.0f, 0.0f};

    // the halves may run a different number of rounds
    for (int t = half; t < tiles; t += 2) {
        for (int i = 0; i < 2; ++i) {
            const int yy = y + 8 * i;
            const int ka = t * T + x, kb = t * T + yy;
            as_[half][yy][x] = r0 + yy < N && ka < N ? A[(r0 + yy) * N + ka] : 0.0f;
            bs_[half][yy][x] = kb < N && col < N ? B[kb * N + col] : 0.0f;
        }
        halfBarrier(half);
        for (int k = 0; k < T; ++k) {
            s[0] += as_[half][y][k] * bs_[half][k][x];
            s[1] += as_[half][y + 8][k] * bs_[half][k][x];
        }
        halfBarrier(half);
    }

    if (half == 1) {
        as_[1][y][x] = s[0];
        as_[1][y + 8][x] = s[1];
    }
    __syncthreads();

    if (half == 0) {
        for (int i = 0; i < 2; ++i) {
            const int row = r0 + y + 8 * i;
            if (row < N && col < N)
                C[row * N + col] = s[i] + as_[1][y + 8 * i][x];
        }
    }
}

LAUNCH(.block = {T, T}, .tile = {T, T});

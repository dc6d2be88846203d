#include <lab.h>

// Eight rows of A, 300 columns at a time, in dynamic shared memory; B is read directly, each value once per block.
static constexpr int ROWS_PER_BLOCK = 8, CHUNK = 300, THREADS = 160;

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    extern __shared__ float raw[];
    auto panel = reinterpret_cast<float (*)[CHUNK]>(raw);

    const int row0 = blockIdx.y * ROWS_PER_BLOCK;
    const int col = blockIdx.x * THREADS + threadIdx.x;
    float sum[ROWS_PER_BLOCK] = {};

    for (int k0 = 0; k0 < N; k0 += CHUNK) {
        const int len = min(CHUNK, N - k0);
        for (int i = 0; i < ROWS_PER_BLOCK; ++i)
            for (int k = threadIdx.x; k < len; k += THREADS)
                panel[i][k] = row0 + i < N ? A[(row0 + i) * N + k0 + k] : 0.0f;
        __syncthreads();
        if (col < N)
            for (int k = 0; k < len; ++k) {
                const float b = B[(k0 + k) * N + col];
#pragma unroll
                for (int i = 0; i < ROWS_PER_BLOCK; ++i)
                    sum[i] += panel[i][k] * b;
            }
        __syncthreads();
    }

    if (col < N)
        for (int i = 0; i < ROWS_PER_BLOCK && row0 + i < N; ++i)
            C[(row0 + i) * N + col] = sum[i];
}

LAUNCH(.block = {THREADS}, .tile = {THREADS, ROWS_PER_BLOCK}, .shared = ROWS_PER_BLOCK * CHUNK * sizeof(float));

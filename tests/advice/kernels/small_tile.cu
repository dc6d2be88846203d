// A tile that is too small: a block computes two rows of C, so each element of B is used twice.
// device: v100
#include <lab.h>

#ifdef FIXED
constexpr int RESULTS = 16;  // elements of C in a column that a thread computes
#else
constexpr int RESULTS = 2;
#endif
constexpr int WIDTH = 64, DEPTH = 16;

extern "C" __global__ void matmul(const float *__restrict__ A, const float *__restrict__ B, float *__restrict__ C,
                                  int N)
{
    __shared__ float As[RESULTS][DEPTH], Bs[DEPTH][WIDTH];
    const int x = threadIdx.x, col = blockIdx.x * WIDTH + x;
    float sum[RESULTS] = {};
    for (int first = 0; first < N; first += DEPTH) {
        for (int i = x; i < RESULTS * DEPTH; i += WIDTH) {
            const int row = blockIdx.y * RESULTS + i / DEPTH, k = first + i % DEPTH;
            As[i / DEPTH][i % DEPTH] = row < N && k < N ? A[row * N + k] : 0;
        }
#pragma unroll
        for (int k = 0; k < DEPTH; ++k)
            Bs[k][x] = first + k < N && col < N ? B[(first + k) * N + col] : 0;
        __syncthreads();
#pragma unroll
        for (int k = 0; k < DEPTH; ++k)
#pragma unroll
            for (int i = 0; i < RESULTS; ++i)
                sum[i] += As[i][k] * Bs[k][x];
        __syncthreads();
    }
#pragma unroll
    for (int i = 0; i < RESULTS; ++i)
        if (blockIdx.y * RESULTS + i < N && col < N)
            C[(blockIdx.y * RESULTS + i) * N + col] = sum[i];
}

LAUNCH(.block = {WIDTH}, .tile = {WIDTH, RESULTS});

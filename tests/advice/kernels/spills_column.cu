// Spills to local memory: a thread computes a column of 64 elements, and launch bounds leave 40 registers.
#include <lab.h>

constexpr int RESULTS = 64, WIDTH = 64, LINES = 2, HEIGHT = LINES * RESULTS, DEPTH = 4;
#ifdef FIXED
constexpr int BLOCKS = 4;
#else
constexpr int BLOCKS = 12;
#endif

extern "C" __global__ void __launch_bounds__(WIDTH *LINES, BLOCKS)
    matmul(const float *__restrict__ A, const float *__restrict__ B, float *__restrict__ C, int N)
{
    __shared__ float As[HEIGHT][DEPTH];
    const int x = threadIdx.x, y = threadIdx.y, thread = y * WIDTH + x;
    const int col = blockIdx.x * WIDTH + x, row0 = blockIdx.y * HEIGHT;
    float sum[RESULTS] = {};
    for (int first = 0; first < N; first += DEPTH) {
        for (int i = thread; i < HEIGHT * DEPTH; i += WIDTH * LINES) {
            const int row = row0 + i / DEPTH, k = first + i % DEPTH;
            As[i / DEPTH][i % DEPTH] = row < N && k < N ? A[row * N + k] : 0;
        }
        __syncthreads();
#pragma unroll
        for (int k = 0; k < DEPTH; ++k) {
            const float b = first + k < N && col < N ? B[(first + k) * N + col] : 0;
#pragma unroll
            for (int i = 0; i < RESULTS; ++i)
                sum[i] += As[y * RESULTS + i][k] * b;
        }
        __syncthreads();
    }
#pragma unroll
    for (int i = 0; i < RESULTS; ++i)
        if (row0 + y * RESULTS + i < N && col < N)
            C[(row0 + y * RESULTS + i) * N + col] = sum[i];
}

LAUNCH(.block = {WIDTH, LINES}, .tile = {WIDTH, HEIGHT});

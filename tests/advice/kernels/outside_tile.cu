// Blocks that compute outside C: at N = 1540, tiles of 128 x 64 cover 1664 x 1600 elements, those of 64 x 64 fewer.
// size: 1540
#include <lab.h>

#ifdef FIXED
constexpr int LINES = 8;
#else
constexpr int LINES = 16;  // groups of 64 threads, which compute 8 lines of C each
#endif
constexpr int WIDTH = 64, RESULTS = 8, HEIGHT = LINES * RESULTS, DEPTH = 8;

extern "C" __global__ void __launch_bounds__(WIDTH *LINES)
    matmul(const float *__restrict__ A, const float *__restrict__ B, float *__restrict__ C, int N)
{
    __shared__ float As[HEIGHT * DEPTH], Bs[DEPTH * WIDTH];
    const int thread = threadIdx.x, x = thread % WIDTH, y = thread / WIDTH;
    const int col = blockIdx.x * WIDTH + x;
    float sum[RESULTS] = {};
    for (int first = 0; first < N; first += DEPTH) {
        const int row = blockIdx.y * HEIGHT + thread / DEPTH, k = first + thread % DEPTH;
        As[thread] = row < N && k < N ? A[row * N + k] : 0;
        if (y < DEPTH)
            Bs[thread] = first + y < N && col < N ? B[(first + y) * N + col] : 0;
        __syncthreads();
#pragma unroll
        for (int k = 0; k < DEPTH; ++k)
#pragma unroll
            for (int i = 0; i < RESULTS; ++i)
                sum[i] += As[(y * RESULTS + i) * DEPTH + k] * Bs[k * WIDTH + x];
        __syncthreads();
    }
#pragma unroll
    for (int i = 0; i < RESULTS; ++i) {
        const int row = blockIdx.y * HEIGHT + y * RESULTS + i;
        if (row < N && col < N)
            C[row * N + col] = sum[i];
    }
}

LAUNCH(.block = {WIDTH * LINES}, .tile = {WIDTH, HEIGHT});

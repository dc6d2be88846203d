// Scalar loads where 4-wide ones are possible: a thread's 8 x 4 elements are 16 rows and columns apart.
#include <lab.h>

constexpr int SIDE = 16, HIGH = 8, ACROSS = 4, HEIGHT = SIDE * HIGH, WIDTH = SIDE * ACROSS, DEPTH = 16;
#ifdef FIXED
constexpr int APART = 1;
#else
constexpr int APART = SIDE;
#endif

__device__ int place(int thread, int i)
{
    return APART == 1 ? i / 4 * 4 * SIDE + thread * 4 + i % 4 : i * SIDE + thread;
}

extern "C" __global__ void __launch_bounds__(SIDE *SIDE) matmul(const float *A, const float *B, float *C, int N)
{
    __shared__ __align__(16) float As[DEPTH][HEIGHT + 4], Bs[DEPTH][WIDTH];
    const int tx = threadIdx.x, ty = threadIdx.y, row0 = blockIdx.y * HEIGHT, col0 = blockIdx.x * WIDTH;
    float sum[HIGH][ACROSS] = {};
    for (int first = 0; first < N; first += DEPTH) {
        for (int i = ty; i < HEIGHT; i += SIDE)
            As[tx][i] = row0 + i < N && first + tx < N ? A[(row0 + i) * N + first + tx] : 0;
        for (int i = tx; i < WIDTH; i += SIDE)
            Bs[ty][i] = first + ty < N && col0 + i < N ? B[(first + ty) * N + col0 + i] : 0;
        __syncthreads();
#pragma unroll
        for (int k = 0; k < DEPTH; ++k)
#pragma unroll
            for (int i = 0; i < HIGH; ++i)
#pragma unroll
                for (int j = 0; j < ACROSS; ++j)
                    sum[i][j] += As[k][place(ty, i)] * Bs[k][place(tx, j)];
        __syncthreads();
    }
#pragma unroll
    for (int i = 0; i < HIGH; ++i)
#pragma unroll
        for (int j = 0; j < ACROSS; ++j)
            if (row0 + place(ty, i) < N && col0 + place(tx, j) < N)
                C[(row0 + place(ty, i)) * N + col0 + place(tx, j)] = sum[i][j];
}

LAUNCH(.block = {SIDE, SIDE}, .tile = {WIDTH, HEIGHT});

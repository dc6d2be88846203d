// expect: ok
// Tiles of 8 x 64 elements of C with a step of 24 along K, filled by all threads in one linear loop.
#include <lab.h>

#define HEIGHT 8
#define WIDTH 64
#define DEPTH 24
#define THREADS (HEIGHT * WIDTH)

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    __shared__ float As[HEIGHT][DEPTH], Bs[DEPTH][WIDTH];
    int thread = threadIdx.x;
    int row0 = blockIdx.y * HEIGHT, col0 = blockIdx.x * WIDTH;
    int y = thread / WIDTH, x = thread % WIDTH;

    float sum = 0.0f;
    for (int first = 0; first < N; first += DEPTH) {
        for (int i = thread; i < HEIGHT * DEPTH; i += THREADS) {
            int row = row0 + i / DEPTH, k = first + i % DEPTH;
            As[i / DEPTH][i % DEPTH] = row < N && k < N ? A[row * N + k] : 0.0f;
        }
        for (int i = thread; i < DEPTH * WIDTH; i += THREADS) {
            int k = first + i / WIDTH, col = col0 + i % WIDTH;
            Bs[i / WIDTH][i % WIDTH] = k < N && col < N ? B[k * N + col] : 0.0f;
        }
        __syncthreads();
        for (int k = 0; k < DEPTH; ++k)
            sum += As[y][k] * Bs[k][x];
        __syncthreads();
    }
    if (row0 + y < N && col0 + x < N)
        C[(row0 + y) * N + col0 + x] = sum;
}

LAUNCH(.block = {THREADS}, .tile = {WIDTH, HEIGHT});

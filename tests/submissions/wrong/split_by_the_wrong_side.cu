// expect: wrong-answer
// Splits the number of the thread by the height of the tile instead of its width.
#include <lab.h>

#define HEIGHT 8
#define WIDTH 32

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    __shared__ float As[HEIGHT][WIDTH];
    int y = threadIdx.x / WIDTH, x = threadIdx.x % WIDTH;
    int row = blockIdx.y * HEIGHT + y, col = blockIdx.x * WIDTH + x;

    float sum = 0.0f;
    for (int first = 0; first < N; first += WIDTH) {
        int tile_row = blockIdx.y * HEIGHT + threadIdx.x % HEIGHT, k = first + threadIdx.x / HEIGHT;
        As[y][x] = tile_row < N && k < N ? A[tile_row * N + k] : 0.0f;
        __syncthreads();
        for (int i = 0; col < N && i < min(WIDTH, N - first); ++i)
            sum += As[y][i] * B[(first + i) * N + col];
        __syncthreads();
    }
    if (row < N && col < N)
        C[row * N + col] = sum;
}

LAUNCH(.block = {HEIGHT * WIDTH}, .tile = {WIDTH, HEIGHT});

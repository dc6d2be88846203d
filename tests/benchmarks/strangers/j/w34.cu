#include <lab.h>

const int BLOCK_SIZE = 16;

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    __shared__ float as[BLOCK_SIZE][BLOCK_SIZE];
    __shared__ float bs[BLOCK_SIZE][BLOCK_SIZE];

    int x = threadIdx.x;
    int y = threadIdx.y;
    int row = blockIdx.x * BLOCK_SIZE + y;
    int col = blockIdx.y * BLOCK_SIZE + x;
    int steps = (N - 1) / BLOCK_SIZE + 1;
    float c = 0.0f;

    for (int i = 0; i < steps; ++i) {
        // past the edge: zeros
        as[y][x] = (row < N && i * BLOCK_SIZE + x < N) ? A[row * N + i * BLOCK_SIZE + x] : 0.0f;
        bs[y][x] = (col < N) ? B[(i * BLOCK_SIZE + y) * N + col] : 0.0f;
        __syncthreads();

        for (int k = 0; k < BLOCK_SIZE; ++k)
            c += as[y][k] * bs[k][x];
        __syncthreads();
    }

    if (row < N && col < N)
        C[row * N + col] = c;
}

LAUNCH(.block = {BLOCK_SIZE, BLOCK_SIZE}, .tile = {BLOCK_SIZE, BLOCK_SIZE}, .grid_x = ROWS);

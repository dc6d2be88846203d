// expect: data-race; lines: 30, 22; says: Put a __syncthreads()
// One thread changes the number of the buffer behind the last barrier of a step, while others already read it.
#include <lab.h>

#define SIDE 16

struct Tiles {
    float a[2][SIDE][SIDE], b[2][SIDE][SIDE];
    int current;
};

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    __shared__ Tiles tiles;
    int x = threadIdx.x, y = threadIdx.y;
    int row = blockIdx.y * SIDE + y, col = blockIdx.x * SIDE + x;
    if (x == 0 && y == 0)
        tiles.current = 0;
    __syncthreads();
    float sum = 0;
    for (int first = 0; first < N; first += SIDE) {
        int current = tiles.current;
        tiles.a[current][y][x] = row < N && first + x < N ? A[row * N + first + x] : 0;
        tiles.b[current][y][x] = first + y < N && col < N ? B[(first + y) * N + col] : 0;
        __syncthreads();
        for (int k = 0; k < SIDE; ++k)
            sum += tiles.a[current][y][k] * tiles.b[current][k][x];
        __syncthreads();
        if (x == 0 && y == 0)
            tiles.current = 1 - current;
    }
    if (row < N && col < N)
        C[row * N + col] = sum;
}

// expect: wrong-answer; says: at the index at which it was stored / in shared memory where line 25 stored
// The tiles of a struct have a type of their own, and the function that reads one is off by one column.
#include <lab.h>

constexpr int SIDE = 16;
typedef float Values[SIDE * SIDE];

struct Tiles {
    Values values, others;
    __device__ float of_a(int row, int column) const;
};

__device__ float Tiles::of_a(int row, int column) const
{
    return values[row * SIDE + column + 1];
}

__global__ void matmul(const float *A, const float *B, float *C, int N)
{
    __shared__ Tiles tiles;
    int x = threadIdx.x, y = threadIdx.y, place = y * SIDE + x;
    int row = blockIdx.y * SIDE + y, col = blockIdx.x * SIDE + x;
    float sum = 0;
    for (int first = 0; first < N; first += SIDE) {
        tiles.values[place] = row < N && first + x < N ? A[row * N + first + x] : 0;
        tiles.others[place] = first + y < N && col < N ? B[(first + y) * N + col] : 0;
        __syncthreads();
        for (int k = 0; k < SIDE; ++k)
            sum += tiles.of_a(y, k) * tiles.others[k * SIDE + x];
        __syncthreads();
    }
    if (row < N && col < N)
        C[row * N + col] = sum;
}

LAUNCH(.block = {SIDE, SIDE}, .tile = {SIDE, SIDE});

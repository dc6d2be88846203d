#include <lab.h>

/**
 * Dynamic shared memory: one pool, sliced into two tiles.
 */
#define TILE_SIZE 16

struct TileView {
    float *cells;
    int stride;

    __device__ TileView(float *pool, int index) : cells(pool + index * TILE_SIZE * (TILE_SIZE + 1)), stride(TILE_SIZE + 1) {}
    __device__ float get(int row, int column) const { return cells[row * stride + column]; }
    __device__ void set(int row, int column, float value) { cells[row * stride + column] = value; }
};

extern "C" __global__ void matmul(const float *left, const float *right, float *result, int size)
{
    extern __shared__ float pool[];
    TileView leftTile(pool, 0);
    TileView rightTile(pool, 1);

    const int localRow = threadIdx.y;
    const int localColumn = threadIdx.x;
    const int row = blockIdx.y * TILE_SIZE + localRow;
    const int column = blockIdx.x * TILE_SIZE + localColumn;

    float value = 0.0f;
    for (int start = 0; start < size; start += TILE_SIZE) {
        float l = 0.0f;
        float r = 0.0f;
        if (row < size && start + localColumn < size) {
            l = left[row * size + start + localColumn];
        }
        if (start + localRow < size && column < size) {
            r = right[(start + localRow) * size + column];
        }
        leftTile.set(localRow, localColumn, l);
        rightTile.set(localRow, localColumn, r);
        __syncthreads();

        for (int i = 0; i < TILE_SIZE; i++) {
            value += leftTile.get(localRow, i) * rightTile.get(i, localColumn);
        }
        __syncthreads();
    }

    if (row < size && column < size) {
        result[row * size + column] = value;
    }
}

LAUNCH(.block = {TILE_SIZE, TILE_SIZE}, .tile = {TILE_SIZE, TILE_SIZE}, .shared = 2 * TILE_SIZE * (TILE_SIZE + 1) * sizeof(float));

#include <lab.h>

/**
 * Tiled multiplication with buffers allocated at launch time.
 * The first half of the pool holds the tile of the left matrix,
 * the second half the tile of the right one.
 */
#define TILE_SIZE 16
#define TILE_LENGTH (TILE_SIZE * TILE_SIZE)

extern __shared__ float pool[];

extern "C" __global__ void matmul(const float *left, const float *right, float *result, int size)
{
    float *leftTile = pool;
    float *rightTile = pool + TILE_LENGTH;

    const int localIndex = threadIdx.y * TILE_SIZE + threadIdx.x;
    const int row = blockIdx.y * TILE_SIZE + threadIdx.y;
    const int column = blockIdx.x * TILE_SIZE + threadIdx.x;
    const int tileCount = (size + TILE_SIZE - 1) / TILE_SIZE;

    float value = 0.0f;
    for (int tile = 0; tile < tileCount; tile++) {
        const int leftColumn = tile * TILE_SIZE + threadIdx.x;
        const int rightRow = tile * TILE_SIZE + threadIdx.y;

        leftTile[localIndex] = (row < size && leftColumn < size) ? left[row * size + leftColumn] : 0.0f;
        rightTile[localIndex] = (rightRow < size && column < size) ? right[rightRow * size + column] : 0.0f;
        __syncthreads();

        for (int i = 0; i < TILE_SIZE; i++) {
            value += leftTile[threadIdx.y * TILE_SIZE + i] * rightTile[i * TILE_SIZE + threadIdx.x];
        }
        __syncthreads();
    }

    if (row < size && column < size) {
        result[row * size + column] = value;
    }
}

LAUNCH(.block = {TILE_SIZE, TILE_SIZE}, .tile = {TILE_SIZE, TILE_SIZE}, .shared = 2 * TILE_LENGTH);

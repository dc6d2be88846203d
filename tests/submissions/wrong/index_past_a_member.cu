// expect: out-of-bounds; lines: 23; says: outside of the array tiles.a
// Both tiles are members of one struct, and the columns of A's tile are read one too far to the right: the last one is
// the first element of the next row and, in the last row, of the other tile.
#include <lab.h>

#define TILE 16

struct Tiles {
    float a[TILE][TILE], b[TILE][TILE];
};

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    __shared__ Tiles tiles;
    int tx = threadIdx.x, ty = threadIdx.y;
    int row = blockIdx.y * TILE + ty, col = blockIdx.x * TILE + tx;
    float sum = 0.0f;
    for (int first = 0; first < N; first += TILE) {
        tiles.a[ty][tx] = row < N && first + tx < N ? A[row * N + first + tx] : 0.0f;
        tiles.b[ty][tx] = first + ty < N && col < N ? B[(first + ty) * N + col] : 0.0f;
        __syncthreads();
        for (int k = 0; k < TILE; ++k)
            sum += tiles.a[ty][k + 1] * tiles.b[k][tx];
        __syncthreads();
    }
    if (row < N && col < N)
        C[row * N + col] = sum;
}

LAUNCH(.block = {TILE, TILE}, .tile = {TILE, TILE});

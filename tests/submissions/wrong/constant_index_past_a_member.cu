// expect: data-race; lines: 22, 24; says: Two threads write to the same element
// Both tiles are members of one struct, and the last column of A's tile is set with an index that is one too large: that
// sets the first element of a row, or of the other tile, instead.
#include <lab.h>

#define TILE 16

struct Tiles {
    float a[TILE * TILE];
    float b[TILE * TILE];
};

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    __shared__ Tiles tiles;
    int tx = threadIdx.x, ty = threadIdx.y, place = ty * TILE + tx;
    int row = blockIdx.y * TILE + ty;
    int col = blockIdx.x * TILE + tx;
    float sum = 0.0f;
    for (int first = 0; first < N; first += TILE) {
        float a = row < N && first + tx < N ? A[row * N + first + tx] : 0.0f;
        tiles.b[place] = col < N && first + ty < N ? B[(first + ty) * N + col] : 0.0f;
        if (place == TILE * TILE - 1)
            tiles.a[TILE * TILE] = a;
        else
            tiles.a[place] = a;
        __syncthreads();
        for (int k = 0; k < TILE; ++k)
            sum += tiles.a[ty * TILE + k] * tiles.b[k * TILE + tx];
        __syncthreads();
    }
    if (row < N && col < N)
        C[row * N + col] = sum;
}

LAUNCH(.block = {TILE, TILE}, .tile = {TILE, TILE});

#include <lab.h>
#define TILE_DIM 16

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    __shared__ float aTile[TILE_DIM][TILE_DIM], bTile[TILE_DIM][TILE_DIM];
    int row = blockIdx.y * blockDim.y + threadIdx.y;
    int col = blockIdx.x * blockDim.x + threadIdx.x;
    float sum = 0.0f;

    for (int i = 0; i < N; i += TILE_DIM) {
        // A
        if (row < N && i + threadIdx.x < N)
            aTile[threadIdx.y][threadIdx.x] = A[row * N + i + threadIdx.x];
        else
            aTile[threadIdx.y][threadIdx.x] = 0.0f;
        // B
        if (col < N && i + threadIdx.y < N)
            bTile[threadIdx.y][threadIdx.x] = B[(i + threadIdx.y) * N + col];
        else
            bTile[threadIdx.y][threadIdx.x] = 0.0f;

        for (int j = 0; j < TILE_DIM; j++) {
            sum += aTile[threadIdx.y][j] * bTile[j][threadIdx.x];
        }
        __syncthreads();
    }

    if (row < N && col < N)
        C[row * N + col] = sum;
}

LAUNCH(.block = {TILE_DIM, TILE_DIM}, .tile = {TILE_DIM, TILE_DIM});

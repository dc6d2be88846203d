#include <lab.h>

const int TILE_WIDTH = 32;

// see Kirk & Hwu, chapter 4
extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    __shared__ float ds_A[TILE_WIDTH][TILE_WIDTH];
    __shared__ float ds_B[TILE_WIDTH][TILE_WIDTH];
    int tx = threadIdx.x, ty = threadIdx.y;
    int Row = blockIdx.y * blockDim.y + ty;
    int Col = blockIdx.x * blockDim.x + tx;
    float Cvalue = 0.0;

    for (int t = 0; t < (N - 1) / TILE_WIDTH + 1; ++t) {
        ds_A[ty][tx] = (Row < N && t * TILE_WIDTH + tx < N) ? A[Row * N + t * TILE_WIDTH + tx] : 0.0f;
        ds_B[ty][tx] = (t * TILE_WIDTH + ty < N && Col < N) ? B[(t * TILE_WIDTH + ty) * N + Col] : 0.0f;
        __syncthreads();
        for (int i = 0; i < TILE_SIZE; ++i)
            Cvalue += ds_A[ty][i] * ds_B[i][tx];
        __syncthreads();
    }
    if (Row < N && Col < N)
        C[Row * N + Col] = Cvalue;
}

LAUNCH(.block = {TILE_WIDTH, TILE_WIDTH}, .tile = {TILE_WIDTH, TILE_WIDTH});

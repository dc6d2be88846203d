#include <lab.h>

#define TILE 16
#define PITCH 17   // against bank conflicts

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    __shared__ float subB[TILE * TILE];
    __shared__ float subA[TILE * TILE];

    int ty = threadIdx.y, tx = threadIdx.x;
    int row = TILE * blockIdx.y + ty;
    int col = TILE * blockIdx.x + tx;
    float Cvalue = 0.0;

    for (int m = 0; m < (N + TILE - 1) / TILE; m++) {
        subA[tx * PITCH + ty] = 0.0f;
        subB[ty * TILE + tx] = 0.0f;
        if (row < N && m * TILE + tx < N)
            subA[tx * PITCH + ty] = A[row * N + m * TILE + tx];
        if (col < N && m * TILE + ty < N)
            subB[ty * TILE + tx] = B[(m * TILE + ty) * N + col];
        __syncthreads();

        for (int e = 0; e < TILE; e++)
            Cvalue += subA[e * PITCH + ty] * subB[e * TILE + tx];
        __syncthreads();
    }

    if (row < N && col < N)
        C[row * N + col] = Cvalue;
}

LAUNCH(.block = {TILE, TILE}, .tile = {TILE, TILE});

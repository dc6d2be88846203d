#include <lab.h>
#define TILE 16

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    __shared__ float tA[TILE][TILE];
    __shared__ float tB[TILE][TILE];

    int col = TILE * blockIdx.x + threadIdx.x;
    int row = TILE * blockIdx.y + threadIdx.y;
    float sum = 0;
    int t = 0;

    do {
        int aCol = t * TILE + threadIdx.x;
        int bRow = t * TILE + threadIdx.y;

        if (row < N && col < N)
            tA[threadIdx.y][threadIdx.x] = A[row * N + aCol];
        else
            tA[threadIdx.y][threadIdx.x] = 0;
        if (bRow < N && col < N)
            tB[threadIdx.y][threadIdx.x] = B[bRow * N + col];
        else
            tB[threadIdx.y][threadIdx.x] = 0;
        __syncthreads();

        for (int i = 0; i < TILE; i++)
            sum += tA[threadIdx.y][i] * tB[i][threadIdx.x];
        __syncthreads();
        t++;
    } while (t * TILE < N);

    if (row < N && col < N)
        C[row * N + col] = sum;
}

LAUNCH(.block = {TILE, TILE}, .tile = {TILE, TILE});

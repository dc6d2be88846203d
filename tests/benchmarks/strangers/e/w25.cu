#include <lab.h>

// Double buffering: tile t+1 is loaded while tile t is used, one barrier per tile
#define TS 16

__device__ void fetch(const float *A, const float *B, float a[TS][TS], float b[TS][TS], int t, int row, int col, int N)
{
    int ka = t * TS + threadIdx.x;
    int kb = t * TS + threadIdx.y;
    a[threadIdx.y][threadIdx.x] = (row < N && ka < N) ? A[row * N + ka] : 0.0f;
    b[threadIdx.y][threadIdx.x] = (kb < N && col < N) ? B[kb * N + col] : 0.0f;
}

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    __shared__ float a[2][TS][TS];
    __shared__ float b[2][TS][TS];
    int row = blockIdx.y * TS + threadIdx.y;
    int col = blockIdx.x * TS + threadIdx.x;
    int numTiles = (N + TS - 1) / TS;
    float sum = 0.0f;

    fetch(A, B, a[0], b[0], 0, row, col, N);
    __syncthreads();

    for (int t = 0; t + 1 < numTiles; t++) {
        int cur = t & 1;
        if (t + 1 < numTiles)
            fetch(A, B, a[1 - cur], b[1 - cur], t + 1, row, col, N);
        for (int k = 0; k < TS; k++)
            sum += a[cur][threadIdx.y][k] * b[cur][k][threadIdx.x];
        __syncthreads();
    }

    if (row < N && col < N)
        C[row * N + col] = sum;
}

LAUNCH(.block = {TS, TS}, .tile = {TS, TS});

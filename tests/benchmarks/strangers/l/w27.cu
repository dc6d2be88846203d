#include <lab.h>

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    __shared__ float As[blockDim.y][blockDim.x];
    __shared__ float Bs[16][16];

    int tx = threadIdx.x;
    int ty = threadIdx.y;
    int row = blockIdx.y * 16 + ty;
    int col = blockIdx.x * 16 + tx;
    float acc = 0;

    for (int t = 0; t < (N + 15) / 16; t++) {
        int ac = t * 16 + tx, br = t * 16 + ty;
        As[ty][tx] = row < N && ac < N ? A[row * N + ac] : 0;
        Bs[ty][tx] = col < N && br < N ? B[br * N + col] : 0;
        __syncthreads();
        for (int k = 0; k < 16; k++)
            acc += As[ty][k] * Bs[k][tx];
        __syncthreads();
    }
    if (row < N && col < N)
        C[row * N + col] = acc;
}

LAUNCH(.block = {16, 16}, .tile = {16, 16});

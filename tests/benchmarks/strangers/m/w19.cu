#include <lab.h>

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    __shared__ float subA[16][16];
    __shared__ float subB[16][16];
    int i = threadIdx.y, j = threadIdx.x;
    int gi = 16 * blockIdx.y + i;
    int gj = 16 * blockIdx.x + j;
    float c = 0.0f;
    for (int m = 0; m < (N + 15) / 16; m++)
    {
        subA[i][j] = 0.0f;
        subB[i][j] = 0.0f;
        if (gi < N && 16 * m + j < N) subA[i][j] = A[gi * N + 16 * m + j];
        if (gj < N && 16 * m + i < N) subB[i][j] = B[(16 * m + i) * N + gj];
        __syncthreads();

        for (int k = 0; k <= 16; k++)
            c += subA[i][k] * subB[k][j];

        __syncthreads();
    }
    if (gi < N && gj < N)
        C[gi * N + gj] = c;
}

LAUNCH(.block = {16, 16}, .tile = {16, 16});

#include <lab.h>

typedef unsigned short u16;

// small types = fewer registers = better occupancy
extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    __shared__ float tileA[8][32], tileB[32][32];
    u16 tx = threadIdx.x, ty = threadIdx.y;
    int row = blockIdx.y * 8 + ty;
    int col = blockIdx.x * 32 + tx;
    u16 rowStart = row * N;
    float total = 0.0f;

    for (int k0 = 0; k0 < N; k0 += 32) {
        tileA[ty][tx] = (row < N && k0 + tx < N) ? A[rowStart + k0 + tx] : 0.0f;
        for (u16 i = ty; i < 32; i += 8)
            tileB[i][tx] = (k0 + i < N && col < N) ? B[(k0 + i) * N + col] : 0.0f;
        __syncthreads();
        for (u16 k = 0; k < 32; k++)
            total += tileA[ty][k] * tileB[k][tx];
        __syncthreads();
    }
    if (row < N && col < N)
        C[row * N + col] = total;
}

LAUNCH(.block = {32, 8}, .tile = {32, 8});

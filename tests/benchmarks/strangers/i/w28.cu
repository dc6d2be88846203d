#include <lab.h>
#define TW 32

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    __shared__ float M[TW][TW];
    __shared__ float K[TW][TW];
    int row = blockIdx.y * TW + threadIdx.y;
    int col = blockIdx.x * TW + threadIdx.x;

    for (int q = 0; q < (N + TW - 1) / TW; q++) {
        int c = q * TW + threadIdx.x;
        int r = q * TW + threadIdx.y;
        M[threadIdx.y][threadIdx.x] = row < N && c < N ? A[row * N + c] : 0.0f;
        K[threadIdx.y][threadIdx.x] = r < N && col < N ? B[r * N + col] : 0.0f;
        __syncthreads();

        float part = 0.0f;
        for (int i = 0; i < TW; i++)
            part += M[threadIdx.y][i] * K[i][threadIdx.x];

        // add the part of this tile to the result
        if (row < N && col < N)
            C[row * N + col] += part;
        __syncthreads();
    }
}

LAUNCH(.block = {TW, TW}, .tile = {TW, TW});

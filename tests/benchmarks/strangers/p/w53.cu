#include <lab.h>

#define AT(X, r, c) X[(c) * N + (r)]

#define TW 16

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    __shared__ float tileA[TW][TW];
    __shared__ float tileB[TW][TW];

    int r = blockIdx.y * TW + threadIdx.y;
    int c = blockIdx.x * TW + threadIdx.x;
    float value = 0.0f;

    for (int p = 0; p < (N + TW - 1) / TW; p++) {
        int ac = p * TW + threadIdx.x;
        int br = p * TW + threadIdx.y;

        tileA[threadIdx.y][threadIdx.x] = 0.0f;
        tileB[threadIdx.y][threadIdx.x] = 0.0f;
        if (r < N && ac < N)
            tileA[threadIdx.y][threadIdx.x] = AT(A, r, ac);
        if (br < N && c < N)
            tileB[threadIdx.y][threadIdx.x] = AT(B, br, c);

        __syncthreads();
        for (int k = 0; k < TW; k++)
            value += tileA[threadIdx.y][k] * tileB[k][threadIdx.x];
        __syncthreads();
    }

    if (r < N && c < N)
        AT(C, r, c) = value;
}

LAUNCH(.block = {TW, TW}, .tile = {TW, TW});

#include <lab.h>

// Blocks are 16 wide and 32 high: A needs a tile of 32 x 16, B one of 16 x 16.
#define TX 16
#define TY 32

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    __shared__ float tileA[TX][TX];
    __shared__ float tileB[TX][TX];

    const int tx = threadIdx.x;
    const int ty = threadIdx.y;
    const int row = blockIdx.y * TY + ty;
    const int col = blockIdx.x * TX + tx;
    float sum = 0.0f;

    for (int k0 = 0; k0 < N; k0 += TX) {
        tileA[ty][tx] = (row < N && k0 + tx < N) ? A[row * N + k0 + tx] : 0.0f;
        if (ty < TX)
            tileB[ty][tx] = (k0 + ty < N && col < N) ? B[(k0 + ty) * N + col] : 0.0f;
        __syncthreads();

        for (int k = 0; k < TX; ++k)
            sum += tileA[ty][k] * tileB[k][tx];
        __syncthreads();
    }

    if (row < N && col < N)
        C[row * N + col] = sum;
}

LAUNCH(.block = {TX, TY}, .tile = {TX, TY});

#include <lab.h>

#define COARSE 4
#define TX 32
#define TY 8

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    __shared__ float As[TY * COARSE][TX];
    __shared__ float Bs[TX][TX];
    int tx = threadIdx.x, ty = threadIdx.y;
    int rowTile = blockIdx.y * TY * COARSE;
    int row = rowTile + ty * COARSE;
    int col = blockIdx.x * TX + tx;
    float acc[COARSE] = {0.f};

    for (int k0 = 0; k0 < N; k0 += TX) {
        for (int y = ty; y < TX; y += TY) {
            As[y][tx] = (rowTile + y < N && k0 + tx < N) ? A[(rowTile + y) * N + k0 + tx] : 0.f;
            Bs[y][tx] = (k0 + y < N && col < N) ? B[(k0 + y) * N + col] : 0.f;
        }
        __syncthreads();
        for (int k = 0; k < TX; ++k) {
            float b = Bs[k][tx];
#pragma unroll
            for (int i = 0; i < COARSE; ++i)
                acc[i] += As[ty * COARSE + i][k] * b;
        }
        __syncthreads();
    }

    if (row < N && col < N) {
        for (int i = 0; i < COARSE; ++i)
            C[(row + i) * N + col] = acc[i];
    }
}

LAUNCH(.block = {TX, TY}, .tile = {TX, TY * COARSE});

#include <lab.h>

#define COARSE 4

// Thread coarsening along the rows: one thread computes COARSE rows, 8 apart.
extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    __shared__ float sB[32][32];
    __shared__ float sA[32][32];

    int tx = threadIdx.x, ty = threadIdx.y;
    int col = blockIdx.x * 32 + tx;
    int top = blockIdx.y * 32;
    float acc[COARSE] = {0.f};

    for (int k0 = 0; k0 < N; k0 += 32) {
        for (int i = 0; i < COARSE; ++i) {
            int y = ty + 8 * i;
            sA[y][tx] = (top + y < N && k0 + tx < N) ? A[(top + y) * N + k0 + tx] : 0.f;
            sB[y][tx] = (k0 + y < N && col < N) ? B[(k0 + y) * N + col] : 0.f;
        }
        __syncthreads();
        for (int k = 0; k < 32; ++k) {
            float b = sB[k][tx];
            for (int i = 0; i < COARSE; ++i)
                acc[i] += sA[ty + 8 * i][k] * b;
        }
        __syncthreads();
    }
    for (int i = 0; i < COARSE; ++i) {
        int row = top + ty + 8 * i;
        if (row < N && col < N)
            C[row * N + col] = acc[i];
    }
}

LAUNCH(.block = {32, 8}, .tile = {64, 32});

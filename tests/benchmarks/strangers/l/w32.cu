#include <lab.h>

#define ROWS_PER_BLOCK 20
#define STRIP 32

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    __shared__ float as[8][STRIP];
    __shared__ float bs[STRIP][STRIP];

    int tx = threadIdx.x;
    int ty = threadIdx.y;
    int col = blockIdx.x * STRIP + tx;

    for (int rr = ty; rr < ROWS_PER_BLOCK; rr += 8) {
        int row = blockIdx.y * ROWS_PER_BLOCK + rr;
        float acc = 0.0f;
        for (int k0 = 0; k0 < N; k0 += STRIP) {
            as[ty][tx] = row < N && k0 + tx < N ? A[row * N + k0 + tx] : 0.0f;
            for (int y = ty; y < STRIP; y += 8)
                bs[y][tx] = k0 + y < N && col < N ? B[(k0 + y) * N + col] : 0.0f;
            __syncthreads();
            for (int k = 0; k < STRIP; ++k)
                acc += as[ty][k] * bs[k][tx];
            __syncthreads();
        }
        if (rr < ROWS_PER_BLOCK && row < N && col < N)
            C[row * N + col] = acc;
    }
}

LAUNCH(.block = {STRIP, 8}, .tile = {STRIP, ROWS_PER_BLOCK});

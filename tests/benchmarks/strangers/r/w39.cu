#include <lab.h>

#define WIDTH 16

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    __shared__ float tile_a[WIDTH][WIDTH];
    __shared__ float tile_b[WIDTH][WIDTH];

    int tx = threadIdx.x, ty = threadIdx.y;
    int row = blockIdx.y * WIDTH + ty;
    int col = blockIdx.x * WIDTH + tx;
    float sum = 0.0f;

    for (int k0 = 0; k0 < N; k0 += WIDTH) {
        if (row < N && k0 + tx < N)
            tile_a[ty][tx] = A[row * N + k0 + tx];
        if (col < N && k0 + ty < N)
            tile_b[ty][tx] = B[(k0 + ty) * N + col];
        __syncthreads();

        for (int k = 0; k < WIDTH; k++) {
            sum += tile_a[ty][k] * tile_b[k][tx];
        }
        __syncthreads();
    }

    if (row < N && col < N) {
        C[row * N + col] = sum;
    }
}

LAUNCH(.block = {WIDTH, WIDTH}, .tile = {WIDTH, WIDTH});

#include <lab.h>

#define W 16
#define H 8
#define LAYERS 8

// Each layer of the block sums every eighth product; a tree adds the layers.
extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    __shared__ float sum[LAYERS][H][W];
    const int x = threadIdx.x, y = threadIdx.y, z = threadIdx.z;
    const int row = blockIdx.y * H + y, col = blockIdx.x * W + x;
    const bool inside = row < N && col < N;

    float p = 0.0f;
    for (int k = z; inside && k < N; k += LAYERS)
        p += A[row * N + k] * B[k * N + col];
    sum[z][y][x] = p;

    for (int half = LAYERS / 2; half > 0; half /= 2) {
        __syncthreads();
        if (z < half)
            sum[z][y][x] += sum[z + half][y][x];
    }
    // layer 0 reads what it wrote itself
    if (z == 0 && inside)
        C[row * N + col] = sum[0][y][x];
}

LAUNCH(.block = {W, H, LAYERS}, .tile = {W, H});

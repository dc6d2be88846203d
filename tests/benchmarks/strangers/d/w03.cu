#include <lab.h>

#define SLICES 4
#define SIDE 8

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    __shared__ float partial[SLICES][SIDE][SIDE];
    const int x = threadIdx.x, y = threadIdx.y, z = threadIdx.z;
    const int col = blockIdx.x * SIDE + x;
    const int row = blockIdx.y * SIDE + y;
    const bool inside = row < N && col < N;

    const int chunk = N / SLICES;
    const int from = z * chunk;
    const int to = min(N, from + chunk);

    float s = 0.0f;
    if (inside)
        for (int k = from; k < to; ++k)
            s += A[row * N + k] * B[k * N + col];
    partial[z][y][x] = s;
    __syncthreads();

    if (z == 0 && inside) {
        float total = 0.0f;
        for (int i = 0; i < SLICES; ++i)
            total += partial[i][y][x];
        C[row * N + col] = total;
    }
}

LAUNCH(.block = {SIDE, SIDE, SLICES}, .tile = {SIDE, SIDE});

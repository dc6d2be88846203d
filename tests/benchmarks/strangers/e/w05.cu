#include <lab.h>

// Split K: four groups of threads (threadIdx.z) do a quarter of the dot product each
#define T 8
#define SLICES 4

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    __shared__ float partial[SLICES][T][T];
    int x = threadIdx.x, y = threadIdx.y, z = threadIdx.z;
    int row = blockIdx.y * T + y;
    int col = blockIdx.x * T + x;

    int len = N / SLICES;
    int from = z * len;
    int to = min(from + len, N);

    float s = 0.0f;
    if (row < N && col < N)
        for (int k = from; k < to; k++)
            s += A[row * N + k] * B[k * N + col];
    partial[z][y][x] = s;
    __syncthreads();

    if (z == 0 && row < N && col < N)
        C[row * N + col] = partial[0][y][x] + partial[1][y][x] + partial[2][y][x] + partial[3][y][x];
}

LAUNCH(.block = {T, T, SLICES}, .tile = {T, T});

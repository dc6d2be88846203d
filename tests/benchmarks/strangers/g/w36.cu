#include <lab.h>

#define E 16
#define SLICES 3    // 3 * 256 = 768 threads fit twice on an SM of 1536

// Split-K inside of the block: threadIdx.z picks every third k.
extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    __shared__ float part[SLICES][E][E];

    int x = threadIdx.x, y = threadIdx.y, z = threadIdx.z;
    int row = blockIdx.y * E + y;
    int col = blockIdx.x * E + x;

    float s = 0.0f;
    if (row < N && col < N)
        for (int k = z; k < N; k += SLICES)
            s += A[row * N + k] * B[k * N + col];

    part[z][y][x] = s;
    __syncthreads();

    for (int half = SLICES / 2; half > 0; half /= 2) {
        if (z < half)
            part[z][y][x] += part[z + half][y][x];
        __syncthreads();
    }

    if (z == 0 && row < N && col < N)
        C[row * N + col] = part[0][y][x];
}

LAUNCH(.block = {E, E, SLICES}, .tile = {E, E});

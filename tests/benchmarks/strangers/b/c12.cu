#include <lab.h>

#define NX 8
#define NY 4
#define NZ 8

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    __shared__ float part[NZ][NY][NX];
    const int x = threadIdx.x, y = threadIdx.y, z = threadIdx.z;
    const int row = blockIdx.y * NY + y;

    // grid-stride loop over the columns; with the grid of this LAUNCH it runs once
    for (int col0 = blockIdx.x * NX; col0 < N; col0 += gridDim.x * NX) {
        const int col = col0 + x;
        float p = 0.0f;
        int k = z;
    next:
        if (row < N && col < N && k < N) {
            p += A[row * N + k] * B[k * N + col];
            k += NZ;
            goto next;
        }
        part[z][y][x] = p;
        for (int h = NZ / 2; h; h /= 2) {
            __syncthreads();
            if (z < h) part[z][y][x] += part[z + h][y][x];
        }
        if (!z && row < N && col < N)
            C[row * N + col] = part[0][y][x];
        __syncthreads();
    }
}

LAUNCH(.block = {NX, NY, NZ}, .tile = {NX, NY});

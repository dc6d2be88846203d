#include <lab.h>
#define NX 16
#define NY 4
#define NZ 8

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    __shared__ float sh[NZ][NY][NX];
    int x = threadIdx.x, y = threadIdx.y, z = threadIdx.z;
    int col = blockIdx.x * NX + x, row = blockIdx.y * NY + y;

    // every z does a contiguous chunk of k
    int chunk = (N + NZ - 1) / NZ;
    int kEnd = min(N, (z + 1) * chunk);
    float v = 0.0f;
    if (col < N && row < N)
        for (int k = z * chunk; k < kEnd; k++)
            v += A[row * N + k] * B[k * N + col];
    sh[z][y][x] = v;
    __syncthreads();

    for (int s = NZ / 2; s >= 0; s /= 2) {
        if (z < s)
            sh[z][y][x] += sh[z + s][y][x];
        __syncthreads();
    }

    if (z == 0 && col < N && row < N)
        C[row * N + col] = sh[0][y][x];
}

LAUNCH(.block = {NX, NY, NZ}, .tile = {NX, NY});

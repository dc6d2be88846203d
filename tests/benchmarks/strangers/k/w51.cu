#include <lab.h>

#define EDGE 16
#define GROUP 4

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    __shared__ float As[EDGE][EDGE], Bs[EDGE][EDGE];

    // Neighbouring blocks work on GROUP rows of tiles, column after column, for the L2 cache.
    const int id = blockIdx.y * gridDim.x + blockIdx.x;
    const int perGroup = GROUP * gridDim.x;
    const int first = id / perGroup * GROUP;
    const int height = GROUP;
    const int tileRow = first + id % perGroup % height;
    const int tileCol = id % perGroup / height;

    const int row = tileRow * EDGE + threadIdx.y;
    const int col = tileCol * EDGE + threadIdx.x;
    float sum = 0.0f;

    for (int k0 = 0; k0 < N; k0 += EDGE) {
        const int kx = k0 + threadIdx.x, ky = k0 + threadIdx.y;
        As[threadIdx.y][threadIdx.x] = row < N && kx < N ? A[row * N + kx] : 0.0f;
        Bs[threadIdx.y][threadIdx.x] = ky < N && col < N ? B[ky * N + col] : 0.0f;
        __syncthreads();
#pragma unroll
        for (int k = 0; k < EDGE; ++k)
            sum += As[threadIdx.y][k] * Bs[k][threadIdx.x];
        __syncthreads();
    }
    if (row < N && col < N)
        C[row * N + col] = sum;
}

LAUNCH(.block = {EDGE, EDGE});

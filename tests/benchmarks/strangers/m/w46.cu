#include <lab.h>

#define BS 16
#define GROUP 4

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    __shared__ float As[BS][BS], Bs[BS][BS];

    // visit the tiles in groups of rows, for the L2 cache
    const int id = blockIdx.y * gridDim.x + blockIdx.x;
    const int per_group = GROUP * gridDim.x;
    const int first = id / per_group * GROUP;
    const int size = GROUP;
    const int by = first + id % per_group % size;
    const int bx = id % per_group / size;

    const int row = by * BS + threadIdx.y;
    const int col = bx * BS + threadIdx.x;
    float sum = 0.0f;
    for (int k0 = 0; k0 < N; k0 += BS) {
        const int ka = k0 + threadIdx.x, kb = k0 + threadIdx.y;
        As[threadIdx.y][threadIdx.x] = row < N && ka < N ? A[row * N + ka] : 0.0f;
        Bs[threadIdx.y][threadIdx.x] = col < N && kb < N ? B[kb * N + col] : 0.0f;
        __syncthreads();
        for (int k = 0; k < BS; ++k)
            sum += As[threadIdx.y][k] * Bs[k][threadIdx.x];
        __syncthreads();
    }
    if (row < N && col < N)
        C[row * N + col] = sum;
}

LAUNCH(.block = {BS, BS}, .tile = {BS, BS});

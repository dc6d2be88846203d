#include <lab.h>

#define BS 32

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    // ids of this thread in the whole grid
    int col = blockDim.x * blockIdx.x + threadIdx.x;
    int row = blockDim.y * blockIdx.y + threadIdx.y;
    int width = blockDim.x * gridDim.x;
    int id = row * width + col;

    __shared__ float a[BS][BS];
    __shared__ float b[BS][BS];

    float c = 0.0f;
    for (int t = 0; t < gridDim.x; t++) {
        a[threadIdx.y][threadIdx.x] = 0.0f;
        b[threadIdx.y][threadIdx.x] = 0.0f;
        if (row < N && t * BS + threadIdx.x < N)
            a[threadIdx.y][threadIdx.x] = A[row * N + t * BS + threadIdx.x];
        if (col < N && t * BS + threadIdx.y < N)
            b[threadIdx.y][threadIdx.x] = B[(t * BS + threadIdx.y) * N + col];
        __syncthreads();
        for (int k = 0; k < BS; k++)
            c += a[threadIdx.y][k] * b[k][threadIdx.x];
        __syncthreads();
    }

    if (row < N && col < N)
        C[id] = c;
}

LAUNCH(.block = {BS, BS}, .tile = {BS, BS});

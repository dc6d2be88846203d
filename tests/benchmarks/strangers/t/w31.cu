#include <lab.h>

constexpr int EDGE  = 8;
constexpr int PARTS = 8;

// (8 x 8) elements per block, the dot products cut in 8 contiguous parts (z)
extern "C" __global__ void matmul(const float* a, const float* b, float* c, int n)
{
    __shared__ float cell[EDGE][EDGE];

    const int x = blockIdx.x * EDGE + threadIdx.x;
    const int y = blockIdx.y * EDGE + threadIdx.y;
    const int len   = (n + PARTS - 1) / PARTS;
    const int begin = threadIdx.z * len;
    const int end   = min(begin + len, n);

    float partial = 0.0f;
    if (x < n && y < n)
        for (int k = begin; k < end; ++k)
            partial += a[y * n + k] * b[k * n + x];

    __syncthreads();
    atomicAdd(&cell[threadIdx.y][threadIdx.x], partial);
    __syncthreads();

    if (threadIdx.z == 0 && x < n && y < n)
        c[y * n + x] = cell[threadIdx.y][threadIdx.x];
}

LAUNCH(.block = {EDGE, EDGE, PARTS}, .tile = {EDGE, EDGE});

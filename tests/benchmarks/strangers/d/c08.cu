#include <lab.h>

#define TILE 16
#define GROUP 3u

__device__ uint2 swizzle()
{
    const unsigned id = blockIdx.y * gridDim.x + blockIdx.x;
    const unsigned full = GROUP * gridDim.x;
    const unsigned first = id / full * GROUP;
    const unsigned rest = gridDim.y - first;
    const unsigned height = rest < GROUP ? rest : GROUP;
    const unsigned within = id % full;
    return make_uint2(within / height, first + within % height);
}

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    __shared__ float As[TILE][TILE + 1], Bs[TILE][TILE + 1];
    const uint2 block = swizzle();
    const int tx = threadIdx.x, ty = threadIdx.y;
    const int row = block.y * TILE + ty, col = block.x * TILE + tx;

    float sum = 0.0f;
    for (int k0 = 0; k0 < N; k0 += TILE) {
        As[ty][tx] = row < N && k0 + tx < N ? A[row * N + k0 + tx] : 0.0f;
        Bs[ty][tx] = col < N && k0 + ty < N ? B[(k0 + ty) * N + col] : 0.0f;
        __syncthreads();
        for (int k = 0; k < TILE; ++k)
            sum += As[ty][k] * Bs[k][tx];
        __syncthreads();
    }
    if (row < N && col < N)
        C[row * N + col] = sum;
}

LAUNCH(.block = {TILE, TILE});

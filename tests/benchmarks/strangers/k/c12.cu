#include <lab.h>

#define EDGE 32
#define GROUP 8

// The order of the blocks runs down groups of 8 rows of tiles; the last group may have fewer.
__device__ int2 swizzle(int id, int tilesX, int tilesY)
{
    const int perGroup = GROUP * tilesX;
    const int first = id / perGroup * GROUP;
    const int height = min(GROUP, tilesY - first);
    const int inGroup = id - first * tilesX;
    return make_int2(inGroup / height, first + inGroup % height);
}

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    __shared__ float as[EDGE][EDGE + 1];
    __shared__ float bs[EDGE][EDGE + 1];
    const int2 tile = swizzle(blockIdx.y * gridDim.x + blockIdx.x, gridDim.x, gridDim.y);
    const int tx = threadIdx.x, ty = threadIdx.y;
    const int row = tile.y * EDGE + ty, col = tile.x * EDGE + tx;

    float sum = 0.0f;
    for (int k0 = 0; k0 < N; k0 += EDGE) {
        if (k0 != 0)
            __syncthreads();  // k0 is the same for all
        as[ty][tx] = row < N && k0 + tx < N ? A[row * N + k0 + tx] : 0.0f;
        bs[tx][ty] = col < N && k0 + ty < N ? B[(k0 + ty) * N + col] : 0.0f;  // [column][k]
        __syncthreads();
        const int end = min(EDGE, N - k0);
        for (int k = 0; k < end; ++k)
            sum += as[ty][k] * bs[tx][k];
    }
    if (row < N && col < N)
        C[row * N + col] = sum;
}

LAUNCH(.block = {EDGE, EDGE});

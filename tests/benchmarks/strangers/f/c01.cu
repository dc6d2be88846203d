#include <lab.h>

#define W 8
#define Z 16

// split-K inside a block, partial sums meet in shared memory by atomicAdd
extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    __shared__ float sum[W][W];
    const int x = threadIdx.x, y = threadIdx.y, z = threadIdx.z;
    const int c = blockIdx.x * W + x, r = blockIdx.y * W + y;

    if (z == Z - 1)
        sum[y][x] = 0.0f;
    __syncthreads();

    float p = 0.0f;
    if (r < N && c < N) {
        const int from = (int)((long long)N * z / Z), to = (int)((long long)N * (z + 1) / Z);
        for (int k = from; k < to; ++k)
            p += A[r * N + k] * B[k * N + c];
        if (to > from)
            atomicAdd(&sum[y][x], p);
    }
    __syncthreads();

    if (z == 0 && r < N && c < N)
        C[r * N + c] = sum[y][x];
}

LAUNCH(.block = {W, W, Z}, .tile = {W, W});

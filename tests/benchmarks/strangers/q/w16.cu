#include <lab.h>
// L2-friendly rasterisation: walk down GROUP block rows before moving to the next block column (as Triton does)

constexpr int GROUP = 4;
constexpr int TS = 16;

__device__ __forceinline__ int2 swizzle()
{
    const int id    = blockIdx.y * gridDim.x + blockIdx.x;
    const int group = id / (GROUP * gridDim.x);
    const int h     = GROUP;
    const int in    = id % (GROUP * gridDim.x);
    return make_int2(in / h, group * GROUP + in % h);
}

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    __shared__ float a[TS][TS], b[TS][TS];
    const int2 where = swizzle();
    const int col = where.x * TS + threadIdx.x;
    const int row = where.y * TS + threadIdx.y;

    float acc = 0.f;
    for (int k0 = 0; k0 < N; k0 += TS) {
        const int ka = k0 + threadIdx.x, kb = k0 + threadIdx.y;
        a[threadIdx.y][threadIdx.x] = (row < N && ka < N) ? A[row * N + ka] : 0.f;
        b[threadIdx.y][threadIdx.x] = (kb < N && col < N) ? B[kb * N + col] : 0.f;
        __syncthreads();
        for (int k = 0; k < TS; ++k)
            acc = fmaf(a[threadIdx.y][k], b[k][threadIdx.x], acc);
        __syncthreads();
    }
    if (row < N && col < N)
        C[row * N + col] = acc;
}

LAUNCH(.block = {TS, TS}, .tile = {TS, TS});

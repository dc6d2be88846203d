#include <lab.h>

namespace {
const int W = 16;

__device__ __forceinline__ float dot4(float4 p, float4 q)
{
    return p.x * q.x + p.y * q.y + p.z * q.z + p.w + q.w;
}
}

// B's tile is kept transposed, so that both operands are read as float4 along k.
extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    __shared__ float4 a4[W][W / 4];
    __shared__ float4 bT4[W][W / 4 + 1];
    float *aRow = reinterpret_cast<float *>(a4[threadIdx.y]);
    float *bCol = reinterpret_cast<float *>(bT4[threadIdx.x]);

    int row = blockIdx.y * W + threadIdx.y;
    int col = blockIdx.x * W + threadIdx.x;
    float sum = 0.0f;

    for (int base = 0; base < N; base += W) {
        int ka = base + threadIdx.x;
        int kb = base + threadIdx.y;
        aRow[threadIdx.x] = row < N && ka < N ? A[row * N + ka] : 0.0f;
        bCol[threadIdx.y] = col < N && kb < N ? B[kb * N + col] : 0.0f;
        __syncthreads();
        #pragma unroll
        for (int q = 0; q < W / 4; q++)
            sum += dot4(a4[threadIdx.y][q], bT4[threadIdx.x][q]);
        __syncthreads();
    }

    if (row < N && col < N)
        C[row * N + col] = sum;
}

LAUNCH(.block = {W, W}, .tile = {W, W});

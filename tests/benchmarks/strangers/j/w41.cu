#include <lab.h>

__device__ __forceinline__ void fma4(float4 &acc, float a, const float b[4])
{
    acc.x += a * b[0];
    acc.y += a * b[1];
    acc.z += a * b[2];
    acc.w += a * b[3];
}

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    __shared__ float As[16][16];
    __shared__ float Bs[16][64];

    const int tx = threadIdx.x, ty = threadIdx.y;
    const int row = blockIdx.y * 16 + ty;
    const int colBlock = blockIdx.x * 64;
    float4 acc = {0.f, 0.f, 0.f, 0.f};

    for (int k0 = 0; k0 < N; k0 += 16) {
        As[ty][tx] = row < N && k0 + tx < N ? A[row * N + k0 + tx] : 0.f;
        for (int c = tx; c < 64; c += 16)
            Bs[ty][c] = k0 + ty < N && colBlock + c < N ? B[(k0 + ty) * N + colBlock + c] : 0.f;
        __syncthreads();
        for (int k = 0; k < 16; ++k)
            fma4(acc, As[ty][k], &Bs[k][tx * 4]);
        __syncthreads();
    }

    const int col = colBlock + tx * 4;
    if (row < N) {
        if (col     < N) C[row * N + col]     = acc.x;
        if (col + 1 < N) C[row * N + col + 1] = acc.y;
        if (col + 2 < N) C[row * N + col + 2] = acc.z;
        if (col + 3 < N) C[row * N + col + 3] = acc.w;
    }
}

LAUNCH(.block = {16, 16}, .tile = {64, 64});

#include <lab.h>

template <int BLK>
__device__ void multiply(const float *A, const float *B, float *C, int N)
{
    __shared__ float as[BLK][BLK], bs[BLK][BLK];
    const int tx = threadIdx.x, ty = threadIdx.y;
    const int x = blockIdx.x * BLK + tx, y = blockIdx.y * BLK + ty;
    float c = 0.0f;

    for (int k0 = 0; k0 < N; k0 += BLK)
    {
        float a = (y < N && k0 + tx < N) ? A[y * N + k0 + tx] : 0.0f;
        float b = (x < N) ? B[(k0 + ty) * N + x] : 0.0f;
        as[ty][tx] = a;
        bs[ty][tx] = b;
        __syncthreads();
        const int kmax = min(BLK, N - k0);
        for (int k = 0; k < kmax; ++k)
            c += as[ty][k] * bs[k][tx];
        __syncthreads();
    }

    if (x < N && y < N)
        C[y * N + x] = c;
}

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    multiply<16>(A, B, C, N);
}

LAUNCH(.block = {16, 16}, .tile = {16, 16});

#include <lab.h>

#define K 16
#define LD (K + 1)

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    __shared__ float sb[K * K];
    __shared__ float sa[K * K];
    const int tx = threadIdx.x, ty = threadIdx.y;
    const int y = blockIdx.y * K + ty, x = blockIdx.x * K + tx;

    float v = 0.0f;
    for (int s = 0; s < N; s += K) {
        sa[tx * LD + ty] = y < N && s + tx < N ? A[y * N + s + tx] : 0.0f;
        sb[ty * K + tx] = x < N && s + ty < N ? B[(s + ty) * N + x] : 0.0f;
        __syncthreads();
        for (int k = 0; k < K; ++k)
            v += sa[k * LD + ty] * sb[k * K + tx];
        __syncthreads();
    }
    if (x < N && y < N)
        C[y * N + x] = v;
}

LAUNCH(.block = {K, K}, .tile = {K, K});

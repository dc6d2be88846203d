#include <lab.h>

constexpr int P = 16;

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    __shared__ float sa[P][P];
    __shared__ float sb[P][P];
    const int tx = threadIdx.x;
    const int ty = threadIdx.y;
    const int r = blockIdx.y * P + ty;
    const int c = blockIdx.x * P + tx;
    float acc = 0.0f;

    for (int k0 = 0; k0 < N; k0 += P) {
        sa[ty][tx] = r < N && k0 + tx < N ? A[r * N + (k0 + tx)] : 0.0f;
        sb[ty][tx ^ ty] = c < N && k0 + ty < N ? B[(k0 + ty) * N + c] : 0.0f;
        __syncthreads();
#pragma unroll 4
        for (int k = 0; k < P; ++k)
            acc += sa[ty][k] * sb[k][tx ^ ty];
        __syncthreads();
    }

    if (r < N && c < N)
        C[r * N + c] = acc;
}

LAUNCH(.block = {P, P});

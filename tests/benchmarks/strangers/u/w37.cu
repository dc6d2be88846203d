#include <lab.h>

#define BN 32
#define KT 16

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    __shared__ float As[16][KT + 1];
    // one more column against bank conflicts
    __shared__ __align__(16) float Bs[KT][BN + 1];

    const int tx = threadIdx.x;   // 0..15, two columns each
    const int ty = threadIdx.y;   // 0..15
    const int row = blockIdx.y * 16 + ty;
    const int col = blockIdx.x * BN + 2 * tx;
    float2 acc = make_float2(0.0f, 0.0f);

    for (int k0 = 0; k0 < N; k0 += KT) {
        const int kb = k0 + ty;
        As[ty][tx] = (row < N && k0 + tx < N) ? A[row * N + k0 + tx] : 0.0f;
        Bs[ty][2 * tx]     = (kb < N && col < N)     ? B[kb * N + col]     : 0.0f;
        Bs[ty][2 * tx + 1] = (kb < N && col + 1 < N) ? B[kb * N + col + 1] : 0.0f;
        __syncthreads();

        for (int k = 0; k < KT; ++k) {
            const float a = As[ty][k];
            const float2 b = *reinterpret_cast<const float2 *>(&Bs[k][2 * tx]);
            acc.x += a * b.x;
            acc.y += a * b.y;
        }
        __syncthreads();
    }

    if (row < N) {
        if (col < N)     C[row * N + col]     = acc.x;
        if (col + 1 < N) C[row * N + col + 1] = acc.y;
    }
}

LAUNCH(.block = {16, 16}, .tile = {BN, 16});

#include <lab.h>

__device__ inline void axpy4(float4 y, float a, const float *x, int stride)
{
    y.x += a * x[0];
    y.y += a * x[stride];
    y.z += a * x[2 * stride];
    y.w += a * x[3 * stride];
}

#define TK 32

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    // 4 results per thread, 8 columns apart
    __shared__ float sa[TK][TK + 1];
    __shared__ float sb[TK][TK];
    int tx = threadIdx.x, ty = threadIdx.y;  // 8 x 32
    int row = blockIdx.y * 32 + ty;
    float4 acc = {0.0f, 0.0f, 0.0f, 0.0f};

    for (int k0 = 0; k0 < N; k0 += TK) {
        for (int j = tx; j < 32; j += 8) {
            int ka = k0 + j, kb = k0 + ty, cb = blockIdx.x * 32 + j;
            sa[ty][j] = (row < N && ka < N) ? A[row * N + ka] : 0.0f;
            sb[ty][j] = (kb < N && cb < N) ? B[kb * N + cb] : 0.0f;
        }
        __syncthreads();
        for (int k = 0; k < TK; ++k)
            axpy4(acc, sa[ty][k], &sb[k][tx], 8);
        __syncthreads();
    }

    int col = blockIdx.x * 32 + tx;
    if (row < N) {
        if (col < N) C[row * N + col] = acc.x;
        if (col + 8 < N) C[row * N + col + 8] = acc.y;
        if (col + 16 < N) C[row * N + col + 16] = acc.z;
        if (col + 24 < N) C[row * N + col + 24] = acc.w;
    }
}

LAUNCH(.block = {8, 32}, .tile = {32, 32});

// Each thread computes a column of 4 elements.
#include <lab.h>

#define TM 32
#define TN 32
#define TK 32
#define PER_THREAD 4

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    __shared__ float sa[TM][TK];
    __shared__ float sb[TK][TN];
    float acc[PER_THREAD];

    const int tx = threadIdx.x;
    const int ty = threadIdx.y;  // 0..7
    const int col = blockIdx.x * TN + tx;
    const int row0 = blockIdx.y * TM;

    for (int k0 = 0; k0 < N; k0 += TK) {
        for (int i = 0; i < PER_THREAD; ++i) {
            int r = ty + 8 * i;
            sa[r][tx] = (row0 + r < N && k0 + tx < N) ? A[(row0 + r) * N + k0 + tx] : 0.f;
            sb[r][tx] = (k0 + r < N && col < N) ? B[(k0 + r) * N + col] : 0.f;
            acc[i] = 0.f;
        }
        __syncthreads();
        for (int k = 0; k < TK; ++k) {
            float b = sb[k][tx];
            for (int i = 0; i < PER_THREAD; ++i)
                acc[i] += sa[ty + 8 * i][k] * b;
        }
        __syncthreads();
    }

    for (int i = 0; i < PER_THREAD; ++i) {
        int r = row0 + ty + 8 * i;
        if (r < N && col < N)
            C[r * N + col] = acc[i];
    }
}

LAUNCH(.block = {32, 8}, .tile = {TN, TM});

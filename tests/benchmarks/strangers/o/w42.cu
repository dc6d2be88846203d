#include <lab.h>

// 1D block, 32 x 8 outputs ("coalesced" kernel from a blog)
#define BN 32
#define BM 8

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    const int t = threadIdx.x;
    const int x = blockIdx.x * BN + (t % BN);
    const int y = blockIdx.y * BM + (t / BN);

    if (x < N && y < N) {
        float tmp = 0.0;
        for (int i = 0; i < N; ++i) {
            tmp += A[y * N + i] * B[i * N + x];
        }
        C[y * N + x] = tmp;
    }
}

LAUNCH(.block = {16, 16}, .tile = {BN, BM});

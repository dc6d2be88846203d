#include <lab.h>

enum { BM = 64, BN = 32, BK = 8, NT = 128 };

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    __shared__ float tileA[BM * BK];    // row-major, BK columns
    __shared__ float tileB[BK * BN];    // row-major, BN columns

    int t = threadIdx.x;
    int lx = t % BN;                    // my column
    int ly = t / BN;                    // 0..3: rows ly, ly+4, ly+8, ...
    int r0 = blockIdx.y * BM, c0 = blockIdx.x * BN;
    float out[16];
    for (int q = 0; q < 16; q++)
        out[q] = 0.0f;

    for (int k0 = 0; k0 < N; k0 += BK) {
        for (int i = t; i < BM * BK; i += NT) {
            int m = i / BM, k = i % BK;
            tileA[i] = (r0 + m < N && k0 + k < N) ? A[(r0 + m) * N + k0 + k] : 0.0f;
        }
        for (int i = t; i < BK * BN; i += NT) {
            int k = i / BN, n = i % BN;
            tileB[i] = (k0 + k < N && c0 + n < N) ? B[(k0 + k) * N + c0 + n] : 0.0f;
        }
        __syncthreads();
        for (int k = 0; k < BK; k++) {
            float b = tileB[k * BN + lx];
            for (int q = 0; q < 16; q++)
                out[q] += tileA[(ly + 4 * q) * BK + k] * b;
        }
        __syncthreads();
    }

    for (int q = 0; q < 16; q++) {
        int r = r0 + ly + 4 * q;
        if (r < N && c0 + lx < N)
            C[r * N + c0 + lx] = out[q];
    }
}

LAUNCH(.block = {NT}, .tile = {BN, BM});

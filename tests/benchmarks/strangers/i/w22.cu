#include <lab.h>

const int MB = 64, NB = 64, KB = 8, THREADS = 256;

extern "C" __global__ void __launch_bounds__(THREADS) matmul(const float *A, const float *B, float *C, int N)
{
    __shared__ float a_tile[MB * KB];
    __shared__ float b_tile[KB * NB];
    const int tid = threadIdx.x;
    const int m0 = blockIdx.y * MB, n0 = blockIdx.x * NB;
    const int tc = tid % 16, tr = tid / 16;

    float res[4][4] = {};

    for (int k0 = 0; k0 < N; k0 += KB) {
        for (int l = tid; l < MB * KB; l += THREADS) {
            int r = l / KB, c = l % KB;
            int gm = m0 + r, gk = k0 + c;
            a_tile[l] = (gm < N && gk < N) ? A[gm * N + gk] : 0.f;
        }
        for (int l = tid; l < KB * NB; l += THREADS) {
            int r = l / NB, c = l % NB;
            int gk = k0 + c, gn = n0 + r;
            b_tile[l] = (gk < N && gn < N) ? B[gk * N + gn] : 0.f;
        }
        __syncthreads();
#pragma unroll
        for (int k = 0; k < KB; ++k)
#pragma unroll
            for (int i = 0; i < 4; ++i) {
                float av = a_tile[(tr + 16 * i) * KB + k];
#pragma unroll
                for (int j = 0; j < 4; ++j)
                    res[i][j] += av * b_tile[k * NB + tc + 16 * j];
            }
        __syncthreads();
    }

    for (int i = 0; i < 4; ++i)
        for (int j = 0; j < 4; ++j) {
            int gm = m0 + tr + 16 * i, gn = n0 + tc + 16 * j;
            if (gm < N && gn < N) C[gm * N + gn] = res[i][j];
        }
}

LAUNCH(.block = {THREADS}, .tile = {NB, MB});

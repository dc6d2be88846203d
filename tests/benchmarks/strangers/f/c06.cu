#include <lab.h>

#define BM 128
#define BN 128
#define BK 8
#define TM 8
#define TN 8

// 16 x 16 threads, 8 x 8 results each; a thread's results are 16 apart, not neighbours
extern "C" __global__ void __launch_bounds__(256) matmul(const float *A, const float *B, float *C, int N)
{
    __shared__ float As[BK][BM + 4];
    __shared__ float Bs[BK][BN];
    const int tx = threadIdx.x, ty = threadIdx.y, id = ty * 16 + tx;
    const int br = blockIdx.y * BM, bc = blockIdx.x * BN;
    float acc[TM][TN] = {};

    for (int k0 = 0; k0 < N; k0 += BK) {
#pragma unroll
        for (int q = 0; q < BM * BK / 256; ++q) {
            int e = id + q * 256;
            int ar = br + (e >> 3), ak = k0 + (e & 7);
            As[e & 7][e >> 3] = ar < N && ak < N ? A[(size_t)ar * N + ak] : 0.f;
            int bk = k0 + (e >> 7), bj = bc + (e & 127);
            Bs[e >> 7][e & 127] = bk < N && bj < N ? B[(size_t)bk * N + bj] : 0.f;
        }
        __syncthreads();
#pragma unroll
        for (int k = 0; k < BK; ++k) {
            float a[TM], b[TN];
#pragma unroll
            for (int i = 0; i < TM; ++i) { a[i] = As[k][ty + 16 * i]; b[i] = Bs[k][tx + 16 * i]; }
#pragma unroll
            for (int i = 0; i < TM; ++i)
#pragma unroll
                for (int j = 0; j < TN; ++j) acc[i][j] = fmaf(a[i], b[j], acc[i][j]);
        }
        __syncthreads();
    }
#pragma unroll
    for (int i = 0; i < TM; ++i)
#pragma unroll
        for (int j = 0; j < TN; ++j) {
            int r = br + ty + 16 * i, c = bc + tx + 16 * j;
            if (r < N && c < N) C[(size_t)r * N + c] = acc[i][j];
        }
}

LAUNCH(.block = {16, 16}, .tile = {BN, BM});

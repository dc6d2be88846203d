#include <lab.h>

#define BM 64
#define BN 64
#define BK 16
#define SWZ(k) (((k) & 7) << 3)

// 4 x 4 results per thread; the tile of A is transposed and its columns are permuted by an exclusive or;
// every second row of blocks runs backwards
extern "C" __global__ void __launch_bounds__(256) matmul(const float *A, const float *B, float *C, int N)
{
    __shared__ float At[BK][BM];
    __shared__ float Bs[BK][BN];
    const int by = blockIdx.y;
    const int bx = (by & 1) ? gridDim.x - 1 - blockIdx.x : blockIdx.x;
    const int r0 = by * BM, c0 = bx * BN;
    const int tid = threadIdx.x, tx = tid & 15, ty = tid >> 4;
    float acc[4][4];
#pragma unroll
    for (int i = 0; i < 16; ++i) acc[i >> 2][i & 3] = 0.0f;

    for (int k0 = 0; k0 < N; k0 += BK) {
        for (int e = tid; e < BM * BK; e += 256) {
            int k = e & (BK - 1), m = e / BK;
            At[k][m ^ SWZ(k)] = r0 + m < N && k0 + k < N ? A[(r0 + m) * N + k0 + k] : 0.0f;
        }
        for (int e = tid; e < BK * BN; e += 256) {
            int k = e / BN, n = e & (BN - 1);
            Bs[k][n] = k0 + k < N && c0 + n < N ? B[(k0 + k) * N + c0 + n] : 0.0f;
        }
        __syncthreads();
#pragma unroll
        for (int k = 0; k < BK; ++k)
#pragma unroll
            for (int i = 0; i < 4; ++i) {
                float a = At[k][(ty + 16 * i) ^ SWZ(k)];
#pragma unroll
                for (int j = 0; j < 4; ++j)
                    acc[i][j] = fmaf(a, Bs[k][tx + 16 * j], acc[i][j]);
            }
        __syncthreads();
    }

    for (int i = 0; i < 4; ++i)
        for (int j = 0; j < 4; ++j) {
            int r = r0 + ty + 16 * i, c = c0 + tx + 16 * j;
            if (r < N && c < N) C[r * N + c] = acc[i][j];
        }
}

LAUNCH(.block = {256}, .tile = {BN, BM});

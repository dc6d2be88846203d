#include <lab.h>

constexpr int BM = 64, BN = 64, BK = 16;
constexpr int THREADS = 256;

// copies ROWS x COLS elements starting at (r0, c0) of an n x n matrix
template <int ROWS, int COLS>
__device__ void copyTile(float *dst, const float *src, int r0, int c0, int n)
{
    for (int i = threadIdx.x; i < ROWS * COLS; i += THREADS) {
        int r = r0 + i / COLS;
        int c = c0 + i % COLS;
        dst[i] = (r < n && c < n) ? src[r * n + c] : 0.0f;
    }
}

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    __shared__ float As[BM * BK];
    __shared__ float Bs[BK * BN];
    const int r0 = blockIdx.y * BM, c0 = blockIdx.x * BN;
    const int ty = threadIdx.x / 16, tx = threadIdx.x % 16;
    float acc[4][4] = {};

    for (int k0 = 0; k0 < N; k0 += BK) {
        copyTile<BM, BK>(As, A, r0, k0, N);
        copyTile<BN, BK>(Bs, B, k0, c0, N);
        __syncthreads();
        for (int k = 0; k < BK; k++)
            for (int i = 0; i < 4; i++)
                for (int j = 0; j < 4; j++)
                    acc[i][j] += As[(ty * 4 + i) * BK + k] * Bs[k * BN + tx + 16 * j];
        __syncthreads();
    }

    for (int i = 0; i < 4; i++)
        for (int j = 0; j < 4; j++) {
            int r = r0 + ty * 4 + i, c = c0 + tx + 16 * j;
            if (r < N && c < N) C[r * N + c] = acc[i][j];
        }
}

LAUNCH(.block = {THREADS}, .tile = {BN, BM});

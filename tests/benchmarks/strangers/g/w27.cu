#include <lab.h>

#define THREADS 128
#define TM 4
#define TN 4
#define BK 8

// 64 x 64 results per block, 4 x 4 per thread
extern "C" __global__ void __launch_bounds__(THREADS)
matmul(const float *__restrict__ A, const float *__restrict__ B, float *__restrict__ C, int N)
{
    __shared__ float As[BK][64 + 1];
    __shared__ float Bs[BK][64];

    const int x = threadIdx.x, y = threadIdx.y;
    const int id = y * blockDim.x + x;
    const int row0 = blockIdx.y * 64, col0 = blockIdx.x * 64;
    float acc[TM][TN] = {{0.0f}};

    for (int k0 = 0; k0 < N; k0 += BK) {
        for (int e = id; e < BK * 64; e += blockDim.x * blockDim.y) {
            int r = e / BK, k = e % BK;
            As[k][r] = (row0 + r < N && k0 + k < N) ? A[(row0 + r) * N + k0 + k] : 0.0f;
        }
        for (int e = id; e < BK * 64; e += blockDim.x * blockDim.y) {
            int k = e / 64, c = e % 64;
            Bs[k][c] = (k0 + k < N && col0 + c < N) ? B[(k0 + k) * N + col0 + c] : 0.0f;
        }
        __syncthreads();

        for (int k = 0; k < BK; ++k) {
            float a[TM], b[TN];
            for (int i = 0; i < TM; ++i) a[i] = As[k][y * TM + i];
            for (int j = 0; j < TN; ++j) b[j] = Bs[k][x * TN + j];
            for (int i = 0; i < TM; ++i)
                for (int j = 0; j < TN; ++j)
                    acc[i][j] += a[i] * b[j];
        }
        __syncthreads();
    }

    for (int i = 0; i < TM; ++i)
        for (int j = 0; j < TN; ++j) {
            int r = row0 + y * TM + i, c = col0 + x * TN + j;
            if (r < N && c < N)
                C[r * N + c] = acc[i][j];
        }
}

LAUNCH(.block = {16, 16}, .tile = {64, 64});

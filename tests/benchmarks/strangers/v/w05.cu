// Register blocking: 64x64 per block, 4x4 per thread.
#include <lab.h>

#define BM 64
#define BN 64
#define BK 16
#define TM 4
#define TN 4

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    __shared__ float As[BM][BK + 1];
    __shared__ float Bs[BK][BN];

    int tx = threadIdx.x, ty = threadIdx.y;
    int tid = ty * 16 + tx;
    int rowBase = blockIdx.y * BM;
    int colBase = blockIdx.x * BN;

    float acc[TM][TN];
    for (int i = 0; i < TM; ++i)
        for (int j = 0; j < TN; ++j)
            acc[i][j] = 0.0f;

    for (int k0 = 0; k0 < N; k0 += BK) {
        // 1024 elements each, 256 threads
        for (int e = tid; e < BM * BK; e += 256) {
            int r = e / BK, c = e % BK;
            As[r][c] = (rowBase + r < N && k0 + c < N) ? A[(rowBase + r) * N + k0 + c] : 0.0f;
        }
        for (int e = tid; e < BK * BN; e += 256) {
            int r = e / BN, c = e % BN;
            Bs[r][c] = (k0 + r < N && colBase + c < N) ? B[(k0 + r) * N + colBase + c] : 0.0f;
        }
        __syncthreads();

        for (int k = 0; k < BK; ++k) {
            float a[TM], b[TN];
            // stride 16 between the elements of a thread: no bank conflicts
            for (int i = 0; i < TM; ++i) a[i] = As[ty + 16 * i][k];
            for (int j = 0; j < TN; ++j) b[j] = Bs[k][tx + 16 * j];
            for (int i = 0; i < TM; ++i)
                for (int j = 0; j < TN; ++j)
                    acc[i][j] += a[i] * b[j];
        }
        __syncthreads();
    }

    for (int i = 0; i < TM; ++i) {
        int row = rowBase + ty * TM + i;
        for (int j = 0; j < TN; ++j) {
            int col = colBase + tx + 16 * j;
            if (row < N && col < N)
                C[row * N + col] = acc[i][j];
        }
    }
}

LAUNCH(.block = {16, 16}, .tile = {BN, BM});

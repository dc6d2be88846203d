#include <lab.h>

constexpr int BM = 128;
constexpr int BN = 128;
constexpr int BK = 64;
constexpr int STAGES = 4;
constexpr int THREADS = 256;

constexpr int A_ELEMS = BM * BK;
constexpr int B_ELEMS = BK * BN;
constexpr unsigned SMEM = STAGES * (A_ELEMS + B_ELEMS) * sizeof(float);

extern __shared__ float pool[];

__device__ void loadStage(int stage, const float *A, const float *B, int k0, int N)
{
    float *a = pool + stage * (A_ELEMS + B_ELEMS);
    float *b = a + A_ELEMS;
    for (int e = threadIdx.x; e < A_ELEMS; e += THREADS) {
        int r = blockIdx.y * BM + e / BK, k = k0 + e % BK;
        a[e] = r < N && k < N ? A[r * N + k] : 0.0f;
    }
    for (int e = threadIdx.x; e < B_ELEMS; e += THREADS) {
        int k = k0 + e / BN, c = blockIdx.x * BN + e % BN;
        b[e] = c < N && k < N ? B[k * N + c] : 0.0f;
    }
}

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    const int tx = threadIdx.x % 16, ty = threadIdx.x / 16;
    float acc[8][8] = {};
    const int tiles = (N + BK - 1) / BK;

    for (int t = 0; t < tiles; ++t) {
        const int stage = t % STAGES;
        loadStage(stage, A, B, t * BK, N);
        __syncthreads();
        const float *a = pool + stage * (A_ELEMS + B_ELEMS);
        const float *b = a + A_ELEMS;
        for (int k = 0; k < BK; ++k)
            for (int i = 0; i < 8; ++i)
                for (int j = 0; j < 8; ++j)
                    acc[i][j] += a[(ty + 16 * i) * BK + k] * b[k * BN + tx + 16 * j];
    }

    for (int i = 0; i < 8; ++i)
        for (int j = 0; j < 8; ++j) {
            int r = blockIdx.y * BM + ty + 16 * i, c = blockIdx.x * BN + tx + 16 * j;
            if (r < N && c < N)
                C[r * N + c] = acc[i][j];
        }
}

LAUNCH(.block = {THREADS}, .tile = {BN, BM}, .shared = SMEM);

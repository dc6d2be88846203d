/* Three levels of tiles:
 *   block   64 x 64     4 warps
 *   warp    32 x 32     2 x 2 warps in a block
 *   thread   4 x  8     8 x 4 lanes in a warp
 */
#include <lab.h>

constexpr int BM = 64, BN = 64, BK = 16;
constexpr int WM = 32, WN = 32;
constexpr int TM = 4,  TN = 8;
constexpr int NT = 128;

__device__ __forceinline__ float elementOrZero(const float *__restrict__ M, int r, int c, int n)
{
    return (r < n && c < n) ? __ldg(&M[r * n + c]) : 0.0f;
}

extern "C" __global__ void __launch_bounds__(NT)
matmul(const float *A, const float *B, float *C, int N)
{
    __shared__ float As[BK][BM + 1];     // k-major, so that the loop below walks along rows
    __shared__ float Bs[BK][BN];

    const int tid = threadIdx.x;

    // where am I?
    const int warp  = tid / 32;
    const int lane  = tid % 32;
    const int warpR = warp / (BN / WN);
    const int warpC = warp % (BN / WN);
    const int laneR = lane / (WN / TN);  // 0..7
    const int laneC = lane % (WN / TN);  // 0..3

    const int blockR = blockIdx.y * BM;
    const int blockC = blockIdx.x * BN;

    float acc[TM][TN];
#pragma unroll
    for (int i = 0; i < TM; ++i)
#pragma unroll
        for (int j = 0; j < TN; ++j)
            acc[i][j] = 0.0f;

    for (int k0 = 0; k0 < N; k0 += BK) {
        // --- load: 1024 elements each, 8 per thread
#pragma unroll
        for (int s = 0; s < BM * BK; s += NT) {
            const int e = s + tid;
            const int m = e / BK, k = e % BK;
            As[k][m] = elementOrZero(A, blockR + m, k0 + k, N);
        }
#pragma unroll
        for (int s = 0; s < BK * BN; s += NT) {
            const int e = s + tid;
            const int k = e / BN, n = e % BN;
            Bs[k][n] = elementOrZero(B, k0 + k, blockC + n, N);
        }
        __syncthreads();

        // --- compute
#pragma unroll
        for (int k = 0; k < BK; ++k) {
            float fa[TM], fb[TN];
#pragma unroll
            for (int i = 0; i < TM; ++i)
                fa[i] = As[k][warpR * WM + laneR + i];
#pragma unroll
            for (int j = 0; j < TN; ++j)
                fb[j] = Bs[k][warpC * WN + laneC * TN + j];
#pragma unroll
            for (int i = 0; i < TM; ++i)
#pragma unroll
                for (int j = 0; j < TN; ++j)
                    acc[i][j] = fmaf(fa[i], fb[j], acc[i][j]);
        }
        __syncthreads();
    }

    // --- store
    for (int i = 0; i < TM; ++i) {
        const int r = blockR + warpR * WM + laneR * TM + i;
        for (int j = 0; j < TN; ++j) {
            const int c = blockC + warpC * WN + laneC * TN + j;
            if (r < N && c < N)
                C[r * N + c] = acc[i][j];
        }
    }
}

LAUNCH(.block = {NT}, .tile = {BN, BM});

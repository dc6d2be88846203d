#include <lab.h>

// Register blocking 4 x 4, float4 loads if N is divisible by 4, scalar loads otherwise.
namespace tune {
constexpr int BM = 64, BN = 64, BK = 16;
constexpr int TM = 4, TN = 4;
constexpr int Threads = (BM / TM) * (BN / TN);
}
using namespace tune;

__device__ __forceinline__ float4 fetch4(const float *__restrict__ M, int r, int c, int n)
{
    float4 v = make_float4(0.0f, 0.0f, 0.0f, 0.0f);
    if (r >= n || c >= n)
        return v;
    const float *p = M + r * n + c;
    if (n % 4 == 0) {
        v = *reinterpret_cast<const float4 *>(p);
    } else {
        v.x = p[0];
        if (c + 1 < n) v.y = p[1];
        if (c + 2 < n) v.z = p[2];
        if (c + 3 < n) v.w = p[3];
    }
    return v;
}

extern "C" __global__ void __launch_bounds__(Threads)
matmul(const float *__restrict__ A, const float *__restrict__ B, float *__restrict__ C, int N)
{
    __shared__ __align__(16) float As[BK][BM];   // transposed
    __shared__ __align__(16) float Bs[BK][BN];

    const int tid = threadIdx.x;
    const int row0 = blockIdx.y * BM;
    const int col0 = blockIdx.x * BN;

    // what this thread loads
    const int aRow = tid / (BK / 4);
    const int aCol = tid % (BK / 4) * 4;
    const int bRow = tid / (BN / 4);
    const int bCol = tid % (BN / 4) * 4;

    // what this thread computes
    const int ty = tid / (BN / TN) * TM;
    const int tx = tid % (BN / TN) * TN;

    float acc[TM][TN] = {};

    for (int k0 = 0; k0 < N; k0 += BK) {
        const float4 a4 = fetch4(A, row0 + aRow, k0 + aCol, N);
        const float4 b4 = fetch4(B, k0 + bRow, col0 + bCol, N);

        As[aCol + 0][aRow] = a4.x;
        As[aCol + 1][aRow] = a4.y;
        As[aCol + 2][aRow] = a4.z;
        As[aCol + 3][aRow] = a4.w;
        *reinterpret_cast<float4 *>(&Bs[bRow][bCol]) = b4;
        __syncthreads();

#pragma unroll
        for (int k = 0; k < BK; ++k) {
            const float4 a = *reinterpret_cast<const float4 *>(&As[k][ty]);
            const float4 b = *reinterpret_cast<const float4 *>(&Bs[k][tx]);
            const float ra[TM] = {a.x, a.y, a.z, a.w};
            const float rb[TN] = {b.x, b.y, b.z, b.w};
#pragma unroll
            for (int i = 0; i < TM; ++i)
#pragma unroll
                for (int j = 0; j < TN; ++j)
                    acc[i][j] = fmaf(ra[i], rb[j], acc[i][j]);
        }
    }

    for (int i = 0; i < TM; ++i) {
        const int r = row0 + ty + i;
        const int c = col0 + tx;
        if (r >= N)
            break;
        for (int j = 0; j < TN && c + j < N; ++j)
            C[r * N + c + j] = acc[i][j];
    }
}

LAUNCH(.block = {Threads}, .tile = {BN, BM});

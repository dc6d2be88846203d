#include <lab.h>

constexpr int BM = 64, BN = 64, BK = 16, TM = 4, TN = 4;
constexpr int NT = (BM / TM) * (BN / TN);

// four elements from (r, c) on, zeros outside
__device__ __forceinline__ float4 quad(const float *M, int r, int c, int N)
{
    if (r >= N)
        return make_float4(0, 0, 0, 0);
    const float *p = M + r * N + c;
    if (N % 4 == 0 && c < N)    // then c + 3 < N too, because c is a multiple of 4
        return __ldg(reinterpret_cast<const float4 *>(p));
    return make_float4(c < N ? p[0] : 0, c + 1 < N ? p[1] : 0, c + 2 < N ? p[2] : 0, c + 3 < N ? p[3] : 0);
}

extern "C" __global__ __launch_bounds__(NT) void matmul(const float *A, const float *B, float *C, int N)
{
    __shared__ float As[BK][BM];
    __shared__ __align__(16) float Bs[BK][BN];

    const int t = threadIdx.x;
    const int tr = t / (BN / TN), tc = t % (BN / TN);
    const int row0 = blockIdx.y * BM, col0 = blockIdx.x * BN;

    const int ar = t / (BK / 4), ac = t % (BK / 4) * 4;     // 256 threads * 4 = 64 * 16
    const int br = t / (BN / 4), bc = t % (BN / 4) * 4;

    float acc[TM][TN] = {};
    for (int k0 = 0; k0 < N; k0 += BK) {
        const float4 a = quad(A, row0 + ar, k0 + ac, N);
        As[ac + 0][ar] = a.x;
        As[ac + 1][ar] = a.y;
        As[ac + 2][ar] = a.z;
        As[ac + 3][ar] = a.w;
        *reinterpret_cast<float4 *>(&Bs[br][bc]) = quad(B, k0 + br, col0 + bc, N);
        __syncthreads();

#pragma unroll
        for (int k = 0; k < BK; ++k) {
            const float4 b = *reinterpret_cast<const float4 *>(&Bs[k][tc * TN]);
#pragma unroll
            for (int i = 0; i < TM; ++i) {
                const float v = As[k][tr * TM + i];
                acc[i][0] += v * b.x;
                acc[i][1] += v * b.y;
                acc[i][2] += v * b.z;
                acc[i][3] += v * b.w;
            }
        }
        __syncthreads();
    }

    const int c = col0 + tc * TN;
    for (int i = 0; i < TM; ++i) {
        const int r = row0 + tr * TM + i;
        if (r >= N)
            break;
        if (N % 4 == 0 && c < N)
            *reinterpret_cast<float4 *>(C + r * N + c) = make_float4(acc[i][0], acc[i][1], acc[i][2], acc[i][3]);
        else
            for (int j = 0; j < TN; ++j)
                if (c + j < N)
                    C[r * N + c + j] = acc[i][j];
    }
}

LAUNCH(.block = {NT}, .tile = {BN, BM});

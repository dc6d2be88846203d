#include <lab.h>

#define BM 64
#define BN 64
#define BK 16

// Vectors of four where the rows are aligned (N % 4 == 0), single floats elsewhere.
template <bool VEC>
static __device__ void run(const float *__restrict__ A, const float *__restrict__ B, float *__restrict__ C, int N,
                           float (*As)[BM + 4], float (*Bs)[BN])
{
    const int tid = threadIdx.x;
    const int r0 = blockIdx.y * BM, c0 = blockIdx.x * BN;
    const int ar = tid / 4, ak = tid % 4 * 4;     // 64 rows of 4 vectors
    const int bk = tid / 16, bc = tid % 16 * 4;   // 16 rows of 16 vectors
    const int ty = tid / 16 * 4, tx = tid % 16 * 4;
    float acc[4][4] = {};

    for (int k0 = 0; k0 < N; k0 += BK) {
        float4 a = make_float4(0, 0, 0, 0), b = a;
        if (VEC) {
            if (r0 + ar < N && k0 + ak < N)
                a = *reinterpret_cast<const float4 *>(A + (r0 + ar) * N + k0 + ak);
            if (k0 + bk < N && c0 + bc < N)
                b = *reinterpret_cast<const float4 *>(B + (k0 + bk) * N + c0 + bc);
        } else {
            if (r0 + ar < N) {
                const float *p = A + (r0 + ar) * N;
                const int k = k0 + ak;
                if (k < N) a.x = p[k];
                if (k + 1 < N) a.y = p[k + 1];
                if (k + 2 < N) a.z = p[k + 2];
                if (k + 3 < N) a.w = p[k + 3];
            }
            if (k0 + bk < N) {
                const float *p = B + (k0 + bk) * N;
                const int c = c0 + bc;
                if (c < N) b.x = p[c];
                if (c + 1 < N) b.y = p[c + 1];
                if (c + 2 < N) b.z = p[c + 2];
                if (c + 3 < N) b.w = p[c + 3];
            }
        }
        As[ak][ar] = a.x;
        As[ak + 1][ar] = a.y;
        As[ak + 2][ar] = a.z;
        As[ak + 3][ar] = a.w;
        *reinterpret_cast<float4 *>(&Bs[bk][bc]) = b;
        __syncthreads();

#pragma unroll
        for (int k = 0; k < BK; ++k) {
            const float4 u = *reinterpret_cast<const float4 *>(&As[k][ty]);
            const float4 v = *reinterpret_cast<const float4 *>(&Bs[k][tx]);
            const float us[4] = {u.x, u.y, u.z, u.w};
            const float vs[4] = {v.x, v.y, v.z, v.w};
            for (int i = 0; i < 4; ++i)
                for (int j = 0; j < 4; ++j)
                    acc[i][j] += us[i] * vs[j];
        }
        __syncthreads();
    }

    for (int i = 0; i < 4; ++i) {
        const int r = r0 + ty + i, c = c0 + tx;
        if (r >= N || c >= N)
            break;
        if (VEC) {
            *reinterpret_cast<float4 *>(C + r * N + c) = make_float4(acc[i][0], acc[i][1], acc[i][2], acc[i][3]);
        } else {
            for (int j = 0; j < 4 && c + j < N; ++j)
                C[r * N + c + j] = acc[i][j];
        }
    }
}

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    __shared__ __align__(16) float As[BK][BM + 4];
    __shared__ __align__(16) float Bs[BK][BN];
    if (N & 3)
        run<false>(A, B, C, N, As, Bs);
    else
        run<true>(A, B, C, N, As, Bs);
}

LAUNCH(.block = {256}, .tile = {BN, BM});

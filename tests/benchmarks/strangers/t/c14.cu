#include <lab.h>

namespace cfg {
constexpr int bm = 128, bn = 64, bk = 8;    // tile
constexpr int pm = 8, pn = 4;               // per thread
constexpr int threads = (bm / pm) * (bn / pn);
static_assert(threads == 256, "loads below assume 256 threads");
}

__device__ __forceinline__ void fma_ptx(float &d, float a, float b)
{
    asm("fma.rn.f32 %0, %1, %2, %0;" : "+f"(d) : "f"(a), "f"(b));
}

extern "C" __global__ void __launch_bounds__(cfg::threads)
matmul(const float *__restrict__ A, const float *__restrict__ B, float *__restrict__ C, int N)
{
    using namespace cfg;
    __shared__ float as[bk][bm + 1];
    __shared__ float bs[bk][bn];

    const int tid = threadIdx.y * 16 + threadIdx.x;
    const int row0 = blockIdx.y * bm, col0 = blockIdx.x * bn;

    float acc[pm][pn];
    #pragma unroll
    for (int i = 0; i < pm * pn; ++i)
        acc[i / pn][i % pn] = 0.0f;

    for (int k0 = 0; k0 < N; k0 += bk) {
        for (int i = tid; i < bm * bk; i += threads) {
            const int m = i / bk, k = i % bk;
            const bool ok = row0 + m < N && k0 + k < N;
            as[k][m] = ok ? A[(row0 + m) * N + k0 + k] : 0.0f;
        }
        for (int i = tid; i < bk * bn; i += threads) {
            const int k = i / bn, n = i % bn;
            const bool ok = k0 + k < N && col0 + n < N;
            bs[k][n] = ok ? B[(k0 + k) * N + col0 + n] : 0.0f;
        }
        __syncthreads();

        #pragma unroll
        for (int k = 0; k < bk; ++k) {
            float a[pm], b[pn];
            for (int i = 0; i < pm; ++i) a[i] = as[k][threadIdx.y + 16 * i];
            for (int j = 0; j < pn; ++j) b[j] = bs[k][threadIdx.x + 16 * j];
            for (int i = 0; i < pm; ++i)
                for (int j = 0; j < pn; ++j)
                    fma_ptx(acc[i][j], a[i], b[j]);
        }
        __syncthreads();
    }

    for (int i = 0; i < pm; ++i) {
        const int r = row0 + threadIdx.y + 16 * i;
        for (int j = 0; j < pn; ++j) {
            const int c = col0 + threadIdx.x + 16 * j;
            if (r < N && c < N)
                C[r * N + c] = acc[i][j];
        }
    }
}

LAUNCH(.block = {16, 16}, .tile = {cfg::bn, cfg::bm});

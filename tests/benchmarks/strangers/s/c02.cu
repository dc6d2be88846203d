#include <lab.h>

// Engine math sandbox, week 5: fully templated register-blocked GEMM

template <int TRows, int TCols>
struct Fragment
{
    float v[TRows][TCols];

    __device__ void Clear()
    {
        #pragma unroll
        for (int i = 0; i < TRows; ++i)
            #pragma unroll
            for (int j = 0; j < TCols; ++j)
                v[i][j] = 0.f;
    }

    __device__ void Accumulate(const float (&a)[TRows], const float (&b)[TCols])
    {
        #pragma unroll
        for (int i = 0; i < TRows; ++i)
            #pragma unroll
            for (int j = 0; j < TCols; ++j)
                v[i][j] = fmaf(a[i], b[j], v[i][j]);
    }
};

template <int TTileM, int TTileN, int TTileK, int TM, int TN>
struct Gemm
{
    static constexpr int kThreadsX = TTileN / TN;
    static constexpr int kThreadsY = TTileM / TM;
    static constexpr int kThreads  = kThreadsX * kThreadsY;

    template <int TR, int TC, typename TStore>
    __device__ static void Fetch(const float* src, int r0, int c0, int n, int tid, TStore store)
    {
        for (int e = tid; e < TR * TC; e += kThreads)
        {
            const int r = e / TC, c = e % TC;
            const bool inside = r0 + r < n && c0 + c < n;
            store(r, c, inside ? src[(r0 + r) * n + c0 + c] : 0.f);
        }
    }

    __device__ static void Run(float (*sa)[TTileM + 1], float (*sb)[TTileN],
                               const float* A, const float* B, float* C, int n)
    {
        const int tx = threadIdx.x, ty = threadIdx.y, tid = ty * kThreadsX + tx;
        const int r0 = blockIdx.y * TTileM, c0 = blockIdx.x * TTileN;

        Fragment<TM, TN> acc;
        acc.Clear();

        for (int k0 = 0; k0 < n; k0 += TTileK)
        {
            Fetch<TTileM, TTileK>(A, r0, k0, n, tid, [=](int r, int c, float x) { sa[c][r] = x; });
            Fetch<TTileK, TTileN>(B, k0, c0, n, tid, [=](int r, int c, float x) { sb[r][c] = x; });
            __syncthreads();

            for (int k = 0; k < TTileK; ++k)
            {
                float a[TM], b[TN];
                for (int i = 0; i < TM; ++i) a[i] = sa[k][ty + i * kThreadsY];
                for (int j = 0; j < TN; ++j) b[j] = sb[k][tx + j * kThreadsX];
                acc.Accumulate(a, b);
            }
            __syncthreads();
        }

        for (int i = 0; i < TM; ++i)
            for (int j = 0; j < TN; ++j)
            {
                const int r = r0 + ty + i * kThreadsY, c = c0 + tx + j * kThreadsX;
                if (r < n && c < n)
                    C[r * n + c] = acc.v[i][j];
            }
    }
};

using Config = Gemm<64, 64, 16, 4, 4>;

extern "C" __global__ void matmul(const float* A, const float* B, float* C, int N)
{
    __shared__ float sa[16][64 + 1];
    __shared__ float sb[16][64];
    Config::Run(sa, sb, A, B, C, N);
}

LAUNCH(.block = {Config::kThreadsX, Config::kThreadsY}, .tile = {64, 64});

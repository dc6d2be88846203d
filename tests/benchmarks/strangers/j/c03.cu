#include <lab.h>

// 64 threads, 8 x 8 results each. With 16-byte accesses if all rows are aligned, with single floats otherwise.
constexpr int BM = 64, BN = 64, BK = 16, LDA = BM + 4;

struct Shared {
    float a[BK][LDA];   // transposed
    float b[BK][BN];
};

__device__ inline bool aligned16(const void *p) { return reinterpret_cast<size_t>(p) % 16 == 0; }

template <bool VEC>
__device__ inline float4 load4(const float *m, int r, int c, int n)
{
    if constexpr (VEC) {
        if (r < n && c < n)
            return *reinterpret_cast<const float4 *>(m + r * n + c);
        return make_float4(0, 0, 0, 0);
    } else {
        float4 v;
        v.x = r < n && c < n ? m[r * n + c] : 0.0f;
        v.y = r < n && c + 1 < n ? m[r * n + c + 1] : 0.0f;
        v.z = r < n && c + 2 < n ? m[r * n + c + 2] : 0.0f;
        v.w = r < n && c + 3 < n ? m[r * n + c + 3] : 0.0f;
        return v;
    }
}

template <bool VEC>
__device__ void work(Shared &s, const float *A, const float *B, float *C, int N)
{
    const int tx = threadIdx.x, ty = threadIdx.y, tid = ty * 8 + tx;
    const int row0 = blockIdx.y * BM, col0 = blockIdx.x * BN;
    float acc[8][8] = {};

    for (int k0 = 0; k0 < N; k0 += BK) {
        for (int i = tid; i < BM * BK / 4; i += 64) {
            const int r = i / (BK / 4), q = i % (BK / 4) * 4;
            const float4 v = load4<VEC>(A, row0 + r, k0 + q, N);
            s.a[q][r] = v.x;
            s.a[q + 1][r] = v.y;
            s.a[q + 2][r] = v.z;
            s.a[q + 3][r] = v.w;
        }
        for (int i = tid; i < BK * BN / 4; i += 64) {
            const int r = i / (BN / 4), q = i % (BN / 4) * 4;
            *reinterpret_cast<float4 *>(&s.b[r][q]) = load4<VEC>(B, k0 + r, col0 + q, N);
        }
        __syncthreads();
#pragma unroll 4
        for (int k = 0; k < BK; ++k) {
            __align__(16) float x[8], y[8];
#pragma unroll
            for (int h = 0; h < 8; h += 4) {
                *reinterpret_cast<float4 *>(x + h) = *reinterpret_cast<const float4 *>(&s.a[k][ty * 8 + h]);
                *reinterpret_cast<float4 *>(y + h) = *reinterpret_cast<const float4 *>(&s.b[k][tx * 8 + h]);
            }
#pragma unroll
            for (int i = 0; i < 8; ++i)
#pragma unroll
                for (int j = 0; j < 8; ++j)
                    acc[i][j] += x[i] * y[j];
        }
        __syncthreads();
    }

    for (int i = 0; i < 8; ++i) {
        const int r = row0 + ty * 8 + i;
        for (int h = 0; h < 8; h += 4) {
            const int c = col0 + tx * 8 + h;
            if (r >= N)
                continue;
            if (VEC && c < N) {
                *reinterpret_cast<float4 *>(C + r * N + c) =
                    make_float4(acc[i][h], acc[i][h + 1], acc[i][h + 2], acc[i][h + 3]);
            } else {
                for (int j = 0; j < 4; ++j)
                    if (c + j < N)
                        C[r * N + c + j] = acc[i][h + j];
            }
        }
    }
}

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    __shared__ __align__(16) Shared s;
    if (N % 4 == 0 && aligned16(A) && aligned16(B) && aligned16(C))
        work<true>(s, A, B, C, N);
    else
        work<false>(s, A, B, C, N);
}

LAUNCH(.block = {8, 8}, .tile = {BN, BM});

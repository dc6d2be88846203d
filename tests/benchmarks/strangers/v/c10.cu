#include <lab.h>

// Register blocking, two buffers, one barrier per step. Rectangular: 64 rows, 96 columns.
template <int Rows, int Cols>
struct Buffer {
    float v[Rows][Cols];
};

constexpr int BM = 64, BN = 96, BK = 8;
constexpr int TX = 24, TY = 8, NT = TX * TY;
constexpr int TM = BM / TY, TN = BN / TX;
constexpr int LA = (BM * BK + NT - 1) / NT, LB = (BK * BN + NT - 1) / NT;

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    __shared__ Buffer<BK, BM + 1> sa[2];   // sa[.].v[k][m]
    __shared__ Buffer<BK, BN> sb[2];
    const int tid = threadIdx.y * TX + threadIdx.x;
    const int i0 = blockIdx.y * BM, j0 = blockIdx.x * BN;
    float ra[LA], rb[LB];

    auto fetch = [&](int k0) {
        for (int q = 0; q < LA; ++q) {
            const int e = tid + q * NT, m = e / BK, k = e % BK;
            ra[q] = e < BM * BK && i0 + m < N && k0 + k < N ? A[(i0 + m) * N + k0 + k] : 0.0f;
        }
        for (int q = 0; q < LB; ++q) {
            const int e = tid + q * NT, k = e / BN, n = e % BN;
            rb[q] = e < BK * BN && k0 + k < N && j0 + n < N ? B[(k0 + k) * N + j0 + n] : 0.0f;
        }
    };
    auto stash = [&](int which) {
        for (int q = 0; q < LA; ++q) {
            const int e = tid + q * NT;
            if (e < BM * BK) sa[which].v[e % BK][e / BK] = ra[q];
        }
        for (int q = 0; q < LB; ++q) {
            const int e = tid + q * NT;
            if (e < BK * BN) sb[which].v[e / BN][e % BN] = rb[q];
        }
    };

    float acc[TM][TN] = {};
    int now = 0;
    fetch(0);
    stash(now);
    __syncthreads();
    for (int k0 = 0; k0 < N; k0 += BK) {
        const bool more = k0 + BK < N;
        if (more) fetch(k0 + BK);
        for (int k = 0; k < BK; ++k)
            for (int m = 0; m < TM; ++m)
                for (int n = 0; n < TN; ++n)
                    acc[m][n] += sa[now].v[k][threadIdx.y + m * TY] * sb[now].v[k][threadIdx.x + n * TX];
        now ^= 1;
        if (more) stash(now);
        __syncthreads();
    }

    for (int m = 0; m < TM; ++m)
        for (int n = 0; n < TN; ++n) {
            const int i = i0 + threadIdx.y + m * TY, j = j0 + threadIdx.x + n * TX;
            if (i < N && j < N) C[i * N + j] = acc[m][n];
        }
}

LAUNCH(.block = {TX, TY}, .tile = {BN, BM});

// double buffering, 4 x 4 elements per thread
#include <lab.h>

constexpr int TM = 64;
constexpr int TN = 64;
constexpr int TK = 64;

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    __shared__ float As[2][TK][TM];
    __shared__ float Bs[2][TK][TN];

    const int tx = threadIdx.x % 16, ty = threadIdx.x / 16;
    const int m0 = blockIdx.y * TM, n0 = blockIdx.x * TN;
    float acc[4][4] = {};

    auto load = [&](int stage, int k0) {
        for (int e = threadIdx.x; e < TM * TK; e += 256) {
            const int k = e % TK, m = e / TK;
            As[stage][k][m] = (m0 + m < N && k0 + k < N) ? A[(m0 + m) * N + k0 + k] : 0.0f;
        }
        for (int e = threadIdx.x; e < TK * TN; e += 256) {
            const int n = e % TN, k = e / TN;
            Bs[stage][k][n] = (n0 + n < N && k0 + k < N) ? B[(k0 + k) * N + n0 + n] : 0.0f;
        }
    };

    load(0, 0);
    __syncthreads();
    int stage = 0;
    for (int k0 = 0; k0 < N; k0 += TK) {
        if (k0 + TK < N)
            load(1 - stage, k0 + TK);
        for (int k = 0; k < TK; ++k)
            for (int i = 0; i < 4; ++i)
                for (int j = 0; j < 4; ++j)
                    acc[i][j] += As[stage][k][ty + 16 * i] * Bs[stage][k][tx + 16 * j];
        __syncthreads();
        stage = 1 - stage;
    }

    for (int i = 0; i < 4; ++i)
        for (int j = 0; j < 4; ++j)
            if (m0 + ty + 16 * i < N && n0 + tx + 16 * j < N)
                C[(m0 + ty + 16 * i) * N + n0 + tx + 16 * j] = acc[i][j];
}

LAUNCH(.block = {256}, .tile = {TN, TM});

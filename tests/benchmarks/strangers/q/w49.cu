#include <lab.h>

#define BM 64
#define BK 64

// big tiles + double buffering, 32x8 threads, each does 8 rows x 2 columns
extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    __shared__ float a[2][BM][BK];
    __shared__ float b[2][BK][BM];
    const int tx = threadIdx.x, ty = threadIdx.y, tid = ty * 32 + tx;
    const int r0 = blockIdx.y * BM, c0 = blockIdx.x * BM;

    auto stage = [&](int s, int k0) {
        for (int e = tid; e < BM * BK; e += 256) {
            int r = e / BK, k = e % BK;
            a[s][r][k] = (r0 + r < N && k0 + k < N) ? A[(r0 + r) * N + k0 + k] : 0.0f;
        }
        for (int e = tid; e < BK * BM; e += 256) {
            int k = e / BM, c = e % BM;
            b[s][k][c] = (k0 + k < N && c0 + c < N) ? B[(k0 + k) * N + c0 + c] : 0.0f;
        }
    };

    float acc[8][2] = {};
    stage(0, 0);
    __syncthreads();
    for (int k0 = 0, s = 0; k0 < N; k0 += BK, s ^= 1) {
        if (k0 + BK < N)
            stage(s ^ 1, k0 + BK);
        for (int k = 0; k < BK; ++k)
            for (int i = 0; i < 8; ++i) {
                acc[i][0] += a[s][ty + 8 * i][k] * b[s][k][tx];
                acc[i][1] += a[s][ty + 8 * i][k] * b[s][k][tx + 32];
            }
        __syncthreads();
    }

    for (int i = 0; i < 8; ++i)
        for (int j = 0; j < 2; ++j) {
            int r = r0 + ty + 8 * i, c = c0 + tx + 32 * j;
            if (r < N && c < N)
                C[r * N + c] = acc[i][j];
        }
}

LAUNCH(.block = {32, 8}, .tile = {BM, BM});

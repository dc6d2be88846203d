#include <lab.h>

// 64 x 64 tile per block, 4 x 4 results per thread
constexpr int TS = 64;
constexpr int KS = 16;

extern "C" __global__ void __launch_bounds__(256)
matmul(const float *__restrict__ A, const float *__restrict__ B, float *__restrict__ C, int N)
{
    __shared__ float As[TS][KS + 1];
    __shared__ float Bs[KS][TS];

    const int tx = threadIdx.x;
    const int ty = threadIdx.y;
    const int tid = ty * 16 + tx;
    const int row0 = blockIdx.y * TS;
    const int col0 = blockIdx.x * TS;

    float acc[4][4] = {};

    for (int k0 = 0; k0 < N; k0 += KS) {
        for (int e = tid; e < TS * KS; e += 256) {
            int r = e / KS, k = e % KS;
            As[r][k] = (row0 + r < N && k0 + k < N) ? A[(row0 + r) * N + k0 + k] : 0.0f;
        }
        for (int e = tid; e < KS * TS; e += 256) {
            int k = e / TS, c = e % TS;
            Bs[k][c] = (k0 + k < N && col0 + c < N) ? B[(k0 + k) * N + col0 + c] : 0.0f;
        }
        __syncthreads();

        for (int k = 0; k < KS; ++k) {
            float a[4], b[4];
            for (int i = 0; i < 4; ++i) a[i] = As[ty + 16 * i][k];
            for (int j = 0; j < 4; ++j) b[j] = Bs[k][tx + 16 * j];
            for (int i = 0; i < 4; ++i)
                for (int j = 0; j < 4; ++j)
                    acc[i][j] += a[i] * b[j];
        }
        __syncthreads();
    }

    for (int i = 0; i < 4; ++i) {
        int r = row0 + ty + 16 * i;
        for (int j = 0; j < 4; ++j) {
            int c = col0 + tx * 4 + j;
            if (r < N && c < N)
                C[r * N + c] = acc[i][j];
        }
    }
}

LAUNCH(.block = {16, 16}, .tile = {TS, TS});

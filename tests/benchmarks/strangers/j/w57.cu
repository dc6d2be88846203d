#include <lab.h>

#define BM 32
#define BN 64
#define BK 16
#define FOR(i, n) for (int i = 0; i < (n); ++i)

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    __shared__ float As[BK][BM + 1];   // transposed
    __shared__ float Bs[BK][BN];

    const int tx = threadIdx.x, ty = threadIdx.y;
    const int row0 = blockIdx.y * BM, col0 = blockIdx.x * BN;
    float acc[2][4] = {};

    for (int k0 = 0; k0 < N; k0 += BK) {
        FOR(i, 2) {
            const int m = ty + 16 * i;
            As[tx][m] = row0 + m < N && k0 + tx < N ? A[(row0 + m) * N + k0 + tx] : 0.0f;
        }
        FOR(j, 4) {
            const int n = tx + 16 * j;
            Bs[ty][n] = k0 + ty < N && col0 + n < N ? B[(k0 + ty) * N + col0 + n] : 0.0f;
        }
        __syncthreads();

        FOR(k, BK) {
            float b[4];
            FOR(j, 4) b[j] = Bs[k][tx + 16 * j];
            FOR(i, 2) {
                const float a = As[k][ty + 16 * i];
                FOR(j, 4) acc[i][j] += a * b[j];
            }
        }
        __syncthreads();
    }

    FOR(i, 2) {
        const int r = row0 + ty + 16 * i;
        FOR(j, 4) {
            const int c = col0 + 4 * tx + j;
            if (r < N && c < N)
                C[r * N + c] = acc[i][j];
        }
    }
}

LAUNCH(.block = {16, 16}, .tile = {BN, BM});

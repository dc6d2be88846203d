#include <lab.h>

// 64 x 64 tile, 8 deep, 128 threads; thread = 8 x 4 results
constexpr int BM = 64;
constexpr int BN = 64;
constexpr int BK = 8;

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    __shared__ float At[BK][BM + 1];
    __shared__ float Bs[BK][BN];

    const int tid = threadIdx.x;
    const int tx = tid % 16, ty = tid / 16;  // 16 x 8
    const int row0 = blockIdx.y * BM;
    const int col0 = blockIdx.x * BN;
    const int br = tid / 16, bc = tid % 16 * 4;

    float acc[8][4] = {};

    for (int k0 = 0; k0 < N; k0 += BK) {
        for (int e = tid; e < BM * BK; e += 128) {
            const int m = e / BK, k = e % BK;
            At[k][m] = (row0 + m < N && k0 + k < N) ? A[(row0 + m) * N + k0 + k] : 0.0f;
        }
        // B: four neighbours per thread
        for (int v = 0; v < 4; v++) {
            Bs[br][bc + v] = 0.0f;
            if (k0 + br < N && col0 + bc < N)
                Bs[br][bc + v] = B[(k0 + br) * N + col0 + bc + v];
        }
        __syncthreads();

        for (int k = 0; k < BK; k++) {
            float b[4];
            for (int j = 0; j < 4; j++) b[j] = Bs[k][tx + 16 * j];
            for (int i = 0; i < 8; i++) {
                const float a = At[k][ty * 8 + i];
                for (int j = 0; j < 4; j++) acc[i][j] += a * b[j];
            }
        }
        __syncthreads();
    }

    for (int i = 0; i < 8; i++) {
        const int r = row0 + ty * 8 + i;
        for (int j = 0; j < 4; j++) {
            const int c = col0 + tx + 16 * j;
            if (r < N && c < N) C[r * N + c] = acc[i][j];
        }
    }
}

LAUNCH(.block = {128}, .tile = {BN, BM});

// Lab 4 - register blocking, 4x4 per thread
#include <lab.h>

#define TS 32      // tile side
#define KS 8       // slice of k
#define RP 4       // results per thread and direction

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    __shared__ float sa[TS][KS];
    __shared__ float sb[KS][TS];

    const int tx = threadIdx.x;          // 0..7
    const int ty = threadIdx.y;          // 0..7
    const int tid = ty * 8 + tx;
    const int row0 = blockIdx.y * TS;
    const int col0 = blockIdx.x * TS;

    float acc[RP][RP];
    for (int i = 0; i < RP; i++)
        for (int j = 0; j < RP; j++)
            acc[i][j] = 0.f;

    for (int k0 = 0; k0 < N; k0 += KS) {
        // 64 threads bring 256 values of A and 256 of B
        for (int p = tid; p < TS * KS; p += 64) {
            int r = p / KS, c = p % KS;
            sa[r][c] = (row0 + r < N && k0 + c < N) ? A[(row0 + r) * N + k0 + c] : 0.f;
        }
        for (int p = tid; p < KS * TS; p += 64) {
            int r = p / TS, c = p % TS;
            sb[r][c] = (k0 + r < N && col0 + c < N) ? B[(k0 + r) * N + col0 + c] : 0.f;
        }
        __syncthreads();

        for (int k = 0; k < KS; k++)
            for (int i = 0; i < RP; i++)
                for (int j = 0; j < RP; j++)
                    acc[i][j] += sa[ty * RP + i][k] * sb[k][tx * RP + j];
        __syncthreads();
    }

    for (int i = 0; i < RP; i++)
        for (int j = 0; j < RP; j++) {
            int r = row0 + ty * RP + i;
            int c = col0 + tx * RP + j;
            if (r < N && c < N)
                C[r * N + c] = acc[j][i];
        }
}

LAUNCH(.block = {8, 8}, .tile = {TS, TS});

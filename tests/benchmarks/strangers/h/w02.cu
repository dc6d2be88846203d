#include <lab.h>

#define BLOCK 16
#define TM 2
#define TN 4

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    __shared__ float As[BLOCK * TM][BLOCK];
    __shared__ float Bs[BLOCK][BLOCK * TN];

    int tx = threadIdx.x, ty = threadIdx.y;
    int row0 = blockIdx.y * BLOCK * TM;
    int col0 = blockIdx.x * BLOCK * TN;

    float acc[TM][TN];
    for (int i = 0; i < TM; i++)
        acc[i][0] = 0.0f;

    for (int k0 = 0; k0 < N; k0 += BLOCK) {
        for (int i = 0; i < TM; i++) {
            int r = row0 + ty + i * BLOCK;
            As[ty + i * BLOCK][tx] = (r < N && k0 + tx < N) ? A[r * N + k0 + tx] : 0.0f;
        }
        for (int j = 0; j < TN; j++) {
            int c = col0 + tx + j * BLOCK;
            Bs[ty][tx + j * BLOCK] = (k0 + ty < N && c < N) ? B[(k0 + ty) * N + c] : 0.0f;
        }
        __syncthreads();

        for (int k = 0; k < BLOCK; k++)
            for (int i = 0; i < TM; i++)
                for (int j = 0; j < TN; j++)
                    acc[i][j] += As[ty + i * BLOCK][k] * Bs[k][tx + j * BLOCK];
        __syncthreads();
    }

    for (int i = 0; i < TM; i++)
        for (int j = 0; j < TN; j++) {
            int r = row0 + ty + i * BLOCK, c = col0 + tx + j * BLOCK;
            if (r < N && c < N)
                C[r * N + c] = acc[i][j];
        }
}

LAUNCH(.block = {BLOCK, BLOCK}, .tile = {BLOCK * TN, BLOCK * TM});

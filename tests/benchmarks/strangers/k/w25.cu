#include <lab.h>

#define ROWS_A 64
#define KSTEP 8
#define COLS_B 32
#define THREADS 256

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    __shared__ float blkA[ROWS_A * KSTEP];
    __shared__ float blkB[KSTEP * COLS_B];

    int tid = threadIdx.x;
    int row0 = blockIdx.y * ROWS_A, col0 = blockIdx.x * COLS_B;
    int myCol = tid % COLS_B;
    int myRow = tid / COLS_B;  // 0..7, then every 8th row
    float acc[8];
    for (int i = 0; i < 8; i++)
        acc[i] = 0;

    for (int k0 = 0; k0 < N; k0 += KSTEP) {
        for (int i = tid; i < KSTEP * COLS_B; i += THREADS) {
            int k = k0 + i / COLS_B;
            int c = col0 + i % COLS_B;
            blkB[i] = (k < N && c < N) ? B[k * N + c] : 0.0f;
        }
        for (int i = tid; i <= ROWS_A * KSTEP; i += THREADS) {
            int r = row0 + i / KSTEP;
            int k = k0 + i % KSTEP;
            blkA[i] = (r < N && k < N) ? A[r * N + k] : 0.0f;
        }
        __syncthreads();
        for (int k = 0; k < KSTEP; k++) {
            float b = blkB[k * COLS_B + myCol];
            for (int i = 0; i < 8; i++)
                acc[i] += blkA[(myRow + 8 * i) * KSTEP + k] * b;
        }
        __syncthreads();
    }

    for (int i = 0; i < 8; i++) {
        int r = row0 + myRow + 8 * i;
        int c = col0 + myCol;
        if (r < N && c < N)
            C[r * N + c] = acc[i];
    }
}

LAUNCH(.block = {THREADS, 1, 1}, .tile = {COLS_B, ROWS_A});

#include <lab.h>

// blockIdx.x runs down the rows here (ROWS). 32 rows x 64 columns per block; 32 x 8 threads;
// 2 columns (float2 in smem) by 4 rows for each thread.
#define ROWS_PER_BLOCK 32
#define COLS_PER_BLOCK 64
#define DEPTH 16
#define IN(r, c) ((r) < N && (c) < N)

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    __shared__ float aT[DEPTH][ROWS_PER_BLOCK];
    __shared__ float2 bb[DEPTH][COLS_PER_BLOCK / 2];

    int t = threadIdx.x, w = threadIdx.y;
    int r0 = blockIdx.x * ROWS_PER_BLOCK;
    int c0 = blockIdx.y * COLS_PER_BLOCK;
    float2 acc[4];
    for (int i = 0; i < 4; i++)
        acc[i] = make_float2(0.0f, 0.0f);

    for (int k0 = 0; k0 < N; k0 += DEPTH) {
        for (int k = w; k < DEPTH; k += 8) {
            aT[k][t] = IN(r0 + t, k0 + k) ? A[(r0 + t) * N + k0 + k] : 0.0f;
            int c = c0 + 2 * t;
            float2 v;
            v.x = IN(k0 + k, c) ? B[(k0 + k) * N + c] : 0.0f;
            v.y = IN(k0 + k, c + 1) ? B[(k0 + k) * N + c + 1] : 0.0f;
            bb[k][t] = v;
        }
        __syncthreads();
        for (int k = 0; k < DEPTH; k++) {
            float2 b = bb[k][t];
            for (int i = 0; i < 4; i++) {
                float a = aT[k][w * 4 + i];
                acc[i].x += a * b.x;
                acc[i].y += a * b.y;
            }
        }
        __syncthreads();
    }

    for (int i = 0; i < 4; i++) {
        int r = r0 + w * 4 + i, c = c0 + 2 * t;
        if (IN(r, c)) C[r * N + c] = acc[i].x;
        if (IN(r, c + 1)) C[r * N + c + 1] = acc[i].y;
    }
}

LAUNCH(.block = {32, 8}, .tile = {COLS_PER_BLOCK, ROWS_PER_BLOCK}, .grid_x = ROWS);

#include <lab.h>

#define TILE_COLS 32
#define TILE_ROWS 8

extern __shared__ float dyn[];

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    float (*sa)[TILE_COLS] = (float (*)[TILE_COLS])dyn;                              // 8 x 32
    float (*sb)[TILE_COLS] = (float (*)[TILE_COLS])(dyn + TILE_ROWS * TILE_COLS);    // 32 x 32

    int tx  = threadIdx.x, ty = threadIdx.y;
    int row = blockIdx.x * TILE_ROWS + ty;
    int col = blockIdx.y * TILE_COLS + tx;

    float acc = 0.0f;
    for (int k0 = 0; k0 < N; k0 += TILE_COLS)
    {
        sa[ty][tx] = (row < N && k0 + tx < N) ? A[(size_t)row * N + k0 + tx] : 0.0f;
        for (int y = ty; y < TILE_COLS; y += TILE_ROWS)
            sb[y][tx] = (k0 + y < N && col < N) ? B[(size_t)(k0 + y) * N + col] : 0.0f;
        __syncthreads();

        int kmax = min(TILE_COLS, N - k0);
        for (int k = 0; k < kmax; ++k)
            acc += sa[ty][k] * sb[k][tx];
        __syncthreads();
    }

    if (row < N && col < N)
        C[(size_t)row * N + col] = acc;
}

LAUNCH(.block = {TILE_COLS, TILE_ROWS}, .tile = {TILE_COLS, TILE_ROWS}, .shared = (TILE_ROWS + TILE_COLS) * TILE_COLS * sizeof(float), .grid_x = ROWS);

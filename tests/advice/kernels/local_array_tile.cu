// An array in local memory: a thread computes a column of 8 elements, and the loop over them is not unrolled.
#include <lab.h>

#define PRAGMA(text) _Pragma(#text)
#ifdef FIXED
#define OVER_RESULTS PRAGMA(unroll)
#else
#define OVER_RESULTS PRAGMA(unroll 1)
#endif
constexpr int TILE = 32, RESULTS = 8, LINES = TILE / RESULTS;

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    __shared__ float a[TILE][TILE], b[TILE][TILE];
    const int x = threadIdx.x, y = threadIdx.y, col = blockIdx.x * TILE + x, row0 = blockIdx.y * TILE;
    float sum[RESULTS] = {};
    for (int first = 0; first < N; first += TILE) {
        for (int line = y; line < TILE; line += LINES) {
            a[line][x] = row0 + line < N && first + x < N ? A[(row0 + line) * N + first + x] : 0.0f;
            b[line][x] = first + line < N && col < N ? B[(first + line) * N + col] : 0.0f;
        }
        __syncthreads();
        for (int k = 0; k < TILE; ++k) {
            OVER_RESULTS
            for (int i = 0; i < RESULTS; ++i)
                sum[i] += a[y * RESULTS + i][k] * b[k][x];
        }
        __syncthreads();
    }
    OVER_RESULTS
    for (int i = 0; i < RESULTS; ++i)
        if (row0 + y * RESULTS + i < N && col < N)
            C[(row0 + y * RESULTS + i) * N + col] = sum[i];
}

LAUNCH(.block = {TILE, LINES}, .tile = {TILE, TILE});

#include <lab.h>

// A block of 96 threads covers a large tile by itself: strips of 96 columns, and in each strip 8 rows at a time.
enum { THREADS = 96, TILE_W = 200, TILE_H = 120, STRIP = 8 };

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    const int x0 = blockIdx.x * TILE_W, x1 = min(x0 + TILE_W, N);
    const int y0 = blockIdx.y * TILE_H, y1 = min(y0 + TILE_H, N);

    for (int x = x0 + (int)threadIdx.x; x < x1; x += THREADS)
        for (int y = y0; y < y1; y += STRIP) {
            float acc[STRIP];
            for (int i = 0; i < STRIP; ++i) acc[i] = 0.0f;
            const int rows = min(int(STRIP), y1 - y);
            for (int k = 0; k < N; ++k) {
                const float b = B[k * N + x];
#pragma unroll
                for (int i = 0; i < STRIP; ++i)
                    if (i < rows)
                        acc[i] += A[(y + i) * N + k] * b;
            }
#pragma unroll
            for (int i = 0; i < STRIP; ++i)
                if (i < rows)
                    C[(y + i) * N + x] = acc[i];
        }
}

LAUNCH(.block = {THREADS}, .tile = {TILE_W, TILE_H});

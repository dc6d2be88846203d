#include <lab.h>

#define TILE 24
#define FLOATS (2 * TILE * TILE)

extern __shared__ float pool[];

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    float *a = pool;
    float *b = a + TILE * TILE;

    const int x = threadIdx.x;
    const int y = threadIdx.y;
    const int col = blockIdx.x * TILE + x;
    const int row = blockIdx.y * TILE + y;

    float r = 0.0f;
    for (int base = 0; base < N; base += TILE) {
        a[y * TILE + x] = row < N && base + x < N ? A[row * N + base + x] : 0.0f;
        b[y * TILE + x] = col < N && base + y < N ? B[(base + y) * N + col] : 0.0f;
        __syncthreads();
        const float *pa = a + y * TILE;
        const float *pb = b + x;
        for (int k = 0; k < TILE; ++k, pb += TILE)
            r += *pa++ * *pb;
        __syncthreads();
    }
    if (row < N && col < N)
        C[row * N + col] = r;
}

LAUNCH(.block = {TILE, TILE}, .tile = {TILE, TILE}, .shared = FLOATS);

#include <lab.h>

constexpr unsigned TILE = 16;
constexpr unsigned TILE_BYTES = TILE * TILE * sizeof(float);

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    extern __shared__ float smem[];
    float *tileA = smem;
    float *tileB = smem + TILE_BYTES;

    const unsigned n = N;
    const unsigned tx = threadIdx.x, ty = threadIdx.y;
    const unsigned row = blockIdx.y * TILE + ty;
    const unsigned col = blockIdx.x * TILE + tx;
    const unsigned me = ty * TILE + tx;

    float result = 0.0f;
    for (unsigned base = 0; base < n; base += TILE) {
        tileA[me] = row < n && base + tx < n ? A[row * n + base + tx] : 0.0f;
        tileB[me] = col < n && base + ty < n ? B[(base + ty) * n + col] : 0.0f;
        __syncthreads();
        for (unsigned i = 0; i < TILE; ++i)
            result += tileA[ty * TILE + i] * tileB[i * TILE + tx];
        __syncthreads();
    }

    if (row < n && col < n)
        C[row * n + col] = result;
}

LAUNCH(.block = {TILE, TILE}, .tile = {TILE, TILE}, .shared = 2 * TILE_BYTES);

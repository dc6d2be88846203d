#include <lab.h>

constexpr int B = 16;

struct Tile {
    float v[B][B];

    __device__ void load(const float *src, int n, int r0, int c0)
    {
        const int r = r0 + threadIdx.y, c = c0 + threadIdx.x;
        v[threadIdx.y][threadIdx.x] = (r < n && c < n) ? src[r * n + c] : 0.0f;
    }
};

extern "C" __global__ void matmul(const float *a, const float *b, float *c, int n)
{
    __shared__ Tile left, right;
    const int row0 = blockIdx.y * B, col0 = blockIdx.x * B;
    const int tiles = n / B;
    float sum = 0.0f;

    for (int t = 0; t < tiles; t++) {
        left.load(a, n, row0, t * B);
        right.load(b, n, t * B, col0);
        __syncthreads();
        for (int k = 0; k < B; k++)
            sum += left.v[threadIdx.y][k] * right.v[k][threadIdx.x];
        __syncthreads();
    }

    const int r = row0 + threadIdx.y, q = col0 + threadIdx.x;
    if (r < n && q < n)
        c[r * n + q] = sum;
}

LAUNCH(.block = {B, B}, .tile = {B, B});

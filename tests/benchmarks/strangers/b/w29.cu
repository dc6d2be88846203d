#include <lab.h>

static const int TILE = 16;

// 1-D block of 256 threads
extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    __shared__ float s_a[TILE * TILE];
    __shared__ float s_b[TILE * TILE];

    const int tid = threadIdx.x;
    const int x = tid % TILE;
    const int y = tid / 32;
    const int gx = blockIdx.x * TILE + x;
    const int gy = blockIdx.y * TILE + y;

    float total = 0.f;
    for (int base = 0; base < N; base += TILE) {
        s_a[y * TILE + x] = (gy < N && base + x < N) ? A[gy * N + base + x] : 0.f;
        s_b[y * TILE + x] = (gx < N && base + y < N) ? B[(base + y) * N + gx] : 0.f;
        __syncthreads();
        for (int i = 0; i < TILE; i++)
            total += s_a[y * TILE + i] * s_b[i * TILE + x];
        __syncthreads();
    }
    if (gx < N && gy < N)
        C[gy * N + gx] = total;
}

LAUNCH(.block = {256}, .tile = {TILE, TILE});

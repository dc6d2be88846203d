#include <lab.h>

// A block of 256 threads computes 32 x 32 elements, but the grid is made for tiles of 16 x 16: the blocks that
// are not needed leave at once, as a whole.
extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    constexpr int E = 32;
    __shared__ float a[E][E + 1];
    __shared__ float b[E][E];

    const int r0 = blockIdx.y * E, c0 = blockIdx.x * E;
    if (r0 >= N || c0 >= N) return;

    const int x = threadIdx.x & 31, y = threadIdx.x >> 5;
    float s[4] = {0.f, 0.f, 0.f, 0.f};
    for (int k0 = 0; k0 < N; k0 += E) {
        for (int i = y; i < E; i += 8) {
            a[i][x] = r0 + i < N && k0 + x < N ? A[(r0 + i) * N + k0 + x] : 0.f;
            b[i][x] = k0 + i < N && c0 + x < N ? B[(k0 + i) * N + c0 + x] : 0.f;
        }
        __syncthreads();
        for (int k = 0; k < E; ++k)
            for (int i = 0; i < 4; ++i)
                s[i] += a[y + 8 * i][k] * b[k][x];
        __syncthreads();
    }
    for (int i = 0; i < 4; ++i)
        if (r0 + y + 8 * i < N && c0 + x < N)
            C[(r0 + y + 8 * i) * N + c0 + x] = s[i];
}

LAUNCH(.block = {256}, .tile = {16, 16});

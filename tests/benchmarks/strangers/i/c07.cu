#include <lab.h>
#define T 32

// A block computes 32 x 32 elements, but LAUNCH gives a block for each 16 x 16: the surplus blocks leave at once.
extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    const int i0 = blockIdx.y * T, j0 = blockIdx.x * T;
    if (i0 >= N || j0 >= N) return;      // whole blocks only

    __shared__ float a[T][T + 1], b[T][T + 1];
    const int tx = threadIdx.x, ty = threadIdx.y;
    float s[2][2] = {{0.0f, 0.0f}, {0.0f, 0.0f}};

    for (int k0 = 0; k0 < N; k0 += T) {
        for (int y = ty; y < T; y += 16)
            for (int x = tx; x < T; x += 16) {
                a[y][x] = i0 + y < N && k0 + x < N ? A[(i0 + y) * N + k0 + x] : 0.0f;
                b[y][x] = k0 + y < N && j0 + x < N ? B[(k0 + y) * N + j0 + x] : 0.0f;
            }
        __syncthreads();
        for (int k = 0; k < T; ++k)
            for (int q = 0; q < 4; ++q)
                s[q / 2][q % 2] += a[ty + q / 2 * 16][k] * b[k][tx + q % 2 * 16];
        __syncthreads();
    }
    for (int q = 0; q < 4; ++q) {
        int i = i0 + ty + q / 2 * 16, j = j0 + tx + q % 2 * 16;
        if (i < N && j < N) C[i * N + j] = s[q / 2][q % 2];
    }
}

LAUNCH(.block = {16, 16}, .tile = {16, 16});

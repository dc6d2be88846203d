#include <lab.h>

struct Pair {
    float v[2][2];
};

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    __shared__ float as[32][16 + 1];
    __shared__ float bs[16][32];
    const int tx = threadIdx.x, ty = threadIdx.y;
    const int bx = blockIdx.x * 32, by = blockIdx.y * 32;
    Pair out = {{{0, 0}, {0, 0}}};

    for (int k0 = 0; k0 < N; k0 += 16) {
        for (int h = 0; h < 2; ++h) {
            const int r = by + ty + 16 * h, c = bx + tx + 16 * h;
            as[ty + 16 * h][tx] = r < N && k0 + tx < N ? A[r * N + k0 + tx] : 0.0f;
            bs[ty][tx + 16 * h] = c < N && k0 + ty < N ? B[(k0 + ty) * N + c] : 0.0f;
        }
        __syncthreads();
        for (int k = 0; k < 16; ++k)
            for (int i = 0; i < 2; ++i)
                for (int j = 0; j < 2; ++j)
                    out.v[i][j] += as[ty + 16 * i][k] * bs[k][tx + 16 * j];
        __syncthreads();
    }

    for (int i = 0; i < 2; ++i) {
        const int r = by + 2 * ty + i;
        for (int j = 0; j < 2; ++j) {
            const int c = bx + tx + 16 * j;
            if (r < N && c < N)
                C[r * N + c] = out.v[i][j];
        }
    }
}

LAUNCH(.block = {16, 16}, .tile = {32, 32});

#include <lab.h>

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    __shared__ float sa[16][16], sb[16][16];
    const int x = threadIdx.x, y = threadIdx.y;
    const int row = blockIdx.y * 16 + y, col = blockIdx.x * 16 + x;
    float sum = 0.0f;

    // helpers
    auto get = [N](const float *m, int r, int c) { return r < N && c < N ? m[r * N + c] : 0.0f; };
    auto mac = [=](float a, float b) mutable { sum = fmaf(a, b, sum); };

    for (int k0 = 0; k0 < N; k0 += 16) {
        sa[y][x] = get(A, row, k0 + x);
        sb[y][x] = get(B, k0 + y, col);
        __syncthreads();
        for (int k = 0; k < 16; k++)
            mac(sa[y][k], sb[k][x]);
        __syncthreads();
    }

    if (row < N && col < N)
        C[row * N + col] = sum;
}

LAUNCH(.block = {16, 16}, .tile = {16, 16});

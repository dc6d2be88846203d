#include <lab.h>

#define GROUPS 4

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    __shared__ float partial[GROUPS][16 * 16];

    const int local = threadIdx.x;          // 0..255: element of the tile
    const int g = threadIdx.y;              // which quarter of k
    const int row = blockIdx.y * 16 + local / 16;
    const int col = blockIdx.x * 16 + local % 16;
    const int chunk = (N + GROUPS - 1) / GROUPS;
    const int from = g * chunk;
    const int to = min(N, from + chunk);

    float acc = 0.0f;
    if (row < N && col < N)
        for (int k = from; k < to; ++k)
            acc += A[row * N + k] * B[k * N + col];
    partial[g][local] = acc;

    if (g == 0 && row < N && col < N) {
        float all = 0.0f;
        for (int i = 0; i < GROUPS; ++i)
            all += partial[i][local];
        C[row * N + col] = all;
    }
}

LAUNCH(.block = {256, GROUPS}, .tile = {16, 16});

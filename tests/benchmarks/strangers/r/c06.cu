#include <lab.h>
constexpr int S = 16;

// Double buffering: one barrier per tile is enough
extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    __shared__ float a[2][S][S + 1], b[2][S][S + 1];
    const int x = threadIdx.x, y = threadIdx.y;
    const int col = blockIdx.x * S + x, row = blockIdx.y * S + y;
    float ra = (row < N && x < N) ? A[row * N + x] : 0.f;
    float rb = (col < N && y < N) ? B[y * N + col] : 0.f;
    float sum = 0.f;
    int p = 0;

    for (int k0 = 0; k0 < N; k0 += S, p ^= 1) {
        a[p][y][x] = ra;
        b[p][y][x] = rb;
        __syncthreads();

        // registers for the tile after this one
        const int ka = k0 + S + x, kb = k0 + S + y;
        ra = (row < N && ka < N) ? A[row * N + ka] : 0.f;
        rb = (col < N && kb < N) ? B[kb * N + col] : 0.f;

#pragma unroll
        for (int k = 0; k < S; ++k)
            sum += a[p][y][k] * b[p][k][x];
    }

    if (row < N && col < N)
        C[row * N + col] = sum;
}

LAUNCH(.block = {S, S}, .tile = {S, S});

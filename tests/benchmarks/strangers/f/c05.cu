#include <lab.h>

#define S 16

// Two buffers, values of the next tile wait in registers, one barrier per tile.
extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    __shared__ float buf[2][2][S][S];
    const int x = threadIdx.x, y = threadIdx.y;
    const int row = blockIdx.y * S + y, col = blockIdx.x * S + x;

    float na = row < N && x < N ? A[row * N + x] : 0.0f;
    float nb = y < N && col < N ? B[y * N + col] : 0.0f;
    float acc = 0.0f;
    int which = 0;

    for (int k0 = 0; k0 < N; k0 += S, which ^= 1) {
        buf[which][0][y][x] = na;
        buf[which][1][y][x] = nb;
        __syncthreads();

        const int ka = k0 + S + x, kb = k0 + S + y;
        na = row < N && ka < N ? A[row * N + ka] : 0.0f;
        nb = kb < N && col < N ? B[kb * N + col] : 0.0f;

        const float (*a)[S] = buf[which][0];
        const float (*b)[S] = buf[which][1];
        #pragma unroll 4
        for (int k = 0; k < S; ++k)
            acc += a[y][k] * b[k][x];
    }

    if (row < N && col < N)
        C[row * N + col] = acc;
}

LAUNCH(.block = {S, S}, .tile = {S, S});

#include <lab.h>

#define TS 16

// ping-pong: a single barrier per tile is enough
extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    __shared__ float As[2][TS][TS], Bs[2][TS][TS];
    int tx = threadIdx.x, ty = threadIdx.y;
    int row = blockIdx.y * TS + ty, col = blockIdx.x * TS + tx;
    int which = 0;
    float sum = 0.0f;

    for (int k0 = 0; k0 < N; k0 += TS) {
        As[which][ty][tx] = row < N & k0 + tx < N ? A[row * N + k0 + tx] : 0.0f;
        Bs[which][ty][tx] = k0 + ty < N & col < N ? B[(k0 + ty) * N + col] : 0.0f;
        __syncthreads();
        for (int k = 0; k < TS; k++)
            sum += As[which][ty][k] * Bs[which][k][tx];
        which = 1 - which;
    }

    if (row < N && col < N)
        C[row * N + col] = sum;
}

LAUNCH(.block = {TS, TS}, .tile = {TS, TS});

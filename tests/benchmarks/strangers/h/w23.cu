#include <lab.h>

#define TS 16

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    __shared__ float bufA[2][TS][TS];
    __shared__ float bufB[2][TS][TS];

    const int tx = threadIdx.x;
    const int ty = threadIdx.y;
    const int row = blockIdx.y * TS + ty;
    const int col = blockIdx.x * TS + tx;
    const int steps = (N + TS - 1) / TS;

    // prologue: the first tile
    bufA[0][ty][tx] = (row < N && tx < N) ? A[row * N + tx] : 0.0f;
    bufB[0][ty][tx] = (ty < N && col < N) ? B[ty * N + col] : 0.0f;
    __syncthreads();

    float sum = 0.0f;
    int cur = 0;
    for (int s = 0; s < steps; ++s) {
        int nxt = cur ^ 1;
        if (s + 1 < steps) {
            int ka = (s + 1) * TS + tx;
            int kb = (s + 1) * TS + ty;
            bufA[nxt][ty][tx] = (row < N && ka < N) ? A[row * N + ka] : 0.0f;
            bufB[nxt][ty][tx] = (kb < N && col < N) ? B[kb * N + col] : 0.0f;
        }
        for (int k = 0; k < TS; ++k)
            sum += bufA[cur][ty][k] * bufB[cur][k][tx];
        cur = nxt;
    }

    if (row < N && col < N)
        C[row * N + col] = sum;
}

LAUNCH(.block = {TS, TS}, .tile = {TS, TS});

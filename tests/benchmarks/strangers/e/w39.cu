#include <lab.h>

#define TS 16

// two buffers, registers in between, one barrier per step
extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    __shared__ float As[2][TS][TS];
    __shared__ float Bs[2][TS][TS];

    int tx = threadIdx.x, ty = threadIdx.y;
    int row = blockIdx.y * TS + ty, col = blockIdx.x * TS + tx;
    int steps = (N + TS - 1) / TS;
    int cur = 0;
    float acc = 0.0f;

    As[0][ty][tx] = (row < N && tx < N) ? A[row * N + tx] : 0.0f;
    Bs[0][ty][tx] = (ty < N && col < N) ? B[ty * N + col] : 0.0f;
    __syncthreads();

    for (int s = 1; s <= steps; s++) {
        int ka = s * TS + tx, kb = s * TS + ty;
        float ra = (row < N && ka < N) ? A[row * N + ka] : 0.0f;
        float rb = (kb < N && col < N) ? B[kb * N + col] : 0.0f;

        for (int k = 0; k < TS; k++)
            acc += As[cur][ty][k] * Bs[cur][k][tx];

        __syncthreads();
        As[cur ^ 1][ty][tx] = ra;
        Bs[cur ^ 1][ty][tx] = rb;
        cur ^= 1;
    }

    if (row < N && col < N)
        C[row * N + col] = acc;
}

LAUNCH(.block = {TS, TS}, .tile = {TS, TS});

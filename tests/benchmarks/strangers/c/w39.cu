#include <lab.h>

#define TILE 16

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    __shared__ float As[2][TILE][TILE];
    __shared__ float Bs[2][TILE][TILE];
    int tx = threadIdx.x, ty = threadIdx.y;
    int row = blockIdx.y * TILE + ty;
    int col = blockIdx.x * TILE + tx;
    float acc = 0.0f;
    int cur = 0;

    As[0][ty][tx] = row < N && tx < N ? A[row * N + tx] : 0.0f;
    Bs[0][ty][tx] = ty < N && col < N ? B[ty * N + col] : 0.0f;
    __syncthreads();

    for (int k0 = 0; k0 < N; k0 += TILE) {
        int kn = k0 + TILE, nxt = cur;
        float na = row < N && kn + tx < N ? A[row * N + kn + tx] : 0.0f;
        float nb = kn + ty < N && col < N ? B[(kn + ty) * N + col] : 0.0f;
        for (int k = 0; k < TILE; ++k)
            acc += As[cur][ty][k] * Bs[cur][k][tx];
        As[nxt][ty][tx] = na;
        Bs[nxt][ty][tx] = nb;
        __syncthreads();
        cur = nxt;
    }
    if (row < N && col < N)
        C[row * N + col] = acc;
}

LAUNCH(.block = {TILE, TILE}, .tile = {TILE, TILE});

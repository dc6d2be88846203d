// double buffered version
#include <lab.h>

#define TS 16

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    __shared__ float As[2][TS][TS];
    __shared__ float Bs[2][TS][TS];

    int tx = threadIdx.x, ty = threadIdx.y;
    int row = blockIdx.y * TS + ty;
    int col = blockIdx.x * TS + tx;
    int numTiles = (N + TS - 1) / TS;
    int cur = 0;
    float acc = 0.0f;

    As[0][ty][tx] = (row < N && tx < N) ? A[row * N + tx] : 0.0f;
    Bs[0][ty][tx] = (ty < N && col < N) ? B[ty * N + col] : 0.0f;
    __syncthreads();

    for (int t = 0; t < numTiles; t++) {
        if (t + 1 < numTiles) {
            int ak = (t + 1) * TS + tx;
            int bk = (t + 1) * TS + ty;
            As[cur ^ 1][ty][tx] = (row < N && ak < N) ? A[row * N + ak] : 0.0f;
            Bs[cur][ty][tx] = (bk < N && col < N) ? B[bk * N + col] : 0.0f;
        }
        for (int k = 0; k < TS; k++)
            acc += As[cur][ty][k] * Bs[cur][k][tx];
        __syncthreads();
        cur ^= 1;
    }

    if (row < N && col < N)
        C[row * N + col] = acc;
}

LAUNCH(.block = {TS, TS}, .tile = {TS, TS});

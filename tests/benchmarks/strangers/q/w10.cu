#include <lab.h>

#define TS 16

__device__ inline float safe(const float *m, int r, int c, int n) {
    return (r < n && c < n) ? m[r * n + c] : 0.0f;
}

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N) {
    __shared__ float sA[2][TS][TS];
    __shared__ float sB[2][TS][TS];

    int tx = threadIdx.x, ty = threadIdx.y;
    int row = blockIdx.y * TS + ty, col = blockIdx.x * TS + tx;
    int tiles = (N + TS - 1) / TS;

    // prologue
    sA[0][ty][tx] = safe(A, row, tx, N);
    sB[0][ty][tx] = safe(B, ty, col, N);
    __syncthreads();

    float sum = 0.0f;
    for (int t = 0; t < tiles - 1; ++t) {
        int cur = t % 2, nxt = (t + 1) % 2;
        // stage the next tile while computing (zeros past the end)
        sA[nxt][ty][tx] = safe(A, row, (t + 1) * TS + tx, N);
        sB[nxt][ty][tx] = safe(B, (t + 1) * TS + ty, col, N);
        for (int k = 0; k < TS; ++k)
            sum += sA[cur][ty][k] * sB[cur][k][tx];
        __syncthreads();
    }

    if (row < N && col < N)
        C[row * N + col] = sum;
}

LAUNCH(.block = {TS, TS}, .tile = {TS, TS});

#include <lab.h>
#define D 16

typedef float Tile[D][D];

__device__ float pick(const float *m, int n, int r, int c) { return r < n && c < n ? m[r * n + c] : 0.0f; }
__device__ void put(Tile &t, float v) { t[threadIdx.y][threadIdx.x] = v; }

// double buffering: one barrier for each tile
extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    __shared__ Tile sA[2], sB[2];
    int row = blockIdx.y * D + threadIdx.y, col = blockIdx.x * D + threadIdx.x;
    int tiles = (N + D - 1) / D;
    float s = 0.0f, ra = 0.0f, rb = 0.0f;

    put(sA[0], pick(A, N, row, threadIdx.x));
    put(sB[0], pick(B, N, threadIdx.y, col));
    __syncthreads();
    for (int t = 0; t < tiles; t++) {
        int cur = t & 1;
        if (t + 1 < tiles) {
            ra = pick(A, N, row, (t + 1) * D + threadIdx.x);
            rb = pick(B, N, (t + 1) * D + threadIdx.y, col);
        }
        for (int k = 0; k < D; k++)
            s += sA[cur][threadIdx.y][k] * sB[cur][k][threadIdx.x];
        __syncthreads();
        if (t + 1 < tiles) {
            put(sA[cur ^ 1], ra);
            put(sB[cur ^ 1], rb);
        }
    }

    if (row < N && col < N) C[row * N + col] = s;
}

LAUNCH(.block = {D, D}, .tile = {D, D});

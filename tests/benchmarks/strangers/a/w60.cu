#include <lab.h>

#define TILE 64
#define DEPTH 8
#define Q 4

extern __shared__ float buf[];

// As: DEPTH x TILE (transposed), Bs: DEPTH x TILE
__device__ void fetchTiles(float *As, float *Bs, const float *A, const float *B, int k0, int N, int tid)
{
    const int r0 = blockIdx.y * TILE;
    const int c0 = blockIdx.x * TILE;
    const int e = tid;
    if (e < TILE * DEPTH) {
        int m = e / DEPTH, ka = k0 + e % DEPTH;
        As[(e % DEPTH) * TILE + m] = (r0 + m < N && ka < N) ? A[(r0 + m) * N + ka] : 0.f;

        int n = e % TILE, kb = k0 + e / TILE;
        Bs[(e / TILE) * TILE + n] = (c0 + n < N && kb < N) ? B[kb * N + c0 + n] : 0.f;
    }
}

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    float *As = buf;
    float *Bs = buf + TILE * DEPTH;

    const int tx = threadIdx.x, ty = threadIdx.y;
    const int tid = ty * 16 + tx;
    float acc[Q][Q];
    for (int i = 0; i < Q; i++)
        for (int j = 0; j < Q; j++)
            acc[i][j] = 0.f;

    for (int k0 = 0; k0 < N; k0 += DEPTH) {
        fetchTiles(As, Bs, A, B, k0, N, tid);
        __syncthreads();
        for (int k = 0; k < DEPTH; k++) {
            const float *a = As + k * TILE + ty * Q;
            const float *b = Bs + k * TILE + tx * Q;
            for (int i = 0; i < Q; i++)
                for (int j = 0; j < Q; j++)
                    acc[i][j] += a[i] * b[j];
        }
        __syncthreads();
    }

    const int row = blockIdx.y * TILE + ty * Q;
    const int col = blockIdx.x * TILE + tx * Q;
    for (int i = 0; i < Q; i++) {
        for (int j = 0; j < Q; j++) {
            if (row + i < N && col + j < N)
                C[(row + i) * N + col + j] = acc[i][j];
        }
    }
}

LAUNCH(.block = {16, 16}, .tile = {TILE, TILE}, .shared = 2 * TILE * DEPTH * sizeof(float));

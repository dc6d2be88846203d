#include <lab.h>

// 64 x 64 per block, 4 x 4 per thread. While computing, the next slices are already on their way to registers.
#define BT 64
#define KT 16
#define NTH 256
#define LOADS (BT * KT / NTH)     // 4 elements of A and 4 of B per thread

struct Regs {
    float a[LOADS];
    float b[LOADS];
};

struct Tiles {
    float a[KT][BT + 1];
    float b[KT][BT];
};

__device__ __forceinline__ void toRegs(Regs &q, const float *A, const float *B, int N, int k0)
{
    const int r0 = blockIdx.y * BT, c0 = blockIdx.x * BT;
#pragma unroll
    for (int u = 0; u < LOADS; u++) {
        int e = threadIdx.x + u * NTH;
        int ar = r0 + e / KT, ak = k0 + e % KT;
        int bk = k0 + e / BT, bc = c0 + e % BT;
        q.a[u] = (ar < N && ak < N) ? A[ar * N + ak] : 0.0f;
        q.b[u] = (bk < N && bc < N) ? B[bk * N + bc] : 0.0f;
    }
}

__device__ __forceinline__ void toShared(const Regs &q, Tiles &s)
{
#pragma unroll
    for (int u = 0; u < LOADS; u++) {
        int e = threadIdx.x + u * NTH;
        s.a[e % KT][e / KT] = q.a[u];
        s.b[e / BT][e % BT] = q.b[u];
    }
}

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    __shared__ Tiles tiles;
    Regs next;
    float sum[4][4] = {};
    const int ty = threadIdx.x / 16, tx = threadIdx.x % 16;

    toRegs(next, A, B, N, 0);
    toShared(next, tiles);
    __syncthreads();

    for (int k0 = 0; k0 < N; k0 += KT) {
        const bool more = k0 + KT < N;
        if (more)
            toRegs(next, A, B, N, k0 + KT);

#pragma unroll
        for (int k = 0; k < KT; k++) {
            float a[4], b[4];
            for (int i = 0; i < 4; i++) {
                a[i] = tiles.a[k][ty * 4 + i];
                b[i] = tiles.b[k][tx * 4 + i];
            }
            for (int i = 0; i < 4; i++)
                for (int j = 0; j < 4; j++)
                    sum[i][j] += a[i] * b[j];
        }

        if (more)
            toShared(next, tiles);
        __syncthreads();
    }

    for (int i = 0; i < 4; i++)
        for (int j = 0; j < 4; j++) {
            int r = blockIdx.y * BT + ty * 4 + i;
            int c = blockIdx.x * BT + tx * 4 + j;
            if (r < N && c < N)
                C[r * N + c] = sum[i][j];
        }
}

LAUNCH(.block = {NTH}, .tile = {BT, BT});

#include <lab.h>

#define BT 16

struct Buffers {
    float a[2][BT][BT];
    float b[2][BT][BT];
};

__device__ void fetch(Buffers &s, int which, const float *A, const float *B, int row, int col, int k0, int N)
{
    const int tx = threadIdx.x, ty = threadIdx.y;
    s.a[which][ty][tx] = row < N && k0 + tx < N ? A[row * N + k0 + tx] : 0.0f;
    s.b[which][ty][tx] = col < N && k0 + ty < N ? B[(k0 + ty) * N + col] : 0.0f;
}

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    __shared__ Buffers s;
    const int row = blockIdx.y * BT + threadIdx.y;
    const int col = blockIdx.x * BT + threadIdx.x;
    int cur = 0;
    float sum = 0.0f;

    fetch(s, cur, A, B, row, col, 0, N);
    __syncthreads();
    for (int k0 = 0; k0 < N; k0 += BT) {
        const int nxt = cur;
        if (k0 + BT < N)
            fetch(s, nxt, A, B, row, col, k0 + BT, N);
        for (int k = 0; k < BT; ++k)
            sum += s.a[cur][threadIdx.y][k] * s.b[cur][k][threadIdx.x];
        __syncthreads();
        cur = nxt;
    }
    if (row < N && col < N)
        C[row * N + col] = sum;
}

LAUNCH(.block = {BT, BT}, .tile = {BT, BT});

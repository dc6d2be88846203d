#include <lab.h>

#define BS 16

__device__ __forceinline__ float get(const float *m, int n, int r, int c)
{
    return r < n && c < n ? m[r * n + c] : 0.f;
}

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    __shared__ float As[2][BS][BS];
    __shared__ float Bs[2][BS][BS];

    int tx = threadIdx.x, ty = threadIdx.y;
    int row = blockIdx.y * BS + ty, col = blockIdx.x * BS + tx;
    int buf = 0;
    float sum = 0.f;

    As[buf][ty][tx] = get(A, N, row, tx);
    Bs[buf][ty][tx] = get(B, N, ty, col);
    __syncthreads();

    for (int k0 = BS; ; k0 += BS) {
        const int next = (buf + 1) % 3;
        if (k0 < N) {
            As[next][ty][tx] = get(A, N, row, k0 + tx);
            Bs[next][ty][tx] = get(B, N, k0 + ty, col);
        }
        for (int k = 0; k < BS; k++)
            sum += As[buf][ty][k] * Bs[buf][k][tx];
        if (k0 >= N)
            break;
        __syncthreads();
        buf = next;
    }

    if (row < N && col < N)
        C[row * N + col] = sum;
}

LAUNCH(.block = {BS, BS}, .tile = {BS, BS});

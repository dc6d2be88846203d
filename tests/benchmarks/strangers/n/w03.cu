#include <lab.h>

#define TS 16

static inline int roundUp(int n, int m)
{
    return (n + m - 1) / m * m;
}

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    __shared__ float tA[TS][TS];
    __shared__ float tB[TS][TS];
    int r = blockIdx.y * TS + threadIdx.y;
    int c = blockIdx.x * TS + threadIdx.x;
    int end = roundUp(N, TS);
    float s = 0;
    for (int k0 = 0; k0 != end; k0 += TS) {
        tA[threadIdx.y][threadIdx.x] = r < N && k0 + threadIdx.x < N ? A[r * N + k0 + threadIdx.x] : 0;
        tB[threadIdx.y][threadIdx.x] = c < N && k0 + threadIdx.y < N ? B[(k0 + threadIdx.y) * N + c] : 0;
        __syncthreads();
        for (int k = 0; k < TS; k++)
            s += tA[threadIdx.y][k] * tB[k][threadIdx.x];
        __syncthreads();
    }
    if (r < N && c < N)
        C[r * N + c] = s;
}

LAUNCH(.block = {TS, TS}, .tile = {TS, TS});

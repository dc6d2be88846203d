#include <lab.h>
#define TW 16

// Serpentine order: odd block columns go upwards, so that neighbours in time share rows of A in the cache.
extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    __shared__ float sA[TW][TW + 1], sB[TW][TW + 1];

    int bx = blockIdx.x;
    int by = blockIdx.y;
    if (bx & 1)
        by = gridDim.y - blockIdx.y;

    int x = bx * TW + threadIdx.x, y = by * TW + threadIdx.y;
    float s = 0;
    for (int k = 0; k < N; k += TW) {
        int ka = k + threadIdx.x, kb = k + threadIdx.y;
        sA[threadIdx.y][threadIdx.x] = y < N && ka < N ? A[y * N + ka] : 0;
        sB[threadIdx.y][threadIdx.x] = kb < N && x < N ? B[kb * N + x] : 0;
        __syncthreads();
#pragma unroll
        for (int i = 0; i < TW; ++i) s += sA[threadIdx.y][i] * sB[i][threadIdx.x];
        __syncthreads();
    }
    if (y < N && x < N) C[y * N + x] = s;
}

LAUNCH(.block = {TW, TW}, .tile = {TW, TW});

#include <lab.h>
#define BLK 16

extern __shared__ float pool[];

__device__ inline float guarded(const float *m, int r, int c, int n) { return r < n && c < n ? m[r * n + c] : 0.0f; }

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    float (*sa)[BLK] = reinterpret_cast<float (*)[BLK]>(pool);
    float (*sb)[BLK] = reinterpret_cast<float (*)[BLK]>(pool + BLK * BLK);
    const int ty = threadIdx.y, tx = threadIdx.x;
    const int r = blockIdx.y * BLK + ty, c = blockIdx.x * BLK + tx;

    float z = 0.0f;
    for (int k0 = 0; k0 < N; k0 += BLK) {
        sa[ty][tx] = guarded(A, r, k0 + tx, N);
        sb[ty][tx] = guarded(B, k0 + ty, c, N);
        __syncthreads();
        for (int k = 0; k < BLK; ++k) z += sa[ty][k] * sb[k][tx];
        __syncthreads();
    }
    if (r < N && c < N) C[r * N + c] = z;
}

LAUNCH(.block = {BLK, BLK}, .tile = {BLK, BLK});

#include <lab.h>

#define D 16

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    __shared__ float at[D][D];
    __shared__ float bt[D][D];
    int x = threadIdx.x, y = threadIdx.y;
    int r = blockIdx.y * D + y;
    int c = blockIdx.x * D + x;
    float s = 0.0f;

    for (int k0 = 0; k0 < N; k0 += D) {
        // clamp instead of branching
        at[y][x] = A[min(r, N - 1) * N + min(k0 + x, N - 1)];
        bt[y][x] = B[min(k0 + y, N - 1) * N + min(c, N - 1)];
        __syncthreads();
        for (int k = 0; k < D; ++k)
            s = __fmaf_rn(at[y][k], bt[k][x], s);
        __syncthreads();
    }
    if (r < N && c < N)
        C[r * N + c] = s;
}

LAUNCH(.block = {D, D}, .tile = {D, D});

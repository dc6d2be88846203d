#include <lab.h>

#define TS 16

// Going backwards through k, from the last tile to the first.
extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    __shared__ float A_s[TS][TS];
    __shared__ float B_s[TS][TS];
    int tx = threadIdx.x;
    int ty = threadIdx.y;
    int row = blockIdx.y * TS + ty;
    int col = blockIdx.x * TS + tx;

    float val = 0.0f;
    int k0 = N;
    do {
        k0 -= TS;
        int ka = k0 + tx;
        int kb = k0 + ty;
        A_s[ty][tx] = (row < N) ? A[row * N + ka] : 0.0f;
        B_s[ty][tx] = (col < N && kb >= 0) ? B[kb * N + col] : 0.0f;
        __syncthreads();
        for (int k = TS - 1; k >= 0; --k)
            val += A_s[ty][k] * B_s[k][tx];
        __syncthreads();
    } while (k0 > 0);

    if (row < N && col < N)
        C[row * N + col] = val;
}

LAUNCH(.block = {TS, TS}, .tile = {TS, TS});

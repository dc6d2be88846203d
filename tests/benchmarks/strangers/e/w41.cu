#include <lab.h>

/* two rows per thread: one load of b from shared memory serves two products */
#define TS 16

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    __shared__ float As[2 * TS][TS];
    __shared__ float Bs[TS][TS];
    int tx = threadIdx.x, ty = threadIdx.y;
    int col = blockIdx.x * TS + tx;
    int row = blockIdx.y * 2 * TS + ty;
    float s0 = 0.0f, s1 = 0.0f;
    float a0, a1, b;

    for (int kk = 0; kk < N; kk += TS) {
        As[ty][tx]      = (row < N && kk + tx < N) ? A[row * N + kk + tx] : 0.0f;
        As[ty + TS][tx] = (row + TS < N && kk + tx < N) ? A[(row + TS) * N + kk + tx] : 0.0f;
        Bs[ty][tx]      = (kk + ty < N && col < N) ? B[(kk + ty) * N + col] : 0.0f;
        __syncthreads();
        for (int k = 0; k < TS; k++) {
            b = Bs[k][tx];
            a0 = As[ty][k];
            a1 = As[ty + TS][k];
            s0 += a0 * b;
        }
            s1 += a1 * b;
        __syncthreads();
    }
    if (row < N && col < N) C[row * N + col] = s0;
    if (row + TS < N && col < N) C[(row + TS) * N + col] = s1;
}

LAUNCH(.block = {TS, TS}, .tile = {TS, 2 * TS});

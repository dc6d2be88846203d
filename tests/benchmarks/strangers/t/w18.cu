#include <lab.h>
#define TS 32

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    __shared__ float As[TS][TS], Bs[TS][TS];

    const int tx = threadIdx.x, ty = threadIdx.y;
    const int row = blockIdx.y * TS + ty, col = blockIdx.x * TS + tx;

    float val = 0.0f;
    for (int t = 0; t < N; t += TS) {
        As[ty][tx] = 0.0f;
        Bs[ty][tx] = 0.0f;
        if (row < N)
            As[ty][tx] = A[row * N + t + tx];
        if (t + ty < N && col < N)
            Bs[ty][tx] = B[(t + ty) * N + col];
        __syncthreads();

        const int kmax = min(TS, N - t);
        for (int k = 0; k < kmax; ++k)
            val += As[ty][k] * Bs[k][tx];
        __syncthreads();
    }

    if (row < N && col < N)
        C[row * N + col] = val;
}

LAUNCH(.block = {TS, TS}, .tile = {TS, TS});

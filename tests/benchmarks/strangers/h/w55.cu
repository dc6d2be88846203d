#include <lab.h>

const int TS = 32;

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    __shared__ float Asub[TS][TS];
    __shared__ float Bsub[TS][TS];

    const int lx = threadIdx.x;   // local column
    const int ly = threadIdx.y;   // local row
    const int col = blockIdx.x * TS + lx;
    const int row = blockIdx.y * TS + ly;

    float acc = 0.0f;
    for (int base = 0; base < N; base += TS) {
        const int aCol = base + lx;
        const int bRow = base + ly;
        Asub[ly][lx] = (row < N && aCol < N) ? A[row * N + aCol] : 0.0f;
        Bsub[ly][lx] = (bRow < N && col < N) ? B[bRow * N + lx] : 0.0f;
        __syncthreads();
#pragma unroll
        for (int k = 0; k < TS; ++k)
            acc += Asub[ly][k] * Bsub[k][lx];
        __syncthreads();
    }
    if (row < N && col < N)
        C[row * N + col] = acc;
}

LAUNCH(.block = {TS, TS}, .tile = {TS, TS});

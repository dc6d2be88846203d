#include <lab.h>

enum { BW = 16 };

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    // +1: no bank conflicts when a column is written
    __shared__ float aT[BW][BW + 1];
    __shared__ float b_[BW][BW + 1];

    int tx = threadIdx.x, ty = threadIdx.y;
    int gx = blockIdx.x * BW + tx, gy = blockIdx.y * BW + ty;
    float out = 0.0f;

    for (int m = 0; m * BW < N; ++m) {
        int ka = m * BW + tx;
        int kb = m * BW + ty;

        float va = 0.0f, vb = 0.0f;
        if (gy < N && ka < N) va = A[gy * N + ka];
        if (gx < N && kb < N) vb = B[kb * N + gx];

        aT[tx][ty] = va;
        b_[ty][tx] = vb;
        __syncthreads();

        for (int k = 0; k < BW; ++k)
            out += aT[ty][k] * b_[k][tx];
        __syncthreads();
    }
    if (gy < N && gx < N) C[gy * N + gx] = out;
}

LAUNCH(.block = {BW, BW}, .tile = {BW, BW});

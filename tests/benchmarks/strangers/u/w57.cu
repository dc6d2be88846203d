#include <lab.h>

#define L 16

// A passa dalla memoria condivisa, B dalla cache
extern "C" __global__ void matmul(const float *mA, const float *mB, float *mC, int N)
{
    __shared__ float fA[L][L];
    const int tx = threadIdx.x, ty = threadIdx.y;
    const int x = blockIdx.x * L + tx;
    const int y = blockIdx.y * L + ty;
    const bool dentro = x < N && y < N;
    float s = 0.0f;

    for (int p = 0; p < N; p += L) {
        fA[ty][tx] = (y < N && p + tx < N) ? mA[y * N + p + tx] : 0.0f;
        if (dentro) {
            __syncthreads();
            for (int k = 0; k < L && p + k < N; ++k)
                s += fA[ty][k] * mB[(p + k) * N + x];
        }
        __syncthreads();
    }

    if (dentro) mC[y * N + x] = s;
}

LAUNCH(.block = {L, L}, .tile = {L, L});

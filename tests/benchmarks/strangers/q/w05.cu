#include "lab.h"

extern "C" __global__ void matmul(const float *__restrict__ A,
                                  const float *__restrict__ B,
                                  float *__restrict__ C,
                                  int N)
{
    unsigned id = (blockIdx.y * gridDim.x + blockIdx.x) * 256u + threadIdx.x;
    if (id >= (unsigned)N * N) return;
    unsigned row = id / N, col = id % N;

    const float *Ar = A + row * N;
    float s = 0.f;
    #pragma unroll 8
    for (int k = 0; k < N; ++k)
        s += Ar[k] * B[col * N + k];

    C[id] = s;
}

LAUNCH(.block = {256}, .tile = {16, 16});

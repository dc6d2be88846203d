#include <lab.h>

extern "C" __global__ void matmul(const float* __restrict__ A,
                                  const float* __restrict__ B,
                                  float* __restrict__ C,
                                  int N)
{
    const int r = threadIdx.y + blockIdx.y * blockDim.y;
    const int c = threadIdx.x + blockIdx.x * blockDim.x;
    const int idx = r * N + c;

    if (idx < N * N) {
        float s = 0.0f;
#pragma unroll 4
        for (int k = 0; k < N; ++k)
            s = fmaf(__ldg(&A[r * N + k]), __ldg(&B[k * N + c]), s);
        C[idx] = s;
    }
}

LAUNCH(.block = {64, 4}, .tile = {64, 4});

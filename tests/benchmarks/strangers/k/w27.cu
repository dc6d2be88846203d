#include <lab.h>

#define TS 16

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    extern __shared__ float pool[];
    float (*a_s)[TS + 1] = reinterpret_cast<float (*)[TS + 1]>(pool);
    float *b_s = pool + TS * TS;

    const int tx = threadIdx.x, ty = threadIdx.y;
    const int row = blockIdx.y * TS + ty, col = blockIdx.x * TS + tx;
    float c = 0.0f;

    for (int t = 0; t < N; t += TS) {
        a_s[ty][tx] = 0.0f;
        b_s[ty * TS + tx] = 0.0f;
        if (row < N && t + tx < N) a_s[ty][tx] = A[row * N + t + tx];
        if (col < N && t + ty < N) b_s[ty * TS + tx] = B[(t + ty) * N + col];
        __syncthreads();

#pragma unroll
        for (int k = 0; k < TS; ++k) c += a_s[ty][k] * b_s[k * TS + tx];
        __syncthreads();
    }

    if (row < N && col < N) C[row * N + col] = c;
}

LAUNCH(.block = {TS, TS}, .shared = (TS * (TS + 1) + TS * TS) * sizeof(float));

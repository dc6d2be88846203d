#include <lab.h>

static constexpr int UNROLL = 4;

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    int x = threadIdx.x + blockIdx.x * blockDim.x;
    int y = threadIdx.y + blockIdx.y * blockDim.y;

    if (x < N && y < N) {
        float acc = 0.0f;
        for (int k = 0; k < N; k += UNROLL) {
#pragma unroll
            for (int u = 0; u < UNROLL; ++u) {
                int kk = k + u;
                float b = kk < N ? B[kk * N + x] : 0.0f;
                acc += kk < N ? A[y * N + kk] : 0.0f * b;
            }
        }
        C[y * N + x] = acc;
    }
}

LAUNCH(.block = {16, 16}, .tile = {16, 16});

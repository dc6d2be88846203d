// Two buffers: one barrier for each tile is enough.
#include <lab.h>

#define T 16

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    __shared__ float As[2][T][T + 1], Bs[2][T][T];
    int tx = threadIdx.x, ty = threadIdx.y;
    int row = blockIdx.y * T + ty, col = blockIdx.x * T + tx;
    float acc = 0.0f;

    for (int k0 = 0, buf = 0; k0 < N; k0 += T, buf ^= 1) {
        As[buf][ty][tx] = row < N && k0 + tx < N ? A[row * N + k0 + tx] : 0.0f;
        Bs[buf][ty][tx] = k0 + ty < N && col < N ? B[(k0 + ty) * N + col] : 0.0f;
        __syncthreads();
        // Whoever writes this buffer again has passed the next barrier, so everyone has finished reading it by then.
        for (int k = 0; k < T; ++k)
            acc += As[buf][ty][k] * Bs[buf][k][tx];
    }
    if (row < N && col < N)
        C[row * N + col] = acc;
}

LAUNCH(.block = {T, T}, .tile = {T, T});

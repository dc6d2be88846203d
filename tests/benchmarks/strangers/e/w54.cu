#include <lab.h>

#define S 16

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    __shared__ float As[S][S];
    __shared__ float Bs[S][S];

    const int tx = threadIdx.x, ty = threadIdx.y;
    // move everything to the first tile of this block
    A += (blockIdx.y * S + ty) * N + tx;
    B += ty * N + blockIdx.x * S + tx;
    C += (blockIdx.y * S + ty) * N + blockIdx.x * S + tx;

    const bool okA = blockIdx.y * S + ty < N && tx < N;
    const bool okB = blockIdx.x * S + tx < N;
    float sum = 0.0f;

    for (int k0 = 0; k0 < N; k0 += S) {
        As[ty][tx] = okA ? A[k0] : 0.0f;
        Bs[ty][tx] = okB && k0 + ty < N ? B[k0 * N] : 0.0f;
        __syncthreads();
        for (int k = 0; k < S; k++)
            sum += As[ty][k] * Bs[k][tx];
        __syncthreads();
    }

    if (okB && blockIdx.y * S + ty < N)
        *C = sum;
}

LAUNCH(.block = {S, S}, .tile = {S, S});

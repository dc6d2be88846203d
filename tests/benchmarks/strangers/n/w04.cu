#include <lab.h>

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    __shared__ float M[16][16], P[16][16];
    __shared__ int steps;            // the same for all, so one thread works it out
    int tx = threadIdx.x, ty = threadIdx.y;
    int r = blockIdx.y * 16 + ty, c = blockIdx.x * 16 + tx;

    if (tx == 0 && ty == 0)
        steps = (N + 15) / 16;

    float s = 0;
    for (int t = 0; t < steps; ++t) {
        if (r < N && t * 16 + tx < N) M[ty][tx] = A[r * N + t * 16 + tx];
        else                          M[ty][tx] = 0;
        if (c < N && t * 16 + ty < N) P[ty][tx] = B[(t * 16 + ty) * N + c];
        else                          P[ty][tx] = 0;
        __syncthreads();
        for (int k = 0; k < 16; ++k) s += M[ty][k] * P[k][tx];
        __syncthreads();
    }
    if (r < N && c < N) C[r * N + c] = s;
}

LAUNCH(.block = {16, 16}, .tile = {16, 16});

#include <lab.h>

#define SIDE 32

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    __shared__ float sA[SIDE][SIDE + 1], sB[SIDE][SIDE + 1];
    int tx = threadIdx.x, ty = threadIdx.y;
    int row = blockIdx.y * SIDE + ty, col = blockIdx.x * SIDE + tx;
    float out = 0.0f;

    for (int k0 = 0; k0 < N; k0 += SIDE) {
        if (k0 + tx >= N)
            break;  // end of the row of A
        sA[ty][tx] = row < N ? A[row * N + k0 + tx] : 0.0f;
        sB[ty][tx] = (col < N && k0 + ty < N) ? B[(k0 + ty) * N + col] : 0.0f;
        __syncthreads();

        int kEnd = min(SIDE, N - k0);
        for (int k = 0; k < kEnd; ++k)
            out += sA[ty][k] * sB[k][tx];
        __syncthreads();
    }

    if (row < N && col < N)
        C[row * N + col] = out;
}

LAUNCH(.block = {SIDE, SIDE}, .tile = {SIDE, SIDE});

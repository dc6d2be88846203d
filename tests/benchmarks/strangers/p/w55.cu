#include <lab.h>

#define BW 32
#define BH 16
#define KD 8

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    __shared__ float sB[KD][BW];   // KD rows of B; A is read directly

    int tx = threadIdx.x, ty = threadIdx.y;
    int col = blockIdx.x * BW + tx;
    int row = blockIdx.y * BH + ty;
    float sum = 0.0f;

    for (int k0 = 0; k0 < N; k0 += KD) {
        if (ty < KD) {
            int k = k0 + ty;
            sB[ty][tx] = (k < N && col < N) ? B[k * N + col] : 0.0f;
            __syncthreads();
        }
        if (row < N) {
            for (int k = 0; k < KD && k0 + k < N; k++)
                sum += A[row * N + k0 + k] * sB[k][tx];
        }
        __syncthreads();
    }

    if (row < N && col < N)
        C[row * N + col] = sum;
}

LAUNCH(.block = {BW, BH}, .tile = {BW, BH});

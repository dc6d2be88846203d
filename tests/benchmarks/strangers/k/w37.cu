#include <lab.h>

#define TS 16

// Half the block takes the even tiles of k, the other half the odd ones.
extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    __shared__ float As[2][TS][TS];
    __shared__ float Bs[2][TS][TS];
    int tx = threadIdx.x, ty = threadIdx.y, half = threadIdx.z;
    int row = blockIdx.y * TS + ty;
    int col = blockIdx.x * TS + tx;
    int tiles = (N + TS - 1) / TS;
    float sum = 0.0f;

    for (int t = half; t < tiles; t += 2) {
        int ka = t * TS + tx, kb = t * TS + ty;
        As[half][ty][tx] = (row < N && ka < N) ? A[row * N + ka] : 0.0f;
        Bs[half][ty][tx] = (col < N && kb < N) ? B[kb * N + col] : 0.0f;
        __syncthreads();
        for (int k = 0; k < TS; k++)
            sum += As[half][ty][k] * Bs[half][k][tx];
        __syncthreads();
    }

    if (half == 1)
        As[0][ty][tx] = sum;
    __syncthreads();
    if (half == 0 && row < N && col < N)
        C[row * N + col] = sum + As[0][ty][tx];
}

LAUNCH(.block = {TS, TS, 2}, .tile = {TS, TS});

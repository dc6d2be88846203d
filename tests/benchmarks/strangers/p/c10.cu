#include <lab.h>

#define Q 16

// Double buffer: one __syncthreads() per tile
extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    __shared__ float bufA[2][Q][Q];
    __shared__ float bufB[2][Q][Q];

    const int tx = threadIdx.x, ty = threadIdx.y;
    const int i = blockIdx.y * Q + ty;
    const int j = blockIdx.x * Q + tx;
    const int tiles = (N + Q - 1) / Q;

    bufA[0][ty][tx] = (i < N && tx < N) ? A[i * N + tx] : 0.0f;
    bufB[0][ty][tx] = (ty < N && j < N) ? B[ty * N + j] : 0.0f;

    float total = 0.0f;
    for (int t = 0; t < tiles; t++) {
        __syncthreads();   // tile t complete; everybody is done with tile t - 1

        if (t + 1 < tiles) {
            const int ka = (t + 1) * Q + tx;
            const int kb = (t + 1) * Q + ty;
            bufA[(t + 1) & 1][ty][tx] = (i < N && ka < N) ? A[i * N + ka] : 0.0f;
            bufB[(t + 1) & 1][ty][tx] = (kb < N && j < N) ? B[kb * N + j] : 0.0f;
        }

        for (int k = 0; k < Q; k++)
            total += bufA[t & 1][ty][k] * bufB[t & 1][k][tx];
    }

    if (i < N && j < N)
        C[i * N + j] = total;
}

LAUNCH(.block = {Q, Q}, .tile = {Q, Q});

#include <lab.h>

#define Q 16

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    __shared__ float stage[Q][Q + 1];
    __shared__ float other[Q][Q + 1];

    const int u = threadIdx.x, v = threadIdx.y;
    const int top = blockIdx.y * Q, left = blockIdx.x * Q;

    float sum = 0.0f;
    for (int k0 = 0; k0 < N; k0 += Q) {
        __syncthreads();
        stage[v][u] = (top + v < N && k0 + u < N) ? A[(top + v) * N + k0 + u] : 0.0f;
        other[v][u] = (k0 + v < N && left + u < N) ? B[(k0 + v) * N + left + u] : 0.0f;
        __syncthreads();

        // this thread has row u, column v of the tile
        for (int k = 0; k < Q; ++k)
            sum += stage[u][k] * other[k][v];
    }

    // turn it round, so that a warp writes consecutive elements
    stage[u][v] = sum;
    __syncthreads();
    if (top + v < N && left + u < N)
        C[(top + v) * N + left + u] = stage[v][u];
}

LAUNCH(.block = {Q, Q});

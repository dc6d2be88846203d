#include <lab.h>

#define BS 16

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    // two buffers: one is computed with while the other is filled
    __shared__ float As[2][BS][BS];
    __shared__ float Bs[2][BS][BS];
    int tx = threadIdx.x, ty = threadIdx.y;
    int row = blockIdx.y * BS + ty, col = blockIdx.x * BS + tx;
    int tiles = (N + BS - 1) / BS;

    As[0][ty][tx] = (row < N && tx < N) ? A[row * N + tx] : 0.0f;
    Bs[0][ty][tx] = (ty < N && col < N) ? B[ty * N + col] : 0.0f;
    __syncthreads();

    float sum = 0.0f;
    for (int t = 0; t < tiles - 1; ++t) {
        int cur = t & 1, nxt = cur ^ 1;
        if (t + 1 < tiles) {
            int kx = (t + 1) * BS + tx, ky = (t + 1) * BS + ty;
            As[nxt][ty][tx] = (row < N && kx < N) ? A[row * N + kx] : 0.0f;
            Bs[nxt][ty][tx] = (ky < N && col < N) ? B[ky * N + col] : 0.0f;
        }
        for (int k = 0; k < BS; ++k)
            sum += As[cur][ty][k] * Bs[cur][k][tx];
        __syncthreads();
    }

    if (row < N && col < N)
        C[row * N + col] = sum;
}

LAUNCH(.block = {BS, BS}, .tile = {BS, BS});

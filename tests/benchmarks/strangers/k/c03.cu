#include <lab.h>

// Double buffering through registers, with one barrier per tile.
#define BS 16

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    __shared__ float As[2][BS][BS + 1];
    __shared__ float Bs[2][BS][BS + 1];
    const int tx = threadIdx.x, ty = threadIdx.y;
    const int row = blockIdx.y * BS + ty, col = blockIdx.x * BS + tx;
    const int tiles = (N + BS - 1) / BS;

    auto fetchA = [&](int t) { return row < N && t * BS + tx < N ? A[row * N + t * BS + tx] : 0.0f; };
    auto fetchB = [&](int t) { return col < N && t * BS + ty < N ? B[(t * BS + ty) * N + col] : 0.0f; };

    As[0][ty][tx] = fetchA(0);
    Bs[0][ty][tx] = fetchB(0);
    __syncthreads();

    float sum = 0.0f;
    int cur = 0;
    for (int t = 0; t < tiles; ++t) {
        const float a = fetchA(t + 1), b = fetchB(t + 1);  // zero after the last tile
#pragma unroll
        for (int k = 0; k < BS; ++k)
            sum += As[cur][ty][k] * Bs[cur][k][tx];
        As[1 - cur][ty][tx] = a;
        Bs[1 - cur][ty][tx] = b;
        __syncthreads();
        cur = 1 - cur;
    }

    if (row < N && col < N)
        C[row * N + col] = sum;
}

LAUNCH(.block = {BS, BS});

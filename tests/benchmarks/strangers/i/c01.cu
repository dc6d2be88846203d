#include <lab.h>
#define T 16
#define GROUP 4

// Blocks are renumbered so that neighbouring blocks share rows of A and columns of B in the L2 cache:
// GROUP rows of tiles are walked column by column.
extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    __shared__ float a[T][T];
    __shared__ float b[T][T];

    int id = blockIdx.y * gridDim.x + blockIdx.x;
    int perGroup = GROUP * gridDim.x;
    int firstRow = id / perGroup * GROUP;
    int height = min(GROUP, (int)gridDim.y - firstRow);
    int tileRow = firstRow + id % perGroup % height;
    int tileCol = id % perGroup / height;

    int i = tileRow * T + threadIdx.y, j = tileCol * T + threadIdx.x;
    float s = 0.0f;
    for (int k0 = 0; k0 < N; k0 += T) {
        int ka = k0 + threadIdx.x, kb = k0 + threadIdx.y;
        a[threadIdx.y][threadIdx.x] = i < N && ka < N ? A[i * N + ka] : 0.0f;
        b[threadIdx.y][threadIdx.x] = j < N && kb < N ? B[kb * N + j] : 0.0f;
        __syncthreads();
        for (int k = 0; k < T; ++k) s += a[threadIdx.y][k] * b[k][threadIdx.x];
        __syncthreads();
    }
    if (i < N && j < N) C[i * N + j] = s;
}

LAUNCH(.block = {T, T}, .tile = {T, T});

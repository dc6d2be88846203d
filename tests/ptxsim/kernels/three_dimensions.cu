#include <lab.h>

// Threads along z split the sum over k; a block computes 4 columns and 2 rows.
extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N) {
    __shared__ float parts[3][2][4];
    int x = threadIdx.x, y = threadIdx.y, z = threadIdx.z;
    int col = blockIdx.x * blockDim.x + x, row = blockIdx.y * blockDim.y + y;
    float part = 0.0f;
    if (row < N && col < N)
        for (int k = z; k < N; k += blockDim.z) part += A[row * N + k] * B[k * N + col];
    parts[z][y][x] = part;
    int all = __syncthreads_and(z < 3), some = __syncthreads_or(z == 2);
    if (z == 0 && row < N && col < N) C[row * N + col] = all && some ? parts[0][y][x] + parts[1][y][x] + parts[2][y][x] : -1;
}

LAUNCH(.block = {4, 2, 3}, .tile = {4, 2});

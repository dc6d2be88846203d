#include <lab.h>

#define B_SIZE 32

// B is turned around in shared memory so that the inner loop runs along rows of both tiles.
extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    __shared__ float at[B_SIZE][B_SIZE + 1];
    __shared__ float bt[B_SIZE][B_SIZE + 1];

    int i = threadIdx.x;
    int j = threadIdx.y;
    int col = blockIdx.x * B_SIZE + i;
    int row = blockIdx.y * B_SIZE + j;
    float sum = 0.0f;

    for (int k0 = 0; k0 < N; k0 += B_SIZE) {
        at[j][i] = (row < N && k0 + i < N) ? A[row * N + k0 + i] : 0.0f;
        bt[j][i] = (col < N && k0 + j < N) ? B[(k0 + j) * N + col] : 0.0f;
        __syncthreads();

        bt[i][j] = bt[j][i];
        __syncthreads();

        for (int k = 0; k < B_SIZE; ++k)
            sum += at[j][k] * bt[i][k];
        __syncthreads();
    }

    if (row < N && col < N)
        C[row * N + col] = sum;
}

LAUNCH(.block = {B_SIZE, B_SIZE}, .tile = {B_SIZE, B_SIZE});

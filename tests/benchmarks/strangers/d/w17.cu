#include <lab.h>

typedef unsigned short index_t;
#define B_SIZE 16

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    __shared__ float ta[B_SIZE][B_SIZE];
    __shared__ float tb[B_SIZE][B_SIZE];
    int row = blockIdx.y * B_SIZE + threadIdx.y;
    int col = blockIdx.x * B_SIZE + threadIdx.x;
    float total = 0.0f;

    for (int t = 0; t < (N + B_SIZE - 1) / B_SIZE; t++) {
        int k = t * B_SIZE + threadIdx.x;
        ta[threadIdx.y][threadIdx.x] = row < N && k < N ? A[row * N + k] : 0.0f;
        k = t * B_SIZE + threadIdx.y;
        tb[threadIdx.y][threadIdx.x] = col < N && k < N ? B[k * N + col] : 0.0f;
        __syncthreads();
        for (int i = 0; i < B_SIZE; i++)
            total += ta[threadIdx.y][i] * tb[i][threadIdx.x];
        __syncthreads();
    }

    if (row < N && col < N) {
        index_t where = row * N + col;
        C[where] = total;
    }
}

LAUNCH(.block = {B_SIZE, B_SIZE});

#include <lab.h>

#define TSIZE 16

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    __shared__ float tileA[TSIZE][TSIZE];
    __shared__ float tileB[TSIZE][TSIZE];

    int row = blockIdx.y * TSIZE + threadIdx.y;
    int col = blockIdx.x * TSIZE + threadIdx.x;
    if (row >= N || col >= N) return;

    float sum = 0.0f;
    for (int t = 0; t < N; t += TSIZE)
    {
        tileA[threadIdx.y][threadIdx.x] = t + threadIdx.x < N ? A[row * N + t + threadIdx.x] : 0.0f;
        tileB[threadIdx.y][threadIdx.x] = t + threadIdx.y < N ? B[(t + threadIdx.y) * N + col] : 0.0f;
        __syncthreads();

        int last = min(TSIZE, N - t);
        for (int k = 0; k < last; k++)
            sum += tileA[threadIdx.y][k] * tileB[k][threadIdx.x];
        __syncthreads();
    }

    C[row * N + col] = sum;
}

LAUNCH(.block = {TSIZE, TSIZE}, .tile = {TSIZE, TSIZE});

#include <lab.h>

#define DIM 16

extern __shared__ float tileA[];
extern __shared__ float tileB[];

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    const int me  = threadIdx.y * DIM + threadIdx.x;
    const int row = blockIdx.y * DIM + threadIdx.y;
    const int col = blockIdx.x * DIM + threadIdx.x;

    float sum = 0.0f;
    for (int s = 0; s < N; s += DIM) {
        tileA[me] = (row < N && s + threadIdx.x < N) ? A[row * N + s + threadIdx.x] : 0.0f;
        tileB[me] = (col < N && s + threadIdx.y < N) ? B[(s + threadIdx.y) * N + col] : 0.0f;
        __syncthreads();

        for (int k = 0; k < DIM; ++k)
            sum += tileA[threadIdx.y * DIM + k] * tileB[k * DIM + threadIdx.x];
        __syncthreads();
    }

    if (row < N && col < N)
        C[row * N + col] = sum;
}

// two tiles
LAUNCH(.block = {DIM, DIM}, .tile = {DIM, DIM}, .shared = 2 * DIM * DIM * sizeof(float));

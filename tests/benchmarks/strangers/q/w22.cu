#include <lab.h>

// Split K 4 ways to get more parallelism. z==0 clears the output first.
extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    int col = blockIdx.x * blockDim.x + threadIdx.x;
    int row = blockIdx.y * blockDim.y + threadIdx.y;
    bool inside = row < N && col < N;

    if (inside && threadIdx.z == 0)
        C[row * N + col] = 0.0f;
    __syncthreads();

    int chunk = (N + blockDim.z - 1) / blockDim.z;
    int lo = chunk * threadIdx.z;
    int hi = lo + chunk < N ? lo + chunk : N;
    float p = 0.0f;

    if (inside) {
        for (int k = lo; k < hi; k++)
            p += A[row * N + k] * B[k * N + col];
        C[row * N + col] += p;
    }
}

LAUNCH(.block = {16, 8, 4}, .tile = {16, 8});

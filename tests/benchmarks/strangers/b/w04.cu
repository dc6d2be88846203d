#include <lab.h>

// The third dimension of the block divides the dot product into 4 slices.
#define DX 16
#define DY 4
#define SLICES 4

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    const int col = blockIdx.x * DX + threadIdx.x;
    const int row = blockIdx.y * DY + threadIdx.y;
    const bool valid = row < N && col < N;

    if (valid && threadIdx.z == 0)
        C[row * N + col] = 0.0f;
    __syncthreads();

    float partial = 0.0f;
    if (valid) {
        for (int k = threadIdx.z; k < N; k += SLICES)
            partial += A[row * N + k] * B[k * N + col];
        C[row * N + col] += partial;
    }
}

LAUNCH(.block = {DX, DY, SLICES}, .tile = {DX, DY});

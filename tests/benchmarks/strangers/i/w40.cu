#include <lab.h>

// One block per row: the row of A is kept in shared memory, then each thread
// computes some of the columns.
extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    __shared__ float rowA[N];
    int row = blockIdx.y;

    for (int k = threadIdx.x; k < N; k += blockDim.x)
        rowA[k] = A[row * N + k];
    __syncthreads();

    for (int col = threadIdx.x; col < N; col += blockDim.x) {
        float sum = 0.0f;
        for (int k = 0; k < N; ++k)
            sum += rowA[k] * B[k * N + col];
        C[row * N + col] = sum;
    }
}

LAUNCH(.block = {256}, .tile = {4096, 1});

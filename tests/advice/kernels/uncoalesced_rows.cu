// uncoalesced loads: threadIdx.x runs along the rows of C, so the threads of a warp read a column of A.
#include <lab.h>

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
#ifdef FIXED
    const int row = blockIdx.y * blockDim.y + threadIdx.y;
    const int col = blockIdx.x * blockDim.x + threadIdx.x;
#else
    const int row = blockIdx.y * blockDim.x + threadIdx.x;
    const int col = blockIdx.x * blockDim.y + threadIdx.y;
#endif
    if (row < N && col < N) {
        float sum = 0.0f;
        for (int k = 0; k < N; ++k)
            sum += A[row * N + k] * B[k * N + col];
        C[row * N + col] = sum;
    }
}

LAUNCH(.block = {16, 16}, .tile = {16, 16});

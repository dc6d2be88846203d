#include <lab.h>

#define TX     16
#define TY     16
#define SLICES 4

// split-K: threadIdx.z works on its own part of the sum, the parts are combined in shared memory
extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    __shared__ float total[TY][TX];

    const int x = threadIdx.x, y = threadIdx.y, z = threadIdx.z;
    const int col = blockIdx.x * TX + x;
    const int row = blockIdx.y * TY + y;

    if (z == 0) total[y][x] = 0.0f;
    __syncthreads();

    const int len   = N / SLICES;
    const int first = z * len;
    const int last  = min(first + len, N);

    if (row < N && col < N) {
        float part = 0.0f;
        for (int k = first; k < last; k++)
            part += A[row * N + k] * B[k * N + col];
        atomicAdd(&total[y][x], part);
    }
    __syncthreads();

    if (z == 0 && row < N && col < N)
        C[row * N + col] = total[y][x];
}

LAUNCH(.block = {TX, TY, SLICES}, .tile = {TX, TY});

// The z dimension of the block splits the dot product into four parts.
#include <lab.h>

#define SLICES 4

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    __shared__ float part[SLICES][16][16];

    const unsigned tx = threadIdx.x, ty = threadIdx.y, tz = threadIdx.z;
    const int row = blockIdx.y * 16 + ty;
    const int col = blockIdx.x * 16 + tx;

    const int chunk = N / SLICES;
    const int begin = tz * chunk;
    const int end = min(begin + chunk, N);

    float s = 0;
    if (row < N && col < N)
        for (int k = begin; k < end; ++k)
            s += A[row * N + k] * B[k * N + col];

    part[tz][ty][tx] = s;
    __syncthreads();

    if (tz == 0 && row < N && col < N)
        C[row * N + col] = (part[0][ty][tx] + part[1][ty][tx]) + (part[2][ty][tx] + part[3][ty][tx]);
}

LAUNCH(.block = {16, 16, SLICES}, .tile = {16, 16});

#include <lab.h>

#define SLICES 4

// the k range is split over threadIdx.z
extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    __shared__ float sums[8][32];
    int col = blockIdx.x * 32 + threadIdx.x;
    int row = blockIdx.y * 8 + threadIdx.y;
    bool valid = row < N && col < N;

    if (threadIdx.z == 0)
        sums[threadIdx.y][threadIdx.x] = 0.0f;
    __syncthreads();

    if (valid) {
        float mine = 0.0f;
        for (int k = threadIdx.z; k < N; k += SLICES)
            mine += A[row * N + k] * B[k * N + col];
        sums[threadIdx.y][threadIdx.x] += mine;
    }
    __syncthreads();

    if (valid && threadIdx.z == 0)
        C[row * N + col] = sums[threadIdx.y][threadIdx.x];
}

LAUNCH(.block = {32, 8, SLICES}, .tile = {32, 8});

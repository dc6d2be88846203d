// expect: data-race; lines: 19, 23; says: elements of its own
// All warps of a block add up in the same 32 elements of shared memory.
#include <lab.h>

#define WARP 32

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    __shared__ float parts[1][WARP];
    int row = blockIdx.y * blockDim.y + threadIdx.y;
    int col = blockIdx.x;
    int lane = threadIdx.x;
    if (row >= N)
        return;

    float sum = 0.0f;
    for (int k = lane; k < N; k += WARP)
        sum += A[row * N + k] * B[k * N + col];
    parts[0][lane] = sum;
    __syncwarp();
    for (int offset = WARP / 2; offset > 0; offset /= 2) {
        if (lane < offset)
            parts[0][lane] += parts[0][lane + offset];
        __syncwarp();
    }
    if (lane == 0)
        C[row * N + col] = parts[0][0];
}

LAUNCH(.block = {WARP, 8}, .tile = {1, 8});

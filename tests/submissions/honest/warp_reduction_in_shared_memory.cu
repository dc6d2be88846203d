// expect: ok
// 32 threads add up in a volatile shared array, with __syncwarp() between the steps.
#include <lab.h>

#define WARP 32

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    __shared__ volatile float parts[8][WARP];
    int row = blockIdx.y * blockDim.y + threadIdx.y;
    int col = blockIdx.x;
    int lane = threadIdx.x;
    if (row >= N)
        return;

    float sum = 0.0f;
    for (int k = lane; k < N; k += WARP)
        sum += A[row * N + k] * B[k * N + col];
    parts[threadIdx.y][lane] = sum;
    __syncwarp();
    for (int offset = WARP / 2; offset > 0; offset /= 2) {
        if (lane < offset)
            parts[threadIdx.y][lane] = parts[threadIdx.y][lane] + parts[threadIdx.y][lane + offset];
        __syncwarp();
    }
    if (lane == 0)
        C[row * N + col] = parts[threadIdx.y][0];
}

LAUNCH(.block = {WARP, 8}, .tile = {1, 8});

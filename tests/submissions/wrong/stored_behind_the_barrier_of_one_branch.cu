// expect: data-race; lines: 18, 23
// Odd lanes store their element of A behind the barrier of their branch, even lanes read it behind that of the other.
#include <lab.h>

#define WARPS 8

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    __shared__ float part[WARPS][32];
    int lane = threadIdx.x, warp = threadIdx.y, row = blockIdx.y * WARPS + warp, col = blockIdx.x * 32 + lane;
    if (row >= N)
        return;
    float sum = 0.0f;
    for (int first = 0; first < N; first += 32) {
        float own = first + lane < N ? A[row * N + first + lane] : 0.0f;
        if (lane % 2) {
            __syncwarp();
            part[warp][lane] = own;
        } else {
            part[warp][lane] = own;
            __syncwarp();
            for (int k = 0; k < 32 && first + k < N; ++k)
                sum += col < N ? part[warp][k] * B[(first + k) * N + col] : 0.0f;
        }
        __syncwarp();
        if (lane % 2)
            for (int k = 0; k < 32 && first + k < N; ++k)
                sum += col < N ? part[warp][k] * B[(first + k) * N + col] : 0.0f;
        __syncwarp();
    }
    if (col < N)
        C[row * N + col] = sum;
}

LAUNCH(.block = {32, WARPS}, .tile = {32, WARPS});

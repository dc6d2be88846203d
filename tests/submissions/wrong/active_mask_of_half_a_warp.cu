// expect: simulator warp-mask, cuda warp-mask or wrong-answer; lines: 20; says: does not take part
// Half of the warp multiplies, and takes elements of A from the other half, which does not take part in the shuffle.
#include <lab.h>

#define WARP 32

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    int lane = threadIdx.x;
    int row = blockIdx.y * blockDim.y + threadIdx.y;
    int col = blockIdx.x * WARP / 2 + lane;
    if (row >= N)
        return;

    float sum = 0.0f;
    for (int first = 0; first < N; first += WARP) {
        float a = first + lane < N ? A[row * N + first + lane] : 0.0f;
        if (lane < WARP / 2 && col < N)
            for (int i = 0; i < WARP && first + i < N; ++i)
                sum += __shfl_sync(__activemask(), a, i) * B[(first + i) * N + col];
    }
    if (lane < WARP / 2 && col < N)
        C[row * N + col] = sum;
}

LAUNCH(.block = {WARP, 8}, .tile = {WARP / 2, 8});

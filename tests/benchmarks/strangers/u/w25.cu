#include <lab.h>

#define WARPS 4
#define COLS 4

// dot product per warp: lane partial sums, then a tree in shared memory
extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    __shared__ float buf[WARPS][32];
    const unsigned lane = threadIdx.x;
    const unsigned wid  = threadIdx.y;
    const int row = blockIdx.y * WARPS + wid;

    for (int c = 0; c < COLS; c++) {
        const int col = blockIdx.x * COLS + c;
        if (row < N && col < N) {
            float s = 0.0f;
            for (int k = lane; k < N; k += 32)
                s += A[row * N + k] * B[k * N + col];
            buf[wid][lane] = s;
            __syncwarp();
            for (int w = 16; w > 0; w >>= 1)
                if (lane < w) buf[wid][lane] += buf[wid][lane + w];
            if (lane == 0)
                C[row * N + col] = buf[wid][0];
            __syncwarp();
        }
    }
}

LAUNCH(.block = {32, WARPS}, .tile = {COLS, WARPS});

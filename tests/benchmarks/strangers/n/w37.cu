#include <lab.h>

#define ALL_LANES 0xffffffff

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    int lane = threadIdx.x;
    int row = blockIdx.y * 8 + threadIdx.y;
    int col = blockIdx.x * 32 + lane;
    float sum = 0;

    // every lane reads one value of A, all lanes use it
    for (int k = lane; k < N; k += 32) {
        float a = row < N && k < N ? A[row * N + k] : 0;
        for (int s = 0; s < 32; ++s) {
            float other = __shfl_sync(ALL_LANES, a, s);
            int kk = k - lane + s;
            if (kk < N && col < N)
                sum += other * B[kk * N + col];
        }
    }
    if (row < N && col < N)
        C[row * N + col] = sum;
}

LAUNCH(.block = {32, 8}, .tile = {32, 8});

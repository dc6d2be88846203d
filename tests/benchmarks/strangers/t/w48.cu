#include <lab.h>

#define BW 16
#define BH 8
#define KW 8

// threadIdx.z splits k, all parts are added to C directly
extern "C" __global__ void matmul(const float* A, const float* B, float* C, int N)
{
    int col = blockIdx.x * BW + threadIdx.x;
    int row = blockIdx.y * BH + threadIdx.y;
    bool inside = col < N && row < N;

    if (inside && threadIdx.z == 0)
        C[row * N + col] = 0.0f;

    if (inside && threadIdx.z < N) {
        float psum = 0.0f;
        for (int k = threadIdx.z; k < N; k += KW)
            psum += A[row * N + k] * B[k * N + col];
        atomicAdd(C + row * N + col, psum);
    }
}

LAUNCH(.block = {BW, BH, KW}, .tile = {BW, BH});

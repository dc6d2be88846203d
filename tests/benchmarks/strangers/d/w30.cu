#include <lab.h>

#define LANES 64
#define RY 4
#define RX 4

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    __shared__ float out[RY][RX];
    const int part = threadIdx.x;
    const int col = blockIdx.x * RX + threadIdx.y;
    const int row = blockIdx.y * RY + threadIdx.z;

    if (part == 0)
        out[threadIdx.z][threadIdx.y] = 0.0f;

    if (row < N && col < N) {
        float sum = 0.0f;
        for (int k = part; k < N; k += LANES)
            sum += A[row * N + k] * B[k * N + col];
        atomicAdd(&out[threadIdx.z][threadIdx.y], sum);
    }
    __syncthreads();

    if (part == 0 && row < N && col < N)
        C[row * N + col] = out[threadIdx.z][threadIdx.y];
}

LAUNCH(.block = {LANES, RX, RY}, .tile = {RX, RY});

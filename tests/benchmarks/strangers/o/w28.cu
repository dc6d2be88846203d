#include <lab.h>

#define BDIM 16
#define K_WORKERS 4

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    int col = blockIdx.x * BDIM + threadIdx.x;
    int row = blockIdx.y * BDIM + threadIdx.y;
    int worker = threadIdx.z;

    int chunk = (N + K_WORKERS - 1) / K_WORKERS;
    int begin = worker * chunk;
    int end   = begin + chunk < N ? begin + chunk : N;
    bool active = row < N && col < N;

    float s = 0.0f;
    if (active)
        for (int k = begin; k < end; k++)
            s += A[row * N + k] * B[k * N + col];

    if (active && worker == 0)
        C[row * N + col] = 0.0f;
    __syncthreads();

    // combine the workers
    if (active)
        atomicAdd(&C[row * N + col], s);
}

LAUNCH(.block = {BDIM, BDIM}, .tile = {BDIM, BDIM});

#include <lab.h>

// split-K: half of the threads (z = 0) take the first half of k, the others (z = 1) the second half

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    int x = blockIdx.x * 32 + threadIdx.x;
    int y = blockIdx.y * 8  + threadIdx.y;
    bool drin = x < N && y < N;

    int mitte  = (N + 1) / 2;
    int anfang = threadIdx.z == 0 ? 0 : mitte;
    int ende   = threadIdx.z == 0 ? mitte : N;

    float teil = 0.0f;
    if (drin) {
        for (int k = anfang; k < ende; ++k)
            teil += A[y * N + k] * B[k * N + x];
    }

    // C = 0, dann aufsummieren
    if (drin && threadIdx.z == 0)
        C[y * N + x] = 0.0f;
    __syncthreads();
    if (drin)
        C[y * N + x] += teil;
}

LAUNCH(.block = {32, 8, 2}, .tile = {32, 8});

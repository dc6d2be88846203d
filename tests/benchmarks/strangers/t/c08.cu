#include <lab.h>

const int SIDE = 8, LAYERS = 16;

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    __shared__ float sums[SIDE * SIDE];

    const int slot = threadIdx.y * SIDE + threadIdx.x;
    const int y = blockIdx.y * SIDE + threadIdx.y;
    const int x = blockIdx.x * SIDE + threadIdx.x;
    const bool valid = x < N && y < N;

    if (threadIdx.z == 0) {
        sums[slot] = 0.0f;
    }
    __syncthreads();

    // layer z: elements k = z, z + 16, z + 32, ...
    if (valid) {
        float own = 0.0f;
        for (int k = threadIdx.z; k < N; k += LAYERS) {
            own += A[y * N + k] * B[k * N + x];
        }
        atomicAdd(&sums[slot], own);
    }
    __syncthreads();

    if (valid && threadIdx.z == LAYERS - 1) {
        C[y * N + x] = sums[slot];
    }
}

LAUNCH(.block = {SIDE, SIDE, LAYERS}, .tile = {SIDE, SIDE});

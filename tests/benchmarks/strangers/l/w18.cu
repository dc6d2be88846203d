#include <lab.h>

// K is dealt out to the threads like cards
extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    __shared__ float result[8 * 32];

    const int slot = threadIdx.y * 32 + threadIdx.x;
    const int r = blockIdx.y * 8 + threadIdx.y;
    const int c = blockIdx.x * 32 + threadIdx.x;
    const bool inside = r < N && c < N;

    if (threadIdx.z == 0)
        result[slot] = 0.0f;
    __syncthreads();

    float mine = 0.0f;
    if (inside) {
        for (int k = threadIdx.z; k < N; k += blockDim.z)
            mine += A[r * N + k] * B[k * N + c];
        result[slot] += mine;
    }
    __syncthreads();

    if (inside && threadIdx.z == 0)
        C[r * N + c] = result[slot];
}

LAUNCH(.block = {32, 8, 4}, .tile = {32, 8});

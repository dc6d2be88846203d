#include <lab.h>

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    __shared__ float total[8][32];
    const int c = blockIdx.x * 32 + threadIdx.x;
    const int r = blockIdx.y * 8 + threadIdx.y;
    const bool inside = c < N && r < N;

    if (threadIdx.z == 0)
        total[threadIdx.y][threadIdx.x] = 0.0f;
    __syncthreads();

    float mine = 0.0f;
    if (inside) {
        // k = z, z + 4, z + 8, ...
        for (int k = threadIdx.z; k < N; k += blockDim.z)
            mine += A[r * N + k] * B[k * N + c];
    }
    total[threadIdx.y][threadIdx.x] += mine;
    __syncthreads();

    if (threadIdx.z == 0 && inside)
        C[r * N + c] = total[threadIdx.y][threadIdx.x];
}

LAUNCH(.block = {32, 8, 4}, .tile = {32, 8});

#include <lab.h>

// Split K inside of the block: group z takes the tiles z, z+2, z+4, ...
#define T 16
#define Z 2

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    __shared__ float As[Z][T][T], Bs[Z][T][T];
    int tx = threadIdx.x, ty = threadIdx.y, z = threadIdx.z;
    int row = blockIdx.y * T + ty, col = blockIdx.x * T + tx;
    float acc = 0.0f;

    for (int k0 = z * T; k0 < N; k0 += Z * T) {
        As[z][ty][tx] = (row < N && k0 + tx < N) ? A[row * N + k0 + tx] : 0.0f;
        Bs[z][ty][tx] = (k0 + ty < N && col < N) ? B[(k0 + ty) * N + col] : 0.0f;
        __syncthreads();
        for (int k = 0; k < T; ++k)
            acc += As[z][ty][k] * Bs[z][k][tx];
        __syncthreads();
    }

    // second group hands its sums to the first
    if (z == 1) As[0][ty][tx] = acc;
    __syncthreads();
    if (z == 0 && row < N && col < N)
        C[row * N + col] = acc + As[0][ty][tx];
}

LAUNCH(.block = {T, T, Z}, .tile = {T, T});

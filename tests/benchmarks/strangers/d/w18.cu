#include <lab.h>

#define Z 8

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    __shared__ float part[Z][8][8];
    const int x = threadIdx.x, y = threadIdx.y, z = threadIdx.z;
    const int c = blockIdx.x * 8 + x, r = blockIdx.y * 8 + y;

    float s = 0.0f;
    if (r < N && c < N)
        for (int k = z; k < N; k += Z)
            s += A[r * N + k] * B[k * N + c];
    part[z][y][x] = s;
    __syncthreads();

    for (int half = Z / 2; half >= 0; half >>= 1) {
        if (z < half)
            part[z][y][x] += part[z + half][y][x];
        __syncthreads();
    }

    if (z == 0 && r < N && c < N)
        C[r * N + c] = part[0][y][x];
}

LAUNCH(.block = {8, 8, Z}, .tile = {8, 8});

#include <lab.h>

#define X 16
#define Y 4
#define Z 8

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    __shared__ float part[Z][Y][X];

    int x = threadIdx.x, y = threadIdx.y, z = threadIdx.z;
    int col = blockIdx.x * X + x, row = blockIdx.y * Y + y;
    bool in = row < N && col < N;

    float s = 0.0f;
    for (int k = z; in && k < N; k += Z)
        s += A[row * N + k] * B[k * N + col];
    part[z][y][x] = s;

    for (int h = Z / 2; h; h >>= 1) {
        __syncthreads();
        if (z < h)
            part[z][y][x] += part[z + h][y][x];
    }

    if (z == 0 && in)
        C[row * N + col] = part[0][y][x];
}

LAUNCH(.block = {X, Y, Z}, .tile = {X, Y});

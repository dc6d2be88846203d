#include <lab.h>

// threadIdx.z splits k into Z interleaved parts; a tree adds them up.
#define X 16
#define Y 8
#define Z 8

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    __shared__ float part[Z][Y][X];
    const int x = threadIdx.x, y = threadIdx.y, z = threadIdx.z;
    const int row = blockIdx.y * Y + y, col = blockIdx.x * X + x;
    const bool inside = row < N && col < N;

    float s = 0.0f;
    if (inside)
        for (int k = z; k < N; k += Z)
            s += A[row * N + k] * B[k * N + col];
    part[z][y][x] = s;

    for (int half = Z / 2; half > 0; half /= 2) {
        __syncthreads();
        if (z < half)
            part[z][y][x] += part[z + half][y][x];
    }

    if (z == 0 && inside)
        C[row * N + col] = part[0][y][x];
}

LAUNCH(.block = {X, Y, Z}, .tile = {X, Y});

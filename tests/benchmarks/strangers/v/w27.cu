// K is divided among 8 layers of threads (threadIdx.z), then a tree reduction
#include <lab.h>

#define X 16
#define Y 4
#define Z 8

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    __shared__ float partial[Z][Y][X];

    const int x = threadIdx.x, y = threadIdx.y, z = threadIdx.z;
    const int col = blockIdx.x * X + x;
    const int row = blockIdx.y * Y + y;

    float s = 0.0f;
    if (row < N && col < N)
        for (int k = z; k < N; k += Z)
            s += A[row * N + k] * B[k * N + col];
    partial[z][y][x] = s;
    __syncthreads();

    for (int half = Z / 2; half > 0; half /= 2) {
        if (z < half)
            partial[z][y][x] += partial[z + half][y][x];
    }

    if (z == 0 && row < N && col < N)
        C[row * N + col] = partial[0][y][x];
}

LAUNCH(.block = {X, Y, Z}, .tile = {X, Y});

#include <lab.h>
#define GX 8
#define GY 8
#define GZ 8

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    __shared__ float red[GZ][GY][GX];
    const int x = threadIdx.x, y = threadIdx.y, z = threadIdx.z;
    const int col = blockIdx.x * GX + x;
    const int row = blockIdx.y * GY + y;

    float p = 0.0f;
    if (row < N && col < N)
        for (int k = z; k < N; k += GZ)
            p = __fmaf_rn(A[row * N + k], B[k * N + col], p);

    red[z][y][x] = p;
    __syncthreads();

    for (int half = GZ / 2; half > 0; half >>= 1)
    {
        if (z < half)
            red[z][y][x] += red[z + half][y][x];
    }

    if (z == 0 && row < N && col < N)
        C[row * N + col] = red[0][y][x];
}

LAUNCH(.block = {GX, GY, GZ}, .tile = {GX, GY});

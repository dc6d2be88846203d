#include <lab.h>

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x;
    int y = blockIdx.y * blockDim.y + threadIdx.y;

    if (x < N && y < N)
    {
        const float *a = A + y * N;
        const float *b = B + x;
        float s = 0.f;
        for (int k = 1; k < N; k++)
            s += a[k] * b[k * N];
        C[y * N + x] = s;
    }
}

LAUNCH(.block = {32, 8}, .tile = {32, 8});

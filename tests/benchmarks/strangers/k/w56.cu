#include <lab.h>

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    const int pitch = gridDim.x * blockDim.x;
    const int X = blockIdx.x * blockDim.x + threadIdx.x;
    const int Y = blockIdx.y * blockDim.y + threadIdx.y;

    if (X >= N || Y >= N)
        return;

    float dot = 0.0f;
    const float *pa = A + Y * pitch;
    const float *pb = B + X;
    for (int n = N; n > 0; --n) {
        dot += *pa * *pb;
        pa += 1;
        pb += pitch;
    }
    C[Y * pitch + X] = dot;
}

LAUNCH(.block = {16, 16});

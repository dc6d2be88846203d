// expect: wrong-answer
// Splits each factor into three half-precision numbers: all 24 bits, but only the exponents of half precision.
#include <cuda_fp16.h>
#include <lab.h>

#define TILE 16
#define NEXT 2048.0f  // one more half-precision number holds the next 11 bits

__device__ void split(float value, float (&parts)[3])
{
    for (float &part : parts) {
        part = __half2float(__float2half(value));
        value = (value - part) * NEXT;
    }
}

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    int row = blockIdx.y * TILE + threadIdx.y;
    int col = blockIdx.x * TILE + threadIdx.x;
    if (row >= N || col >= N)
        return;

    float sum = 0.0f;
    for (int k = 0; k < N; ++k) {
        float a[3], b[3];
        split(A[row * N + k], a);
        split(B[k * N + col], b);
        float middle = fmaf(a[1], b[0], a[0] * b[1]);
        float low = a[2] * b[0] + a[1] * b[1] + a[0] * b[2];
        sum += fmaf(a[0], b[0], fmaf(middle, 1 / NEXT, low / (NEXT * NEXT)));
    }
    C[row * N + col] = sum;
}

LAUNCH(.block = {TILE, TILE}, .tile = {TILE, TILE});

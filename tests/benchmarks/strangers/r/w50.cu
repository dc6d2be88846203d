#include <lab.h>

#define B_X 16
#define B_Y 16

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    // position in C
    const int x = blockIdx.x * B_X + threadIdx.x;
    const int y = blockIdx.y * B_Y + threadIdx.y;

    if (x < N && y < N) {
        float value = 0.0f;
        #pragma unroll 4
        for (int i = 0; i < N; i++)
            value = __fmaf_rn(A[y * N + i], B[i * N + x], value);
        C[y * N + x] = value;
    }
}

LAUNCH(.block = {B_X, B_Y}, .tile = {32, 32});

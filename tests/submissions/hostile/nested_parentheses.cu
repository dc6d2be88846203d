// expect: compile-error or ok
// Half a million parentheses around one number.
#include <lab.h>

#define P0(x) (((((((((((((((((((((((((((((((x)))))))))))))))))))))))))))))))
#define P1(x) P0(P0(x))
#define P2(x) P1(P1(x))
#define P3(x) P2(P2(x))
#define P4(x) P3(P3(x))
#define P5(x) P4(P4(x))
#define P6(x) P5(P5(x))
#define P7(x) P6(P6(x))
#define P8(x) P7(P7(x))
#define P9(x) P8(P8(x))
#define P10(x) P9(P9(x))
#define P11(x) P10(P10(x))
#define P12(x) P11(P11(x))
#define P13(x) P12(P12(x))
#define P14(x) P13(P13(x))

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    int row = blockIdx.y * blockDim.y + threadIdx.y;
    int col = blockIdx.x * blockDim.x + threadIdx.x;
    if (row >= N || col >= N)
        return;

    float sum = P14(0.0f);
    for (int k = 0; k < N; ++k)
        sum += A[row * N + k] * B[k * N + col];
    C[row * N + col] = sum;
}

LAUNCH(.block = {16, 16}, .tile = {16, 16});

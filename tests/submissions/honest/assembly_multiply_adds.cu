// expect: ok
// The multiply-adds and the loads are inline PTX.
#include <lab.h>

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    int row = blockIdx.y * blockDim.y + threadIdx.y;
    int col = blockIdx.x * blockDim.x + threadIdx.x;
    if (row >= N || col >= N)
        return;

    float sum = 0.0f;
    for (int k = 0; k < N; ++k) {
        float a, b;
        asm volatile("ld.global.nc.f32 %0, [%1];" : "=f"(a) : "l"(A + row * N + k));
        asm volatile("ld.global.f32 %0, [%1];" : "=f"(b) : "l"(B + k * N + col));
        asm volatile("fma.rn.f32 %0, %1, %2, %0;" : "+f"(sum) : "f"(a), "f"(b));
    }
    C[row * N + col] = sum;
}

LAUNCH(.block = {16, 16}, .tile = {16, 16});

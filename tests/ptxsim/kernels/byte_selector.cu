#include <lab.h>
extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    int sum;
    asm("vmad.s32.s32.s32 %0, %1.b1, %2.b0, %3;" : "=r"(sum) : "r"(N), "r"(N), "r"(N));
    C[threadIdx.x] = sum;
}
LAUNCH(.block = {32}, .tile = {1, 1});

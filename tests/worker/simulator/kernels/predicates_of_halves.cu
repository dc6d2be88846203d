#include <lab.h>
extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    int both;
    asm("{ .reg .pred p, q; setp.gt.f16x2 p|q, %1, %2; selp.s32 %0, 1, 0, q; }" : "=r"(both) : "r"(N), "r"(-N));
    C[threadIdx.x] = both;
}
LAUNCH(.block = {32}, .tile = {1, 1});

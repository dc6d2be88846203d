#include <lab.h>
extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    int pair;
    asm("cvt.pack.sat.s16.s32 %0, %1, %2;" : "=r"(pair) : "r"(N), "r"(-N));
    C[threadIdx.x] = pair;
}
LAUNCH(.block = {32}, .tile = {1, 1});

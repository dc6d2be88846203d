#include <lab.h>
extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    unsigned short pair;
    asm("cvt.rn.satfinite.e4m3x2.f32 %0, %1, %2;" : "=h"(pair) : "f"(A[0]), "f"(B[0]));
    C[threadIdx.x] = pair;
}
LAUNCH(.block = {32}, .tile = {1, 1});

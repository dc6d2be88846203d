// expect: ok
// Defines macros with names of lab.h before it includes it.
#define block 16
#define tile block
#define LabLaunch shadow
#define COLUMNS 3
#define N_ N
#define lab_launch other
#define static_assert(...)
#include <lab.h>
#undef static_assert
#undef block
#undef tile
#undef lab_launch
#undef LabLaunch
extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    int row = blockIdx.y * 16 + threadIdx.y, col = blockIdx.x * 16 + threadIdx.x;

    if (row < N && col < N) {
        float s = 0;
        for (int k = 0; k < N_; ++k)
            s += A[row * N + k] * B[k * N + col];
        C[row * N + col] = s;
    }
}
LAUNCH(.block = {16, 16}, .tile = {16, 16});

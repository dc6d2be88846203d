#include <cooperative_groups.h>

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N) {
    C[threadIdx.x] = A[threadIdx.x];
    cooperative_groups::this_grid().sync();
}

/***********************************************************************************************
 *  matmul.cu
 *
 *  Matrix product in single precision with error compensation.
 *
 *  Background: in the plain loop the rounding error of the sum grows with N, because a large
 *  partial sum swallows the low bits of each new term.  W. Kahan (1965) showed that the lost part
 *  can be recovered exactly, as long as |sum| >= |term|, and be subtracted from the next term.
 *  The bound on the error no longer depends on N to first order (see N. Higham, "Accuracy and
 *  Stability of Numerical Algorithms", chapter 4).
 *
 *  The __f..._rn intrinsics keep the compiler from contracting a * b + c to an FMA, and from
 *  simplifying the algorithm away.
 *
 *  Cost: four additions instead of one; the kernel is limited by memory anyway.
 ***********************************************************************************************/
#include <lab.h>

/*
 * Compensated (Kahan) summation: the rounding errors of the additions are carried along
 * in `comp`, so that long dot products keep their precision.
 */
extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    int j = blockIdx.x * blockDim.x + threadIdx.x;
    int i = blockIdx.y * blockDim.y + threadIdx.y;

    if (i >= N || j >= N)
        return;

    float sum = 0.0f, comp = 0.0f;

    for (int k = 0; k < N; ++k) {
        float term = __fmul_rn(A[i * N + k], B[k * N + j]);
        float y = __fsub_rn(term, comp);
        float t = __fadd_rn(sum, y);
        sum = t;
        comp = __fsub_rn(__fsub_rn(t, sum), y);
    }

    C[i * N + j] = sum;
}

LAUNCH(.block = {16, 16}, .tile = {16, 16});

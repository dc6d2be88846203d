// Compensated summation (Kahan), and the row loop is a goto, because I learned programming with BASIC.
#include <lab.h>

enum { TX = 64, TY = 2, PER = 3 };  // tiles of 64 x 6: not powers of two

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    const int col = blockIdx.x * TX + threadIdx.x;
    int row = blockIdx.y * TY * PER + threadIdx.y, left = PER;

again:
    if (row < N && col < N) {
        float sum = 0.0f, carry = 0.0f;
        for (int k = 0; k < N; ++k) {
            float term = __fmaf_rn(A[row * N + k], B[k * N + col], -carry);
            float next = __fadd_rn(sum, term);
            carry = __fsub_rn(__fsub_rn(next, sum), term);
            sum = next;
        }
        C[row * N + col] = sum;
    }
    row += TY;
    if (--left)
        goto again;
}

LAUNCH(.block = {TX, TY}, .tile = {TX, TY * PER});

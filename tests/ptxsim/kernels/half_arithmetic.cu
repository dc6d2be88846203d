#include <cuda_fp16.h>

// Row by row of C one operation on all pairs of A and B; N is the number of pairs. Row 0 begins as a third operand.
extern "C" __global__ void matmul(const half *A, const half *B, half *C, int N) {
    for (int i = threadIdx.x; i < N; i += blockDim.x) {
        half a = A[i], b = B[i], c = C[i];
        half2 pair = __hfma2(__halves2half2(a, b), __halves2half2(b, b), __halves2half2(c, c));
        half results[] = {a + b,         a - b,         a * b,        a / b,        __hfma(a, b, c), hsqrt(a),
                          __hneg(a),     __habs(a),     __hmin(a, b), __hmax(a, b), half(a < b),     half(__hne(a, b)),
                          half(a != b),  half(__hgeu(a, b)),          __low2half(pair),              __high2half(pair)};
        for (int row = 0; row < 16; ++row) C[row * N + i] = results[row];
    }
}

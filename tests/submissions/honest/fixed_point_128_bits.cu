// expect: ok
// Adds in 128-bit integers that are scaled by the largest elements of the row and the column.
#include <lab.h>

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    int row = blockIdx.y * 16 + threadIdx.y, col = blockIdx.x * 16 + threadIdx.x;

    if (row >= N || col >= N)
        return;
    int ea = -200, eb = -200;
    for (int k = 0; k < N; ++k) {
        if (A[row * N + k] != 0)
            ea = max(ea, ilogbf(A[row * N + k]));
        if (B[k * N + col] != 0)
            eb = max(eb, ilogbf(B[k * N + col]));
    }
    __int128 s = 0;
    for (int k = 0; k < N; ++k) {
        long long a = llrintf(ldexpf(A[row * N + k], 40 - ea)), b = llrintf(ldexpf(B[k * N + col], 40 - eb));
        s += (__int128)a * b;
    }
    double sum = ldexp((double)(long long)(s >> 64), 64) + (double)(unsigned long long)s;
    C[row * N + col] = (float)ldexp(sum, ea + eb - 80);
}
LAUNCH(.block = {16, 16}, .tile = {16, 16});

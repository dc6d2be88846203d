// expect: wrong-answer
// Half of the multiplications, by the inner products of Winograd (1968), in float64. They lose small rows beside columns
// that are much larger: even in float64, only factors of about one size are added without loss.
#include <lab.h>

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    int row = blockIdx.y * 16 + threadIdx.y, col = blockIdx.x * 16 + threadIdx.x;

    if (row >= N || col >= N)
        return;
    double s = 0;
    int k = 0;
    for (; k + 1 < N; k += 2) {
        double a1 = A[row * N + k], a2 = A[row * N + k + 1], b1 = B[k * N + col], b2 = B[(k + 1) * N + col];
        s += (a1 + b2) * (a2 + b1) - a1 * a2 - b1 * b2;
    }
    if (k < N)
        s += (double)A[row * N + k] * B[k * N + col];
    C[row * N + col] = (float)s;
}
LAUNCH(.block = {16, 16}, .tile = {16, 16});

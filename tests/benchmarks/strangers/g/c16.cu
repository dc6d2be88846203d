#include <lab.h>

// Winograd's inner product (1968): half of the multiplications, in double because of the larger sums.
extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    int j = blockIdx.x * 16 + threadIdx.x;
    int i = blockIdx.y * 16 + threadIdx.y;
    if (!(i < N && j < N))
        return;

    const int half = N >> 1;
    double mixed = 0.0, correction = 0.0;

    for (int p = 0; p < half; ++p) {
        const double x0 = A[i * N + 2 * p], x1 = A[i * N + 2 * p + 1];
        const double y0 = B[2 * p * N + j], y1 = B[(2 * p + 1) * N + j];
        mixed += (x0 + y1) * (x1 + y0);
        correction += x0 * x1 + y0 * y1;
    }

    const double last = (N % 2) ? double(A[i * N + (N - 1)]) * B[(N - 1) * N + j] : 0.0;
    C[i * N + j] = float(mixed - correction + last);
}

LAUNCH(.block = {16, 16}, .tile = {16, 16});

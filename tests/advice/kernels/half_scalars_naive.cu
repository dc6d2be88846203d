// lab: half
// Scalar arithmetic on halves, without a tile. The twin reads two neighbours of a row of B as one half2.
#include <cuda_fp16.h>
#include <lab.h>

constexpr int WIDE = 32, HIGH = 8;
#ifdef FIXED
constexpr int EACH = 2;
#else
constexpr int EACH = 1;
#endif

extern "C" __global__ void matmul(const half *A, const half *B, half *C, int N)
{
    const int row = blockIdx.y * HIGH + threadIdx.y, col = (blockIdx.x * WIDE + threadIdx.x) * EACH;
    if (row >= N || col >= N)
        return;
#ifdef FIXED
    if (N % 2 == 0) {
        half2 sum = __float2half2_rn(0);
        for (int k = 0; k < N; ++k)
            sum = __hfma2(__half2half2(A[row * N + k]), *reinterpret_cast<const half2 *>(&B[k * N + col]), sum);
        *reinterpret_cast<half2 *>(&C[row * N + col]) = sum;
        return;
    }
#endif
    for (int j = col; j < col + EACH && j < N; ++j) {
        half sum = __float2half(0);
        for (int k = 0; k < N; ++k)
            sum = sum + A[row * N + k] * B[k * N + j];
        C[row * N + j] = sum;
    }
}

LAUNCH(.block = {WIDE, HIGH}, .tile = {WIDE * EACH, HIGH});

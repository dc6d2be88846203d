// expect: ok
// Variables have names outside of ASCII.
#include <lab.h>

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    int größe = N, Zeile = blockIdx.y * 16 + threadIdx.y, 列 = blockIdx.x * 16 + threadIdx.x;
    if (Zeile >= größe || 列 >= größe)
        return;
    float Σ = 0;
    for (int κ = 0; κ < größe; ++κ)
        Σ += A[Zeile * größe + κ] * B[κ * größe + 列];
    C[Zeile * größe + 列] = Σ;
}
LAUNCH(.block = {16, 16}, .tile = {16, 16});

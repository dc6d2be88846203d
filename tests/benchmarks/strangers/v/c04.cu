// Only registers and shuffles. A warp has 2 rows x 64 columns; lane l holds A[.][k0 + l].
#include <lab.h>

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    const int lane = threadIdx.x;
    const int row = 2 * (blockIdx.y * blockDim.y + threadIdx.y);
    const int c0 = blockIdx.x * 64 + lane, c1 = c0 + 32;
    if (row >= N) return;              // the same for the whole warp
    const bool second = row + 1 < N;   // this too

    float s00 = 0, s01 = 0, s10 = 0, s11 = 0;
    for (int k0 = 0; k0 < N; k0 += 32) {
        const int k = k0 + lane;
        const float a0 = k < N ? __ldg(A + row * N + k) : 0.0f;
        const float a1 = k < N && second ? __ldg(A + (row + 1) * N + k) : 0.0f;
        const int stop = N - k0 < 32 ? N - k0 : 32;
        for (int i = 0; i < stop; ++i) {
            const float *b = B + (k0 + i) * N;
            const float b0 = c0 < N ? __ldg(b + c0) : 0.0f;
            const float b1 = c1 < N ? __ldg(b + c1) : 0.0f;
            const float u = __shfl_sync(0xffffffffu, a0, i);
            const float v = __shfl_sync(0xffffffffu, a1, i);
            s00 += u * b0;
            s01 += u * b1;
            s10 += v * b0;
            s11 += v * b1;
        }
    }
    if (c0 < N) C[row * N + c0] = s00;
    if (c1 < N) C[row * N + c1] = s01;
    if (second && c0 < N) C[(row + 1) * N + c0] = s10;
    if (second && c1 < N) C[(row + 1) * N + c1] = s11;
}

LAUNCH(.block = {32, 8}, .tile = {64, 16});

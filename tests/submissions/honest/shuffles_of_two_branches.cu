// expect: ok
// The broadcast of A is in both branches of an if: lanes beyond the last column take part in it, and add nothing.
#include <lab.h>
extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    int lane = threadIdx.x, r = blockIdx.y * blockDim.y + threadIdx.y, c = blockIdx.x * 32 + lane;
    if (r >= N) return;
    float s = 0;
    for (int k0 = 0; k0 < N; k0 += 32) {
        float mine = k0 + lane < N ? A[r * N + k0 + lane] : 0;
        if (c < N)
            for (int k = 0; k < 32; ++k) { float a = __shfl_sync(0xffffffffu, mine, k); if (k0 + k < N) s += a * B[(k0 + k) * N + c]; }
        else
            for (int k = 0; k < 32; ++k) __shfl_sync(0xffffffffu, mine, k);
    }
    if (c < N) C[r * N + c] = s;
}
LAUNCH(.block = {32, 4}, .tile = {32, 4});

// expect: ok
// A warp computes 8 x 4 elements; lanes pass each other elements of A.
#include <lab.h>

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    int lane = threadIdx.x, r = lane / 4, c = lane % 4, row = blockIdx.y * 8 + r, col = blockIdx.x * 4 + c;
    float s = 0;
    for (int k0 = 0; k0 < N; k0 += 4) {
        float a = row < N && k0 + c < N ? A[row * N + k0 + c] : 0.f;
        for (int j = 0; j < 4; ++j) {
            float v = __shfl_sync(~0u, a, j, 4);
            if (k0 + j < N && col < N)
                s += v * B[(k0 + j) * N + col];
        }
    }
    if (row < N && col < N)
        C[row * N + col] = s;
}
LAUNCH(.block = {32}, .tile = {4, 8});

#include <lab.h>

// no shared memory: 16 threads keep 16 elements of a row of A in registers and tell each other
extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    const int x = threadIdx.x;
    const int col = blockIdx.x * 16 + x;
    const int row = blockIdx.y * 16 + threadIdx.y;
    const bool rowOk = row < N, colOk = col < N;

    float sum = 0.0f;
    for (int k0 = 0; k0 < N; k0 += 16) {
        float own = rowOk && k0 + x < N ? A[row * N + k0 + x] : 0.0f;
        #pragma unroll
        for (int j = 0; j < 16; ++j) {
            float b = colOk && k0 + j < N ? B[(k0 + j) * N + col] : 0.0f;
            sum = fmaf(__shfl_sync(0xffffffffu, own, j, 16), b, sum);
        }
    }
    if (rowOk && colOk)
        C[row * N + col] = sum;
}

LAUNCH(.block = {16, 16}, .tile = {16, 16});

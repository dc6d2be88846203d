// expect: simulator barrier, cuda ok or barrier or timeout or wrong-answer; lines: 16, 19
// Lanes beyond the last column only wait at __syncwarp(), while the others exchange values.
#include <lab.h>
extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    int lane = threadIdx.x, row = blockIdx.y * blockDim.y + threadIdx.y, col = blockIdx.x * 32 + lane;
    if (row >= N) return;
    float sum = 0;
    for (int k0 = 0; k0 < N; k0 += 32) {
        float mine = k0 + lane < N ? A[row * N + k0 + lane] : 0;
        if (col < N) {
            int steps = min(32, N - k0);
            #pragma unroll 1
            for (int k = 0; k < 32; ++k)
            {
                float a = __shfl_sync(0xffffffffu, mine, k);
                if (k < steps) sum += a * B[(k0 + k) * N + col];
            }
        } else __syncwarp();
    }
    if (col < N) C[row * N + col] = sum;
}
LAUNCH(.block = {32, 4}, .tile = {32, 4});

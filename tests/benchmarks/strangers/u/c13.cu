#include <lab.h>

// Each warp keeps 32 elements of its row of A, one per lane, and broadcasts them by shuffle.
// No thread leaves early, as all lanes take part in the shuffles.
extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    int lane = threadIdx.x;
    int row = blockIdx.y * blockDim.y + threadIdx.y;
    int col = blockIdx.x * 32 + lane;
    float sum = 0.0f;

    for (int base = 0; base < N; base += 32) {
        float mine = (row < N && base + lane < N) ? A[row * N + base + lane] : 0.0f;
        int last = min(32, N - base);
        for (int j = 0; j < last; ++j) {
            float a = __shfl_sync(0xffffffffu, mine, j);
            if (col < N) sum += a * B[(base + j) * N + col];
        }
    }

    if (row < N && col < N) C[row * N + col] = sum;
}

LAUNCH(.block = {32, 8}, .tile = {32, 8});

/**
 * Matrix multiplication without shared memory.
 *
 * @param A  left matrix
 * @param B  right matrix
 * @param C  result
 * @param N  size
 */
#include <lab.h>

#define LANES 32
#define ROWS_PB 8
#define HALF (LANES / 2)

// Each warp handles one row of 32 columns of C. Lane i keeps A[row][k0 + i] in a register,
// and the warp passes these values around instead of storing them to shared memory.
extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    const int lane = threadIdx.x;
    const int row = blockIdx.y * ROWS_PB + threadIdx.y;
    const int col = blockIdx.x * LANES + lane;

    float sum = 0.0f;

    for (int k0 = 0; k0 < N; k0 += LANES) {
        float mine = 0.0f;
        if (row < N && k0 + lane < N)
            mine = A[row * N + k0 + lane];

        for (int k = 0; k < LANES; ++k) {
            float a = __shfl_sync(0xffffffff, mine, k, HALF);
            float b = 0.0f;
            if (k0 + k < N && col < N)
                b = B[(k0 + k) * N + col];
            sum = fmaf(a, b, sum);
        }
    }

    if (row < N && col < N)
        C[row * N + col] = sum;
}

LAUNCH(.block = {LANES, ROWS_PB}, .tile = {LANES, ROWS_PB});

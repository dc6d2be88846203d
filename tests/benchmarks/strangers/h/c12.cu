#include <lab.h>

#define T 32

// Two buffers and one barrier per step; the next elements wait in registers. A is stored transposed, and the
// exclusive or spreads its columns over the banks.
extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    __shared__ float at[2][T][T];
    __shared__ float bt[2][T][T];

    const int x = threadIdx.x, y = threadIdx.y;
    const int row = blockIdx.y * T + y, col = blockIdx.x * T + x;
    const int steps = (N + T - 1) / T;

    float a = row < N && x < N ? A[row * N + x] : 0.0f;
    float b = y < N && col < N ? B[y * N + col] : 0.0f;
    float sum = 0.0f;

    for (int s = 0; s < steps; ++s) {
        const int buf = s & 1;
        at[buf][x][y ^ x] = a;
        bt[buf][y][x] = b;
        __syncthreads();

        const int ka = (s + 1) * T + x, kb = (s + 1) * T + y;
        a = row < N && ka < N ? A[row * N + ka] : 0.0f;
        b = kb < N && col < N ? B[kb * N + col] : 0.0f;

        for (int k = 0; k < T; ++k)
            sum += at[buf][k][y ^ k] * bt[buf][k][x];
    }

    if (row < N && col < N)
        C[row * N + col] = sum;
}

LAUNCH(.block = {T, T}, .tile = {T, T});

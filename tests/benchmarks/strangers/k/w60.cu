#include <lab.h>

template <int R, int STEP>
__device__ __forceinline__ void outer(float (&acc)[R][R], const float *a_col, const float *b_row)
{
    float a[R], b[R];
#pragma unroll
    for (int i = 0; i < R; ++i) {
        a[i] = a_col[i * STEP];
        b[i] = b_row[i * STEP];
    }
#pragma unroll
    for (int i = 0; i < R; ++i)
#pragma unroll
        for (int j = 0; j < R; ++j)
            acc[i][j] += a[j] * b[i];
}

constexpr int R = 4, STEP = 8, T = R * STEP;

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    __shared__ float sa[T][T + 1];  // [k][row]
    __shared__ float sb[T][T + 1];  // [k][column]
    const int tx = threadIdx.x, ty = threadIdx.y;
    const int row0 = blockIdx.y * T, col0 = blockIdx.x * T;
    float acc[R][R] = {};

    for (int k0 = 0; k0 < N; k0 += T) {
        for (int i = ty; i < T; i += STEP)
            for (int j = tx; j < T; j += STEP) {
                sa[j][i] = row0 + i < N && k0 + j < N ? A[(row0 + i) * N + k0 + j] : 0.0f;
                sb[i][j] = k0 + i < N && col0 + j < N ? B[(k0 + i) * N + col0 + j] : 0.0f;
            }
        __syncthreads();
        for (int k = 0; k < T; ++k)
            outer<R, STEP>(acc, &sa[k][ty], &sb[k][tx]);
        __syncthreads();
    }

    for (int i = 0; i < R; ++i)
        for (int j = 0; j < R; ++j) {
            const int r = row0 + ty + i * STEP, c = col0 + tx + j * STEP;
            if (r < N && c < N)
                C[r * N + c] = acc[i][j];
        }
}

LAUNCH(.block = {STEP, STEP}, .tile = {T, T});

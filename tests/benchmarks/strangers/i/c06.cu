#include <lab.h>

#define T 32

// Aligned rows: float4 copies into the tiles. Other N: element by element. All threads take the same branch.
extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    __shared__ __align__(16) float a[T][T];
    __shared__ __align__(16) float b[T][T];
    const int tx = threadIdx.x, ty = threadIdx.y;      // 8 x 32 threads, 4 columns each
    const int row = blockIdx.y * T + ty, col = blockIdx.x * T + 4 * tx;
    const float4 zero = make_float4(0.0f, 0.0f, 0.0f, 0.0f);
    float4 s = zero;

    for (int k0 = 0; k0 < N; k0 += T) {
        if (N % 4 == 0) {
            int ka = k0 + 4 * tx, kb = k0 + ty;
            *(float4 *)&a[ty][4 * tx] = (row < N && ka < N) ? *(const float4 *)&A[row * N + ka] : zero;
            *(float4 *)&b[ty][4 * tx] = (kb < N && col < N) ? *(const float4 *)&B[kb * N + col] : zero;
            __syncthreads();
        } else {
            for (int x = tx; x < T; x += 8) {
                int ka = k0 + x, kb = k0 + ty, c = blockIdx.x * T + x;
                a[ty][x] = (row < N && ka < N) ? A[row * N + ka] : 0.0f;
                b[ty][x] = (kb < N && c < N) ? B[kb * N + c] : 0.0f;
            }
            __syncthreads();
        }
        for (int k = 0; k < T; ++k) {
            float v = a[ty][k];
            float4 w = *(float4 *)&b[k][4 * tx];
            s.x += v * w.x;
            s.y += v * w.y;
            s.z += v * w.z;
            s.w += v * w.w;
        }
        __syncthreads();
    }

    if (row >= N) return;
    if (col + 0 < N) C[row * N + col + 0] = s.x;
    if (col + 1 < N) C[row * N + col + 1] = s.y;
    if (col + 2 < N) C[row * N + col + 2] = s.z;
    if (col + 3 < N) C[row * N + col + 3] = s.w;
}

LAUNCH(.block = {8, 32}, .tile = {T, T});

#include <lab.h>
constexpr int T = 16;

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    __shared__ float a[T][T], b[T][T];

    const int c = blockIdx.x * T + threadIdx.x;
    const int r = blockIdx.y * T + threadIdx.y;
    if (r >= N || c >= N) return;

    float dot = 0.f;
    for (int base = 0; base < N; base += T) {
        const int ka = base + threadIdx.x, kb = base + threadIdx.y;
        a[threadIdx.y][threadIdx.x] = r < N && ka < N ? A[r * N + ka] : 0.f;
        b[threadIdx.y][threadIdx.x] = c < N && kb < N ? B[kb * N + c] : 0.f;
        __syncthreads();
        for (int k = 0; k < T; ++k)
            dot += a[threadIdx.y][k] * b[k][threadIdx.x];
        __syncthreads();
    }
    if (r < N && c < N) C[r * N + c] = dot;
}

LAUNCH(.block = {T, T});

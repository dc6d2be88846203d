#include <lab.h>

#define T 16

// eight rows of threads copy a T x T tile, two rows each
__device__ void loadHalf(float (*dst)[T], const float *src, int n, int r0, int c0, int y)
{
    for (int i = y; i < T; i += 8) {
        int r = r0 + i, c = c0 + threadIdx.x;
        dst[i][threadIdx.x] = (r < n && c < n) ? src[r * n + c] : 0.0f;
    }
}

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    __shared__ float a[T][T], b[T][T];
    int tx = threadIdx.x, ty = threadIdx.y;
    int row0 = blockIdx.y * T, col0 = blockIdx.x * T;
    float sum = 0.0f;

    for (int k0 = 0; k0 < N; k0 += T) {
        // one half of the block loads A, the other half B
        if (ty < 8) { loadHalf(a, A, N, row0, k0, ty); __syncthreads(); } else { loadHalf(b, B, N, k0, col0, ty - 8); }
        for (int k = 0; k < T; ++k)
            sum += a[ty][k] * b[k][tx];
        __syncthreads();
    }

    if (row0 + ty < N && col0 + tx < N)
        C[(row0 + ty) * N + col0 + tx] = sum;
}

LAUNCH(.block = {T, T}, .tile = {T, T});

// Test of unusual sizes.
// I wanted to be sure that I understood the indices, so nothing here is a power of two:
// W x H threads compute W x H elements, and a step along k has D elements.
// All loads use the linear thread number.

#include <lab.h>

#define W 7
#define H 9
#define D 5
#define THREADS (W * H)

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    __shared__ float a[H][D];
    __shared__ float b[D][W];

    const int x = threadIdx.x, y = threadIdx.y;
    const int tid = y * W + x;
    const int r0 = blockIdx.y * H, c0 = blockIdx.x * W;
    float sum = 0.0f;

    for (int k0 = 0; k0 < N; k0 += D) {
        if (tid < H * D) {
            const int r = r0 + tid / D, k = k0 + tid % D;
            a[tid / D][tid % D] = r < N && k < N ? A[r * N + k] : 0.0f;
        }
        if (tid >= THREADS - D * W) {
            const int e = tid - (THREADS - D * W);
            const int k = k0 + e / W, c = c0 + e % W;
            b[e / W][e % W] = k < N && c < N ? B[k * N + c] : 0.0f;
        }
        __syncthreads();
        for (int k = 0; k < D; ++k)
            sum += a[y][k] * b[k][x];
        __syncthreads();
    }

    if (r0 + y < N && c0 + x < N)
        C[(r0 + y) * N + c0 + x] = sum;
}

LAUNCH(.block = {W, H}, .tile = {W, H});

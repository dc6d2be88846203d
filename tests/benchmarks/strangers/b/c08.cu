#include <lab.h>

#define W 32
#define H 8
#define K 32

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    __shared__ float a[H * K];
    __shared__ float b[K * W];
    const int id = threadIdx.x;
    const int x = id & (W - 1);
    const int y = id / W;
    const int gx = blockIdx.x * W + x;
    const int gy = blockIdx.y * H + y;
    float sum = 0;

    for (int k0 = 0; k0 < N; k0 += K) {
        a[id] = gy < N && k0 + x < N ? A[gy * N + k0 + x] : 0;
        for (int i = id; i < K * W; i += W * H) {
            int k = k0 + i / W;
            b[i] = k < N && gx < N ? B[k * N + gx] : 0;  // i % W == x, as W * H is a multiple of W
        }
        __syncthreads();
        for (int k = 0; k < K; ++k)
            sum += a[y * K + k] * b[k * W + x];
        __syncthreads();
    }
    if (gx < N && gy < N)
        C[gy * N + gx] = sum;
}

LAUNCH(.block = {W * H}, .tile = {W, H});

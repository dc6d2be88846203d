#include <lab.h>

// flat shared arrays; one float of padding per row
#define T   16
#define PAD 1
#define LDS (T + PAD)

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    __shared__ float as[T * LDS];
    __shared__ float bs[T * LDS];

    int tx = threadIdx.x;
    int ty = threadIdx.y;
    int gx = blockIdx.x * T + tx;
    int gy = blockIdx.y * T + ty;
    float f = 0.0f;

    for (int s = 0; s < N; s += T)
    {
        as[ty * LDS + tx] = (gy < N && s + tx < N) ? A[gy * N + (s + tx)] : 0.0f;
        bs[ty * LDS + tx] = (gx < N && s + ty < N) ? B[(s + ty) * N + gx] : 0.0f;
        __syncthreads();

        for (int k = 0; k < T; k++)
            f += as[ty * LDS + k] * bs[k * T + tx];
        __syncthreads();
    }

    if (gx < N && gy < N)
        C[gy * N + gx] = f;
}

LAUNCH(.block = {T, T}, .tile = {T, T});

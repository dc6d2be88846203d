#include <lab.h>

// based on a blog post about tiling; block of 32 x 32
#define G 32

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    __shared__ float sa[G * G];
    __shared__ float sb[G * G];
    const int tx = threadIdx.x;
    const int ty = threadIdx.y;
    const int row = blockIdx.y * G + ty;
    const int col = blockIdx.x * G + tx;
    float tmp = 0.0f;

    for (int ka = tx; ka < N; ka += G) {
        const int k0 = ka - tx;
        const int kb = k0 + ty;
        sa[ty * G + tx] = row < N ? A[row * N + ka] : 0.0f;
        sb[ty * G + tx] = (kb < N && col < N) ? B[kb * N + col] : 0.0f;
        __syncthreads();

        const int count = min(G, N - k0);
        for (int k = 0; k < count; k++)
            tmp += sa[ty * G + k] * sb[k * G + tx];
        __syncthreads();
    }

    if (row < N && col < N)
        C[row * N + col] = tmp;
}

LAUNCH(.block = {G, G}, .tile = {G, G});

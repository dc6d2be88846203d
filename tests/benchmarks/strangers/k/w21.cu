#include <lab.h>

#define DIM 32
#define PITCH (DIM + 1)  // one more against bank conflicts
#define ELEMS (DIM * DIM)

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    __shared__ float As[ELEMS];
    __shared__ float Bs[ELEMS];

    const int tx = threadIdx.x;
    const int ty = threadIdx.y;
    const int row = blockIdx.y * DIM + ty;
    const int col = blockIdx.x * DIM + tx;
    float out = 0.0f;

    for (int base = 0; base < N; base += DIM) {
        As[ty * PITCH + tx] = row < N && base + tx < N ? A[row * N + base + tx] : 0.0f;
        Bs[ty * PITCH + tx] = base + ty < N && col < N ? B[(base + ty) * N + col] : 0.0f;
        __syncthreads();
        for (int k = 0; k < DIM; ++k)
            out += As[ty * PITCH + k] * Bs[k * PITCH + tx];
        __syncthreads();
    }
    if (row < N && col < N)
        C[row * N + col] = out;
}

LAUNCH(.block = {DIM, DIM});

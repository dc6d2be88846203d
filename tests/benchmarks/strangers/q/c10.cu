#include <lab.h>

#define THREADS 256

/* grid-stride loop over all N*N outputs */
extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    const int block  = blockIdx.y * gridDim.x + blockIdx.x;
    const int stride = gridDim.x * gridDim.y * THREADS;
    const int total  = N * N;

    for (int e = block * THREADS + threadIdx.x; e < total; e += stride)
    {
        const int r = e / N;
        const int c = e - r * N;
        float s = 0.f;
        #pragma unroll 4
        for (int k = 0; k < N; k++)
            s += A[r * N + k] * B[k * N + c];
        C[e] = s;
    }
}

LAUNCH(.block = {THREADS}, .tile = {32, 32});

#include <lab.h>
#define EDGE 32

// Each block does a 32 x 32 piece of C with 128 threads; the threads walk over the piece.
extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    int top  = blockIdx.y * EDGE;
    int left = blockIdx.x * EDGE;

    for (int e = threadIdx.x; e < EDGE * EDGE; e += blockDim.x * gridDim.x) {
        int i = top + e / EDGE;
        int j = left + e % EDGE;
        if (i >= N || j >= N)
            continue;
        float s = 0;
        for (int k = 0; k < N; k++)
            s += __ldg(&A[i * N + k]) * __ldg(&B[k * N + j]);
        C[i * N + j] = s;
    }
}

LAUNCH(.block = {128, 1, 1}, .tile = {EDGE, EDGE});

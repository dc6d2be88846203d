#include <lab.h>

/*
 * Flat thread index; the block of 256 threads walks over the elements of
 * its tile of C in several passes.
 */
#define NTHREADS 256
#define SIDE 32
#define PASSES 2

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    for (int pass = 0; pass < PASSES; ++pass)
    {
        const int e = pass * NTHREADS + threadIdx.x;
        const int row = blockIdx.y * SIDE + e / SIDE;
        const int col = blockIdx.x * SIDE + e % SIDE;

        if (row < N && col < N)
        {
            float val = 0.0f;
            const float *pa = A + row * N;
            const float *pb = B + col;
            for (int k = 0; k < N; ++k, pb += N)
                val += pa[k] * *pb;
            C[row * N + col] = val;
        }
    }
}

LAUNCH(.block = {NTHREADS}, .tile = {SIDE, SIDE});

#include <lab.h>
#define BK 8

// Pointers instead of indices, as in the optimisation blog post.
extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    __shared__ float As[32][BK];
    __shared__ float Bs[BK][32];

    int tid = threadIdx.x;                 // 256 threads
    int ar = tid / BK, ac = tid % BK;      // place in the tile of A
    int br = tid / 32, bc = tid % 32;      // place in the tile of B
    int row0 = blockIdx.y * 32, col0 = blockIdx.x * 32;
    bool okA = row0 + ar < N, okB = col0 + bc < N;

    const float *pa = A + (row0 + ar) * N + ac;
    const float *pb = B + br * N + col0 + bc;

    float out[4] = {0, 0, 0, 0};           // rows br, br + 8, br + 16, br + 24
    for (int left = N; left > 0; left -= BK) {
        As[ar][ac] = okA && ac < left ? *pa : 0;
        Bs[br][bc] = okB && br < left ? *pb : 0;
        __syncthreads();
        pa += BK;
        pb += BK;
        for (int k = 0; k < BK; k++) {
            float b = Bs[k][bc];
            for (int i = 0; i < 4; i++)
                out[i] += As[br + 8 * i][k] * b;
        }
        __syncthreads();
    }
    for (int i = 0; i < 4; i++)
        if (row0 + br + 8 * i < N && okB)
            C[(row0 + br + 8 * i) * N + col0 + bc] = out[i];
}

LAUNCH(.block = {256}, .tile = {32, 32});

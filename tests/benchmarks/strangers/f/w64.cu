#include <lab.h>

#define TS 16

struct Pair {
    float a[TS][TS];
    float b[TS][TS];
};

// two layers of threads, each with its own pair of tiles
extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    __shared__ Pair sh[2];

    int x = threadIdx.x, y = threadIdx.y, z = threadIdx.z;
    Pair &my = sh[z];
    int row = blockIdx.y * TS + y, col = blockIdx.x * TS + x;
    int tiles = (N + TS - 1) / TS;
    float sum = 0.0f;

    for (int t = z; t < tiles; t += 2) {
        int ka = t * TS + x, kb = t * TS + y;
        my.a[y][x] = (row < N && ka < N) ? A[row * N + ka] : 0.0f;
        my.b[y][x] = (kb < N && col < N) ? B[kb * N + col] : 0.0f;
        __syncthreads();
        for (int k = 0; k < TS; ++k)
            sum += my.a[y][k] * my.b[k][x];
        __syncthreads();
    }

    // layer 1 gives its sum to layer 0
    if (z == 1)
        my.a[y][x] = sum;
    __syncthreads();
    if (z == 0 && row < N && col < N)
        C[row * N + col] = sum + sh[1].a[y][x];
}

LAUNCH(.block = {TS, TS, 2}, .tile = {TS, TS});

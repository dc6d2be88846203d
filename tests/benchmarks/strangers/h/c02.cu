#include <lab.h>

#define S 16

struct Tiles {
    float a[S * S];
    float b[S * S];
};

// Sums in double, threads in one dimension, blocks along the diagonals.
extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    extern __shared__ float raw[];
    Tiles &tiles = *reinterpret_cast<Tiles *>(raw);

    const int down = blockIdx.x;
    const int right = (blockIdx.x + blockIdx.y) % gridDim.y;
    const int y = threadIdx.x >> 4, x = threadIdx.x & 15;
    const int row = down * S + y, col = right * S + x;

    const float *pa = A, *pb = B;
    if (row < N)
        pa += row * N;
    if (col < N)
        pb += col;

    double sum = 0;
    for (int k = 0; k < N; k += S) {
        float u = 0, v = 0;
        if (row < N && k + x < N)
            u = pa[k + x];
        if (col < N && k + y < N)
            v = pb[(k + y) * N];
        tiles.a[threadIdx.x] = u;
        tiles.b[threadIdx.x] = v;
        __syncthreads();
        for (int m = 0; m < S; ++m)
            sum += (double)tiles.a[y * S + m] * tiles.b[m * S + x];
        __syncthreads();
    }
    if (row < N && col < N)
        C[row * N + col] = (float)sum;
}

LAUNCH(.block = {S * S}, .tile = {S, S}, .shared = sizeof(Tiles), .grid_x = ROWS);

#include <lab.h>

#define S 16

// Small matrices and blocks in the interior take short cuts. The conditions are the same for all threads of a block, so
// the barriers are reached by all of them or by none.
extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    __shared__ float memory[2 * S * S];     // first two tiles, then (in the same place) the tile of C
    float (*a)[S] = (float (*)[S])memory;
    float (*b)[S] = (float (*)[S])(memory + S * S);

    const int x = threadIdx.x, y = threadIdx.y;
    const int row = blockIdx.y * S + y, col = blockIdx.x * S + x;
    float sum = 0.0f;
    int k0 = 0;

    if (N < S) {
        if (row < N && col < N)
            for (int k = 0; k < N; ++k)
                sum += A[row * N + k] * B[k * N + col];
    } else {
        const bool interior = (blockIdx.x + 1) * S <= N && (blockIdx.y + 1) * S <= N;
        while (true) {
            if (interior && k0 + S <= N) {
                a[y][x] = A[row * N + k0 + x];
                b[y][x] = B[(k0 + y) * N + col];
                __syncthreads();
            } else {
                a[y][x] = row < N && k0 + x < N ? A[row * N + k0 + x] : 0.0f;
                b[y][x] = col < N && k0 + y < N ? B[(k0 + y) * N + col] : 0.0f;
                __syncthreads();
            }
            for (int k = 0; k < S; ++k)
                sum += a[y][k] * b[k][x];
            __syncthreads();
            k0 += S;
            if (k0 >= N)
                break;
        }
    }

    // through shared memory, so that a thread of the first half stores two elements
    memory[y * S + x] = sum;
    __syncthreads();
    if (y < S / 2)
        for (int i = 0; i < 2; ++i) {
            const int r = blockIdx.y * S + 2 * y + i;
            if (r < N && col < N)
                C[r * N + col] = memory[(2 * y + i) * S + x];
        }
}

LAUNCH(.block = {S, S}, .tile = {S, S});

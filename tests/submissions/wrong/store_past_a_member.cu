// expect: wrong-answer; says: every 16th row
// A tile of B with a column of padding is stored in one of 16 columns: the last row ends in the member behind it.
#include <lab.h>

#define T 16
#define B_TILE(y, x) s->b[(y) * (T + 1) + (x)]

struct Shared {
    float b[T * T];
    float a[T][T];
};

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    __shared__ Shared shared;
    Shared *s = &shared;
    int tx = threadIdx.x;
    int ty = threadIdx.y;
    int row = blockIdx.y * T + ty;
    int col = blockIdx.x * T + tx;
    float sum = 0;

    for (int k0 = 0; k0 < N; k0 += T) {
        s->a[ty][tx] = row < N && k0 + tx < N ? A[row * N + k0 + tx] : 0;
        __syncthreads();
        if (ty < T)
            B_TILE(ty, tx) = k0 + ty < N && col < N ? B[(k0 + ty) * N + col] : 0;
        __syncthreads();
        for (int k = 0; k < T; ++k)
            sum += s->a[ty][k] * B_TILE(k, tx);
        __syncthreads();
    }
    if (row < N && col < N)
        C[row * N + col] = sum;
}

LAUNCH(.block = {T, T}, .tile = {T, T});

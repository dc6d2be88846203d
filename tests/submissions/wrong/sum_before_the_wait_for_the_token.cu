// expect: data-race; lines: 21, 24; says: line 21 must come before an arrival
// Arrives at a barrier object for the full tile, and reads the tile before it waits; the wait comes after the sum.
#include <cuda/barrier>
#include <lab.h>

#define T 16

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    using barrier = cuda::barrier<cuda::thread_scope_block>;
    __shared__ float As[T][T], Bs[T][T];
#pragma nv_diag_suppress static_var_with_dynamic_init
    __shared__ barrier bar;
    int x = threadIdx.x, y = threadIdx.y, row = blockIdx.y * T + y, col = blockIdx.x * T + x;
    if (x == 0 && y == 0)
        init(&bar, T * T);
    __syncthreads();
    float sum = 0.0f;
    for (int first = 0; first < N; first += T) {
        As[y][x] = row < N && first + x < N ? A[row * N + first + x] : 0.0f;
        Bs[y][x] = first + y < N && col < N ? B[(first + y) * N + col] : 0.0f;
        auto token = bar.arrive();
        for (int k = 0; k < T; ++k)
            sum += As[y][k] * Bs[k][x];
        bar.wait(std::move(token));
    }
    if (row < N && col < N)
        C[row * N + col] = sum;
}

LAUNCH(.block = {T, T}, .tile = {T, T});

// expect: ok
// Threads arrive at a barrier object, load their part of the next tile into registers, and wait only then.
#include <cuda/barrier>
#include <lab.h>

#define T 16

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    using barrier = cuda::barrier<cuda::thread_scope_block>;
    __shared__ float As[T][T], Bs[T][T];
#pragma nv_diag_suppress static_var_with_dynamic_init
    __shared__ barrier filled, used;
    int x = threadIdx.x, y = threadIdx.y, row = blockIdx.y * T + y, col = blockIdx.x * T + x;
    if (x == 0 && y == 0) {
        init(&filled, T * T);
        init(&used, T * T);
    }
    __syncthreads();
    float a = row < N && x < N ? A[row * N + x] : 0.0f, b = y < N && col < N ? B[y * N + col] : 0.0f, sum = 0.0f;
    for (int first = 0; first < N; first += T) {
        As[y][x] = a;
        Bs[y][x] = b;
        auto token = filled.arrive();
        int next = first + T;
        a = row < N && next + x < N ? A[row * N + next + x] : 0.0f;
        b = next + y < N && col < N ? B[(next + y) * N + col] : 0.0f;
        filled.wait(std::move(token));
        for (int k = 0; k < T; ++k)
            sum += As[y][k] * Bs[k][x];
        used.arrive_and_wait();
    }
    if (row < N && col < N)
        C[row * N + col] = sum;
}

LAUNCH(.block = {T, T}, .tile = {T, T});

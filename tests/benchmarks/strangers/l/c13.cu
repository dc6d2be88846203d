// The barrier is an object in shared memory: a thread arrives, fetches its next elements, and waits only then.
#include <cuda/barrier>
#include <lab.h>

#pragma nv_diag_suppress static_var_with_dynamic_init

#define T 16

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    using Barrier = cuda::barrier<cuda::thread_scope_block>;
    __shared__ Barrier bar;
    __shared__ float a[T][T], b[T][T];

    const int tx = threadIdx.x, ty = threadIdx.y;
    const int row = blockIdx.y * T + ty, col = blockIdx.x * T + tx;
    if (tx == 0 && ty == 0)
        init(&bar, T * T);
    __syncthreads();

    float sum = 0.0f;
    float na = row < N && tx < N ? A[row * N + tx] : 0.0f;
    float nb = col < N && ty < N ? B[ty * N + col] : 0.0f;
    for (int k0 = 0; k0 < N; k0 += T) {
        a[ty][tx] = na;
        b[ty][tx] = nb;
        auto token = bar.arrive();
        const int k1 = k0 + T;
        na = row < N && k1 + tx < N ? A[row * N + k1 + tx] : 0.0f;
        nb = col < N && k1 + ty < N ? B[(k1 + ty) * N + col] : 0.0f;
        bar.wait(static_cast<Barrier::arrival_token &&>(token));

        for (int k = 0; k < T; ++k)
            sum += a[ty][k] * b[k][tx];
        bar.arrive_and_wait();
    }

    if (row < N && col < N)
        C[row * N + col] = sum;
}

LAUNCH(.block = {T, T}, .tile = {T, T});

// expect: data-race; lines: 21, 28; says: let one wait and put a __syncthreads()
// Only the first thread waits for the barrier that the asynchronous copies belong to.
#include <cuda/barrier>
#include <lab.h>
#define T 16
extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    __shared__ float As[T][T], Bs[T][T];
    __shared__ cuda::barrier<cuda::thread_scope_block> bar;
    int tx = threadIdx.x, ty = threadIdx.y, row = blockIdx.y * T + ty, col = blockIdx.x * T + tx;
    if (tx == 0 && ty == 0)
        init(&bar, T * T);
    __syncthreads();
    float sum = 0.0f;
    for (int t = 0; t < N; t += T) {
        if (row < N && t + tx < N)
            cuda::memcpy_async(&As[ty][tx], A + row * N + t + tx, sizeof(float), bar);
        else
            As[ty][tx] = 0.0f;
        if (t + ty < N && col < N)
            cuda::memcpy_async(&Bs[ty][tx], B + (t + ty) * N + col, sizeof(float), bar);
        else
            Bs[ty][tx] = 0.0f;
        auto token = bar.arrive();
        if (tx == 0 && ty == 0)
            bar.wait(std::move(token));
        for (int k = 0; k < T; ++k)
            sum += As[ty][k] * Bs[k][tx];
        __syncthreads();
    }
    if (row < N && col < N)
        C[row * N + col] = sum;
}
LAUNCH(.block = {T, T}, .tile = {T, T});

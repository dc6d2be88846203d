// expect: unset-memory; lines: 15; says: at the barrier object bar in line 15, but it is not initialised
// Waits at a barrier object that it never initialises.
#include <cuda/barrier>
#include <lab.h>
#define T 16
extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    __shared__ float As[T][T], Bs[T][T];
    __shared__ cuda::barrier<cuda::thread_scope_block> bar;
    int tx = threadIdx.x, ty = threadIdx.y, row = blockIdx.y * T + ty, col = blockIdx.x * T + tx;
    float sum = 0.0f;
    for (int t = 0; t < N; t += T) {
        As[ty][tx] = row < N && t + tx < N ? A[row * N + t + tx] : 0.0f;
        Bs[ty][tx] = t + ty < N && col < N ? B[(t + ty) * N + col] : 0.0f;
        bar.arrive_and_wait();
        for (int k = 0; k < T; ++k)
            sum += As[ty][k] * Bs[k][tx];
        bar.arrive_and_wait();
    }
    if (row < N && col < N)
        C[row * N + col] = sum;
}
LAUNCH(.block = {T, T}, .tile = {T, T});

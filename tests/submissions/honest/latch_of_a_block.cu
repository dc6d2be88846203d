// expect: ok; sizes: 36
// cuda::latch instead of __syncthreads().
#include <cuda/latch>
#include <lab.h>
extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    __shared__ alignas(16) char room[sizeof(cuda::latch<cuda::thread_scope_block>)];
    __shared__ float row_of_a[512];
    auto *l = reinterpret_cast<cuda::latch<cuda::thread_scope_block> *>(room);
    int t = threadIdx.x, row = blockIdx.y;
    if (t == 0) new (room) cuda::latch<cuda::thread_scope_block>(64);
    __syncthreads();
    for (int k = t; k < N; k += 64) row_of_a[k] = A[row * N + k];
    l->arrive_and_wait();
    float sum = 0;
    int col = blockIdx.x * 64 + t;
    if (col < N) {
        for (int k = 0; k < N; ++k) sum += row_of_a[k] * B[k * N + col];
        C[row * N + col] = sum;
    }
}
LAUNCH(.block = {64}, .tile = {64, 1});

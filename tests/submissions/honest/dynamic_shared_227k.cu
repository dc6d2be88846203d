// expect: simulator ok, cuda ok or launch-failed
// All of the shared memory that a block of an H100 can have, each float of it set and one of them read, by 1024 threads.
// Devices with less refuse the launch.
#include <lab.h>

constexpr int BYTES = 227 * 1024;

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    extern __shared__ float s[];
    const int all = BYTES / 4, tid = threadIdx.y * 32 + threadIdx.x;
    for (int i = tid; i < all; i += 1024)
        s[i] = 0;
    __syncthreads();
    int r = blockIdx.y * 32 + threadIdx.y, c = blockIdx.x * 32 + threadIdx.x;
    float sum = 0;
    for (int k0 = 0; k0 < N; k0 += 32) {
        s[tid] = r < N && k0 + threadIdx.x < N ? A[r * N + k0 + threadIdx.x] : 0;
        s[1024 + tid] = c < N && k0 + threadIdx.y < N ? B[(k0 + threadIdx.y) * N + c] : 0;
        __syncthreads();
        for (int k = 0; k < 32; ++k)
            sum += s[threadIdx.y * 32 + k] * s[1024 + k * 32 + threadIdx.x];
        __syncthreads();
    }
    sum += s[all - 1 - tid % 7];
    if (r < N && c < N)
        C[r * N + c] = sum;
}
LAUNCH(.block = {32, 32}, .tile = {32, 32}, .shared = BYTES);

#include <lab.h>

// Copy one element from global to shared memory.
static __device__ __forceinline__ void stage(float &dst, const float *src, int index, bool inside)
{
    if (inside) dst = src[index];
}

template <int T>
__device__ void multiply(const float *A, const float *B, float *C, int N)
{
    __shared__ float a[T][T + 1];
    __shared__ float b[T][T + 1];

    int r = blockIdx.y * T + threadIdx.y;
    int c = blockIdx.x * T + threadIdx.x;

    float sum = 0;
    int tiles = (N + T - 1) / T;
    for (int t = 0; t < tiles; t++) {
        int ka = t * T + threadIdx.x;
        int kb = t * T + threadIdx.y;
        stage(a[threadIdx.y][threadIdx.x], A, r * N + ka, r < N && ka < N);
        stage(b[threadIdx.y][threadIdx.x], B, kb * N + c, kb < N && c < N);
        __syncthreads();
        #pragma unroll
        for (int k = 0; k < T; k++)
            sum += a[threadIdx.y][k] * b[k][threadIdx.x];
        __syncthreads();
    }
    if (r < N && c < N) C[r * N + c] = sum;
}

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    multiply<32>(A, B, C, N);
}

LAUNCH(.block = {32, 32}, .tile = {32, 32});

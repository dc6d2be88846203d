#include <lab.h>
#define NB 16
// A goes into shared memory transposed; +1 avoids bank conflicts
extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    __shared__ float At[NB][NB + 1];
    __shared__ float Bt[NB][NB + 1];
    const unsigned n = N;
    const unsigned c = blockIdx.x * NB + threadIdx.x;
    const unsigned r = blockIdx.y * NB + threadIdx.y;
    float s = 0.f;
    for (unsigned p = 0; p < n; p += NB) {
        At[threadIdx.x][threadIdx.y] = r < n && p + threadIdx.x < n ? A[r * n + p + threadIdx.x] : 0.f;
        Bt[threadIdx.y][threadIdx.x] = p + threadIdx.y < n && c < n ? B[(p + threadIdx.y) * n + c] : 0.f;
        __syncthreads();
        for (unsigned k = 0; k < NB; k++)
            s += At[threadIdx.y][k] * Bt[k][threadIdx.x];
        __syncthreads();
    }
    if (r < n && c < n) C[r * n + c] = s;
}
LAUNCH(.block = {NB, NB}, .tile = {NB, NB});

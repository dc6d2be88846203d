// expect: ok
// The loop over a tile is unrolled by a class template that instantiates itself.
#include <lab.h>

#define TILE 16

template <int K>
struct Terms {
    static __device__ float add(const float *a, const float *b) 
    {
        return Terms<K - 1>::add(a, b) + a[K - 1] * b[(K - 1) * TILE];
    }
};

template <>
struct Terms<0> {
    static __device__ float add(const float *, const float *) { return 0.0f; }
};

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    __shared__ float As[TILE][TILE];
    __shared__ float Bs[TILE][TILE];
    int tx = threadIdx.x, ty = threadIdx.y;
    int row = blockIdx.y * TILE + ty;
    int col = blockIdx.x * TILE + tx;

    float sum = 0.0f;
    for (int first = 0; first < N; first += TILE) {
        As[ty][tx] = (row < N && first + tx < N) ? A[row * N + first + tx] : 0.0f;
        Bs[ty][tx] = (first + ty < N && col < N) ? B[(first + ty) * N + col] : 0.0f;
        __syncthreads();
        sum += Terms<TILE>::add(As[ty], &Bs[0][tx]);
        __syncthreads();
    }
    if (row < N && col < N)
        C[row * N + col] = sum;
}

LAUNCH(.block = {TILE, TILE}, .tile = {TILE, TILE});

#include <lab.h>

template <int TS>
struct Kernel {
    // Odd block rows walk along K backwards: they begin with the tiles that the row before has just left in the cache.
    static __device__ float run(const float *A, const float *B, int row, int col, int N)
    {
        __shared__ float a[TS][TS], b[TS][TS];
        const int tiles = (N + TS - 1) / TS;
        float sum = 0;
        for (int s = 0; s < tiles; ++s) {
            const int t = (blockIdx.y & 1) ? tiles - s : s;
            const int ka = t * TS + threadIdx.x, kb = t * TS + threadIdx.y;
            a[threadIdx.y][threadIdx.x] = (row < N && ka < N) ? A[row * N + ka] : 0;
            b[threadIdx.y][threadIdx.x] = (kb < N && col < N) ? B[kb * N + col] : 0;
            __syncthreads();
            for (int k = 0; k < TS; ++k)
                sum += a[threadIdx.y][k] * b[k][threadIdx.x];
            __syncthreads();
        }
        return sum;
    }
};

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    const int row = blockIdx.y * 32 + threadIdx.y;
    const int col = blockIdx.x * 32 + threadIdx.x;
    const float v = Kernel<32>::run(A, B, row, col, N);
    if (row < N && col < N)
        C[row * N + col] = v;
}

LAUNCH(.block = {32, 32}, .tile = {32, 32});

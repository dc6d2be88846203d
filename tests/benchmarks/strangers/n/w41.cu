#include <lab.h>

#define BS 16
#define SKIP_OUTSIDE(r, c, n) do { if ((r) >= (n) || (c) >= (n)) return; } while (0)

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    __shared__ float Asub[BS][BS];
    __shared__ float Bsub[BS][BS];

    int c = blockIdx.x * BS + threadIdx.x;
    int r = blockIdx.y * BS + threadIdx.y;
    SKIP_OUTSIDE(r, c, N);

    float Csub = 0;
    for (int m = 0; m < N; m += BS) {
        int ka = m + threadIdx.x, kb = m + threadIdx.y;
        Asub[threadIdx.y][threadIdx.x] = (ka < N && r < N) ? A[r * N + ka] : 0;
        Bsub[threadIdx.y][threadIdx.x] = (kb < N && c < N) ? B[kb * N + c] : 0;
        __syncthreads();
        #pragma unroll
        for (int k = 0; k < BS; ++k)
            Csub += Asub[threadIdx.y][k] * Bsub[k][threadIdx.x];
        __syncthreads();
    }
    if (r < N && c < N)
        C[r * N + c] = Csub;
}

LAUNCH(.block = {BS, BS}, .tile = {BS, BS});

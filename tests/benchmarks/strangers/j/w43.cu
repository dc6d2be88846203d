#include <lab.h>

constexpr int TILE = 32;
constexpr int LD = TILE + 1;   // leading dimension in shared memory

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    extern __shared__ float smem[];
    float *const As = smem;
    float *const Bs = As + TILE * LD;

    const int tx = threadIdx.x % TILE, ty = threadIdx.x / TILE;
    const int row = blockIdx.y * TILE + ty, col = blockIdx.x * TILE + tx;
    float acc = 0.0f;

    for (int t = 0; t < (N + TILE - 1) / TILE; ++t)
    {
        const int ka = t * TILE + tx, kb = t * TILE + ty;
        As[ty * LD + tx] = (row < N && ka < N) ? A[row * N + ka] : 0.0f;
        Bs[ty * LD + tx] = (kb < N && col < N) ? B[kb * N + col] : 0.0f;
        __syncthreads();
        for (int k = 0; k < TILE; ++k)
            acc = fmaf(As[ty * TILE + k], Bs[k * LD + tx], acc);
        __syncthreads();
    }

    if (row < N && col < N)
        C[row * N + col] = acc;
}

LAUNCH(.block = {TILE * TILE}, .tile = {TILE, TILE}, .shared = 2 * TILE * LD * sizeof(float));

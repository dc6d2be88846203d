#include <lab.h>

static constexpr int BS = 16;

// The next elements are fetched into registers while the tiles in shared memory are used.
extern "C" __global__ void __launch_bounds__(BS * BS)
matmul(const float *__restrict__ A, const float *__restrict__ B, float *__restrict__ C, int N)
{
    __shared__ float As[BS][BS];
    __shared__ float Bs[BS][BS];

    const int tx  = threadIdx.x;
    const int ty  = threadIdx.y;
    const int row = blockIdx.y * BS + ty;
    const int col = blockIdx.x * BS + tx;

    float ra = (row < N && tx < N) ? A[row * N + tx] : 0.0f;
    float rb = (col < N && ty < N) ? B[ty * N + col] : 0.0f;
    float acc = 0.0f;

    for (int k0 = 0; k0 < N; k0 += BS) {
        As[ty][tx] = ra;
        Bs[ty][tx] = rb;
        __syncthreads();

        const int next = k0 + BS;
        if (row < N)
            ra = A[row * N + next + tx];
        if (col < N)
            rb = B[(next + ty) * N + col];

        const int last = N - k0 < BS ? N - k0 : BS;
        for (int k = 0; k < last; ++k)
            acc += As[ty][k] * Bs[k][tx];
        __syncthreads();
    }

    if (row < N && col < N)
        C[row * N + col] = acc;
}

LAUNCH(.block = {BS, BS}, .tile = {BS, BS});

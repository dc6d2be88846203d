#include <lab.h>

#define ROWS_PER_BLOCK 16
#define COLS_PER_BLOCK 64
#define KSTEP 16

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    __shared__ float As[ROWS_PER_BLOCK][KSTEP];
    __shared__ float Bs[KSTEP][COLS_PER_BLOCK];

    const int tx = threadIdx.x, ty = threadIdx.y;
    const int row = blockIdx.y * ROWS_PER_BLOCK + ty;
    const int col0 = blockIdx.x * COLS_PER_BLOCK;

    float ra, rb[4];
    auto fetch = [&](int k0) {
        ra = (row < N && k0 + tx < N) ? A[row * N + k0 + tx] : 0.f;
        for (int j = 0; j < 4; ++j) {
            const int c = col0 + tx + 16 * j;
            rb[j] = (k0 + ty < N && c < N) ? B[(k0 + ty) * N + c] : 0.f;
        }
    };

    float acc[4] = {0.f, 0.f, 0.f, 0.f};
    fetch(0);
    for (int k0 = 0; k0 < N; k0 += KSTEP) {
        As[ty][tx] = ra;
        for (int j = 0; j < 4; ++j)
            Bs[ty][tx + 16 * j] = rb[j];
        __syncthreads();

        if (k0 + KSTEP < N)
            fetch(k0 + KSTEP);   // is on its way during the products

        for (int k = 0; k < KSTEP; ++k) {
            const float a = As[ty][k];
            for (int j = 0; j < 4; ++j)
                acc[j] += a * Bs[k][tx * 4 + j];
        }
        if (k0 + KSTEP < N) __syncthreads();
    }

    // through shared memory, so that the warp writes whole lines
    for (int j = 0; j < 4; ++j)
        Bs[ty][tx * 4 + j] = acc[j];
    __syncthreads();
    for (int j = 0; j < 4; ++j) {
        const int c = col0 + tx + 16 * j;
        if (row < N && c < N)
            C[row * N + c] = Bs[ty][tx + 16 * j];
    }
}

LAUNCH(.block = {16, 16}, .tile = {COLS_PER_BLOCK, ROWS_PER_BLOCK});

#include <lab.h>

// Every warp works alone, with its own slab of shared memory: __syncwarp is enough.
#define WARPS 4

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    __shared__ float slab[WARPS][4][32];      // 4 rows of A x 32 k
    const int lane = threadIdx.x, w = threadIdx.y;
    float (*a)[32] = slab[w];
    const int r0 = (blockIdx.y * WARPS + w) * 4;
    const int c = blockIdx.x * 32 + lane;
    float s0 = 0, s1 = 0, s2 = 0, s3 = 0;

    for (int k0 = 0; k0 < N; k0 += 32) {
        for (int i = 0; i < 4; ++i)
            a[i][lane] = r0 + i < N && k0 + lane < N ? A[(r0 + i) * N + k0 + lane] : 0.0f;
        __syncwarp();
        const int len = min(32, N - k0);
        for (int k = 0; k < len; ++k) {
            const float b = c < N ? B[(k0 + k) * N + c] : 0.0f;
            s0 += a[0][k] * b;
            s1 += a[1][k] * b;
            s2 += a[2][k] * b;
            s3 += a[3][k] * b;
        }
        __syncwarp();
    }

    if (c >= N) return;
    switch (N - r0) {
    default: if (r0 >= N) return;
             C[(r0 + 3) * N + c] = s3;        // fall through
    case 3:  C[(r0 + 2) * N + c] = s2;
    case 2:  C[(r0 + 1) * N + c] = s1;
    case 1:  C[r0 * N + c] = s0;
    }
}

LAUNCH(.block = {32, WARPS}, .tile = {32, 4 * WARPS});

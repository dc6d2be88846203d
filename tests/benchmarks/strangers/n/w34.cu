#include <lab.h>

// 128 threads make 8 rows of 64 columns; each thread has 4 columns that are 16 apart
extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    const int tid  = threadIdx.x;
    const int left = blockIdx.x * 64;
    const int r    = blockIdx.y * 8 + (tid >> 4);
    if (r >= N)
        return;

    for (int j = 0; j < 4; ++j) {
        const int c = left + (tid & 15 + 16 * j);
        if (c >= N)
            break;
        float s = 0.f;
#pragma unroll 8
        for (int k = 0; k < N; ++k)
            s = __fmaf_rn(A[r * N + k], B[k * N + c], s);
        C[r * N + c] = s;
    }
}

LAUNCH(.block = {128}, .tile = {64, 8});

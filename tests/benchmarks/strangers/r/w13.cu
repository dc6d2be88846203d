#include <lab.h>

#define ROW(i) blockIdx.y * 32 + threadIdx.y * 4 + i
#define COL    (blockIdx.x * 32 + threadIdx.x)

// 4 rows per thread
extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    float s[4] = {0, 0, 0, 0};

    if (COL < N) {
        for (int k = 0; k < N; ++k) {
            float bk = B[k * N + COL];
            for (int i = 0; i < 4; ++i)
                if (ROW(i) < N)
                    s[i] += A[ROW(i) * N + k] * bk;
        }
        for (int i = 0; i < 4; ++i) {
            int r = ROW(i);
            if (r < N)
                C[r * N + COL] = s[i];
        }
    }
}

LAUNCH(.block = {32, 8}, .tile = {32, 32});

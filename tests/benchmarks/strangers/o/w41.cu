#include <lab.h>

#define AT(m, r, c) m[r * N + c]
#define ROWS_PER_THREAD 2

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    int c  = blockIdx.x * blockDim.x + threadIdx.x;
    int r0 = (blockIdx.y * blockDim.y + threadIdx.y) * ROWS_PER_THREAD;

    if (c < N)
    {
        for (int i = 0; i < ROWS_PER_THREAD; i++)
        {
            if (r0 + i < N)
            {
                float s = 0.0f;
                for (int k = 0; k < N; k++)
                    s += AT(A, r0 + i, k) * AT(B, k, c);
                int r = r0 + i;
                AT(C, r, c) = s;
            }
        }
    }
}

LAUNCH(.block = {32, 8}, .tile = {32, 8 * ROWS_PER_THREAD});

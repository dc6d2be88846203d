#include <lab.h>

// XOR swizzle, transposed A, 2 x 2 results per thread. See slides 45-47.
static constexpr int TS = 32;
static constexpr int HALF = TS / 2;

#define SWZ(r, c) ((r) * TS + ((c) ^ ((r) & (TS - 1))))
#define FOR2(i) for (int i = 0; i < 2; ++i)

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    __shared__ float at[TS * TS];
    __shared__ float b[TS * TS];

    const int tx = threadIdx.x, ty = threadIdx.y;
    const int row0 = blockIdx.y * TS, col0 = blockIdx.x * TS;
    float r[2][2] = {{0.0f, 0.0f}, {0.0f, 0.0f}};

    for (int t = 0; t < N; t += TS) {
        FOR2(i) FOR2(j) {
            const int y = ty + i * HALF, x = tx + j * HALF;
            at[SWZ(x, y)] = (row0 + y < N && t + x < N) ? __ldg(&A[(row0 + y) * N + t + x]) : 0.0f;
            b[SWZ(y, x)] = (t + y < N && col0 + x < N) ? __ldg(&B[(t + y) * N + col0 + x]) : 0.0f;
        }
        __syncthreads();

        for (int k = 0; k < TS; ++k)
            FOR2(i) FOR2(j)
                r[i][j] += at[SWZ(k, ty + i * HALF)] * b[SWZ(k, tx + j * HALF)];
        __syncthreads();
    }

    FOR2(i) FOR2(j) {
        const int y = row0 + ty + i * HALF, x = col0 + tx + j * HALF;
        if (y < N && x < N)
            C[y * N + x] = r[i][j];
    }
}

LAUNCH(.block = {HALF, HALF}, .tile = {TS, TS});

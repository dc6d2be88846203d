#include <lab.h>

// A block is two warps in one row. A thread computes 8 rows of one column.
#define WIDTH 64
#define HEIGHT 8
#define DEPTH 16

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    __shared__ float strip[DEPTH][HEIGHT];  // A, transposed

    const int col = blockIdx.x * WIDTH + threadIdx.x;
    const int top = blockIdx.y * HEIGHT;
    float r0 = 0, r1 = 0, r2 = 0, r3 = 0, r4 = 0, r5 = 0, r6 = 0, r7 = 0;

    for (int k0 = 0; k0 < N; k0 += DEPTH) {
        for (int i = threadIdx.x; i < DEPTH * HEIGHT; i += WIDTH) {
            const int y = i / DEPTH, k = i % DEPTH;
            strip[k][y] = top + y < N && k0 + k < N ? A[(top + y) * N + k0 + k] : 0.0f;
        }
        __syncthreads();

        if (col < N) {
            const int last = min(DEPTH, N - k0);
            for (int k = 0; k < last; ++k) {
                const float b = B[(k0 + k) * N + col];
                r0 += strip[k][0] * b;
                r1 += strip[k][1] * b;
                r2 += strip[k][2] * b;
                r3 += strip[k][3] * b;
                r4 += strip[k][4] * b;
                r5 += strip[k][5] * b;
                r6 += strip[k][6] * b;
                r7 += strip[k][7] * b;
            }
        }
        __syncthreads();
    }

    if (col >= N)
        return;
    float *c = C + top * N + col;
    switch (min(HEIGHT, N - top)) {
    case 8: c[7 * N] = r7;  // fall through
    case 7: c[6 * N] = r6;
    case 6: c[5 * N] = r5;
    case 5: c[4 * N] = r4;
    case 4: c[3 * N] = r3;
    case 3: c[2 * N] = r2;
    case 2: c[N] = r1;
    case 1: c[0] = r0;
    }
}

LAUNCH(.block = {WIDTH}, .tile = {WIDTH, HEIGHT});

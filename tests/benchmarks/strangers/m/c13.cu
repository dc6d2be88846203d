#include <lab.h>

union Shared {
    struct { float a[32][33], b[32][33]; } in;
    float out[32][33];
};

// The memory of the inputs' tiles is used again for the results, which then leave row by row.
extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    __shared__ Shared sh;
    const int tx = threadIdx.x, ty = threadIdx.y, id = ty * 16 + tx;
    const int r0 = blockIdx.y * 32, c0 = blockIdx.x * 32;
    float s[2][2] = {{0.0f, 0.0f}, {0.0f, 0.0f}};

    for (int k0 = 0; k0 < N; k0 += 32) {
        for (int i = id; i < 32 * 32; i += 256) {
            const int y = i / 32, x = i % 32;
            sh.in.a[y][x] = r0 + y < N && k0 + x < N ? A[(r0 + y) * N + k0 + x] : 0.0f;
            sh.in.b[y][x] = k0 + y < N && c0 + x < N ? B[(k0 + y) * N + c0 + x] : 0.0f;
        }
        __syncthreads();
        for (int k = 0; k < 32; ++k) {
            const float a0 = sh.in.a[2 * ty][k], a1 = sh.in.a[2 * ty + 1][k];
            const float b0 = sh.in.b[k][2 * tx], b1 = sh.in.b[k][2 * tx + 1];
            s[0][0] += a0 * b0;
            s[0][1] += a0 * b1;
            s[1][0] += a1 * b0;
            s[1][1] += a1 * b1;
        }
        __syncthreads();
    }

    for (int i = 0; i < 4; ++i)
        sh.out[2 * ty + i / 2][2 * tx + i % 2] = s[i / 2][i % 2];
    __syncthreads();
    for (int i = id; i < 32 * 32; i += 256) {
        const int y = i / 32, x = i % 32;
        if (r0 + y < N && c0 + x < N)
            C[(r0 + y) * N + c0 + x] = sh.out[y][x];
    }
}

LAUNCH(.block = {16, 16}, .tile = {32, 32});

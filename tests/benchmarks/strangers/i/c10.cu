#include <lab.h>

// Dynamic shared memory, viewed as a struct. 64 threads compute 32 x 32 elements, 4 x 4 each, and put the result
// into the memory of the tiles before it is written row by row.
struct Work {
    float a[8][33];    // transposed
    float b[8][33];
};
union Shared {
    Work in;
    float out[32][33];
};
extern __shared__ float4 raw[];

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    Shared &sh = *reinterpret_cast<Shared *>(raw);
    const int id = threadIdx.x, x = id % 8, y = id / 8;
    const int i0 = blockIdx.y * 32, j0 = blockIdx.x * 32;
    float s[4][4] = {};

    for (int k0 = 0; k0 < N; k0 += 8) {
        for (int e = id; e < 256; e += 64) {
            int r = e / 8, k = e % 8;
            sh.in.a[k][r] = (i0 + r < N && k0 + k < N) ? A[(i0 + r) * N + k0 + k] : 0.0f;
            k = e / 32, r = e % 32;
            sh.in.b[k][r] = (k0 + k < N && j0 + r < N) ? B[(k0 + k) * N + j0 + r] : 0.0f;
        }
        __syncthreads();
        for (int k = 0; k < 8; ++k)
            for (int i = 0; i < 4; ++i)
                for (int j = 0; j < 4; ++j)
                    s[i][j] += sh.in.a[k][y + 8 * i] * sh.in.b[k][x + 8 * j];
        __syncthreads();
    }

    for (int i = 0; i < 4; ++i)
        for (int j = 0; j < 4; ++j)
            sh.out[y + 8 * i][x + 8 * j] = s[i][j];
    __syncthreads();
    for (int e = id; e < 1024; e += 64)
        if (i0 + e / 32 < N && j0 + e % 32 < N)
            C[(i0 + e / 32) * N + j0 + e % 32] = sh.out[e / 32][e % 32];
}

LAUNCH(.block = {64}, .tile = {32, 32}, .shared = sizeof(Shared));

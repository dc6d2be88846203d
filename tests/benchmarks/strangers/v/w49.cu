#include <lab.h>

// 4 x 4 values per thread, 32 x 8 threads: wide tiles so that the writes coalesce
#define NX 32
#define NY 8
#define UX 4
#define UY 4
#define TILE_W (NX * UX)
#define TILE_H (NY * UY)
#define KSTEP 8

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    __shared__ float bufA[TILE_H][KSTEP];
    __shared__ float bufB[KSTEP][TILE_W];
    const int x0 = blockIdx.x * TILE_W;
    const int y0 = blockIdx.y * TILE_H;
    const int tid = threadIdx.y * NX + threadIdx.x;

    float v[UY][UX] = {};

    for (int k0 = 0; k0 < N; k0 += KSTEP) {
        {   // 32 x 8 values of A, exactly one for each thread
            const int y = tid / KSTEP, k = tid % KSTEP;
            bufA[y][k] = (y0 + y < N && k0 + k < N) ? A[(y0 + y) * N + k0 + k] : 0.0f;
        }
        for (int u = 0; u < UX; ++u) {
            const int x = threadIdx.x + u * NX, k = threadIdx.y;
            bufB[k][x] = (x0 + x < N && k0 + k < N) ? B[(k0 + k) * N + x0 + x] : 0.0f;
        }
        __syncthreads();
        #pragma unroll
        for (int k = 0; k < KSTEP; ++k)
            for (int i = 0; i < UY; ++i)
                for (int j = 0; j < UX; ++j)
                    v[i][j] = fmaf(bufA[threadIdx.y + i * NY][k], bufB[k][threadIdx.x + j * NX], v[i][j]);
        __syncthreads();
    }

    for (int i = 0; i < UY; ++i) {
        const int y = y0 + threadIdx.y + i * NY;
        for (int j = 0; j < UX; ++j) {
            const int x = x0 + threadIdx.x + j * NX;
            if (y < N && x < N)
                C[y * N + x] = v[i][j];
        }
    }
}

LAUNCH(.block = {NX, NY}, .tile = {TILE_W, TILE_H}, .grid_x = ROWS);

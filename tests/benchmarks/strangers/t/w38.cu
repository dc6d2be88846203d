#include <lab.h>

#define TILE_DIM 32

struct Smem {
    float a[TILE_DIM][TILE_DIM];
    float b[TILE_DIM][TILE_DIM];
};

extern __shared__ float raw[];

extern "C" __global__ void matmul(const float* A, const float* B, float* C, int N) {
    Smem& sm = *reinterpret_cast<Smem*>(raw);
    const int lc = threadIdx.x, lr = threadIdx.y;
    const int gc = blockIdx.x * TILE_DIM + lc;
    const int gr = blockIdx.y * TILE_DIM + lr;

    float total = 0.0f;
    for (int tile = 0; tile * TILE_DIM < N; ++tile) {
        const int ac = tile * TILE_DIM + lc;
        const int br = tile * TILE_DIM + lr;
        sm.a[lr][lc] = (gr < N && ac < N) ? A[gr * N + ac] : 0.0f;
        sm.b[lr][lc] = (br < N && gc < N) ? B[br * N + gc] : 0.0f;
        __syncthreads();
        for (int k = 0; k < TILE_DIM; ++k) {
            total += sm.a[lr][k] * sm.b[k][lc];
        }
        __syncthreads();
    }
    if (gr < N && gc < N) {
        C[gr * N + gc] = total;
    }
}

LAUNCH(.block = {TILE_DIM, TILE_DIM}, .tile = {TILE_DIM, TILE_DIM}, .shared = 2 * TILE_DIM * TILE_DIM);

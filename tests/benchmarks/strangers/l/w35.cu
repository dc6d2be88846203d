#include <lab.h>

#define TILE 32           // elements of C per block, in each direction
#define THREADS (TILE / 2)

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    __shared__ float As[TILE][THREADS];
    __shared__ float Bs[THREADS][TILE];
    const int tx = threadIdx.x, ty = threadIdx.y;
    const int r0 = blockIdx.y * TILE + ty, r1 = r0 + THREADS;
    const int c0 = blockIdx.x * TILE + tx, c1 = c0 + THREADS;

    float s00 = 0, s01 = 0, s10 = 0, s11 = 0;
    for (int k0 = 0; k0 < N; k0 += THREADS) {
        const int ka = k0 + tx, kb = k0 + ty;
        As[ty][tx] = r0 < N && ka < N ? A[r0 * N + ka] : 0.0f;
        As[ty + THREADS][tx] = r1 < N && ka < N ? A[r1 * N + ka] : 0.0f;
        Bs[ty][tx] = kb < N && c0 < N ? B[kb * N + c0] : 0.0f;
        Bs[ty][tx + THREADS] = kb < N && c1 < N ? B[kb * N + c1] : 0.0f;
        __syncthreads();
        for (int k = 0; k < THREADS; ++k) {
            const float a0 = As[ty][k], a1 = As[ty + THREADS][k];
            const float b0 = Bs[k][tx], b1 = Bs[k][tx + THREADS];
            s00 += a0 * b0;
            s01 += a0 * b1;
            s10 += a1 * b0;
            s11 += a1 * b1;
        }
        __syncthreads();
    }

    if (r0 < N && c0 < N) C[r0 * N + c0] = s00;
    if (r0 < N && c1 < N) C[r0 * N + c1] = s01;
    if (r1 < N && c0 < N) C[r1 * N + c0] = s10;
    if (r1 < N && c1 < N) C[r1 * N + c1] = s11;
}

LAUNCH(.block = {THREADS, THREADS}, .tile = {2 * TILE, 2 * TILE});

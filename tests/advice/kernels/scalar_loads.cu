// Scalar loads where 4-wide ones are possible: a thread's elements of both tiles are 16 apart.
#include <lab.h>

constexpr int SIDE = 8, THREADS = 16, TILE = THREADS * SIDE, DEPTH = 8;

extern "C" __global__ void __launch_bounds__(THREADS *THREADS) matmul(const float *A, const float *B, float *C, int N)
{
    __shared__ __align__(16) float As[DEPTH][TILE + 4], Bs[DEPTH][TILE];
    const int thread = threadIdx.x, tx = thread % THREADS, ty = thread / THREADS;
    float sum[SIDE][SIDE] = {};
    for (int first = 0; first < N; first += DEPTH) {
#pragma unroll
        for (int i = 0; i < TILE * DEPTH; i += THREADS * THREADS) {
            const int at = i + thread, row = blockIdx.y * TILE + at / DEPTH, col = blockIdx.x * TILE + at % TILE;
            const int ka = first + at % DEPTH, kb = first + at / TILE;
            As[at % DEPTH][at / DEPTH] = row < N && ka < N ? A[row * N + ka] : 0;
            Bs[at / TILE][at % TILE] = col < N && kb < N ? B[kb * N + col] : 0;
        }
        __syncthreads();
#pragma unroll
        for (int k = 0; k < DEPTH; ++k) {
            float a[SIDE], b[SIDE];
#ifdef FIXED
            for (int i = 0; i < SIDE; i += 4) {
                *reinterpret_cast<float4 *>(&a[i]) = *reinterpret_cast<float4 *>(&As[k][i * THREADS + ty * 4]);
                *reinterpret_cast<float4 *>(&b[i]) = *reinterpret_cast<float4 *>(&Bs[k][i * THREADS + tx * 4]);
            }
#else
            for (int i = 0; i < SIDE; ++i) {
                a[i] = As[k][i * THREADS + ty];
                b[i] = Bs[k][i * THREADS + tx];
            }
#endif
#pragma unroll
            for (int i = 0; i < SIDE * SIDE; ++i)
                sum[i / SIDE][i % SIDE] += a[i / SIDE] * b[i % SIDE];
        }
        __syncthreads();
    }
#pragma unroll
    for (int i = 0; i < SIDE * SIDE; ++i) {
#ifdef FIXED
        const int row = blockIdx.y * TILE + i / SIDE / 4 * 4 * THREADS + ty * 4 + i / SIDE % 4;
        const int col = blockIdx.x * TILE + i % SIDE / 4 * 4 * THREADS + tx * 4 + i % 4;
#else
        const int row = blockIdx.y * TILE + i / SIDE * THREADS + ty, col = blockIdx.x * TILE + i % SIDE * THREADS + tx;
#endif
        if (row < N && col < N)
            C[row * N + col] = sum[i / SIDE][i % SIDE];
    }
}

LAUNCH(.block = {THREADS * THREADS}, .tile = {TILE, TILE});

// lab: half
// Scalar arithmetic on halves: each thread computes one element. The twin computes two neighbours with half2.
#include <cuda_fp16.h>
#include <lab.h>

constexpr int WIDE = 32, HIGH = 8, DEPTH = 32;

extern "C" __global__ void matmul(const half *A, const half *B, half *C, int N)
{
    const int tx = threadIdx.x, ty = threadIdx.y, row = blockIdx.y * HIGH + ty;
#ifdef FIXED
    constexpr int TILE = 2 * WIDE;
    __shared__ __align__(4) half Bs[DEPTH][TILE];
    half2 sum = __float2half2_rn(0);
#else
    constexpr int TILE = WIDE;
    __shared__ half Bs[DEPTH][TILE];
    half sum = __float2half(0);
#endif
    __shared__ half As[HIGH][DEPTH];
    const half zero = __float2half(0);
    for (int first = 0; first < N; first += DEPTH) {
        As[ty][tx] = row < N && first + tx < N ? A[row * N + first + tx] : zero;
        for (int at = ty * WIDE + tx; at < DEPTH * TILE; at += WIDE * HIGH) {
            const int k = first + at / TILE, col = blockIdx.x * TILE + at % TILE;
            Bs[at / TILE][at % TILE] = k < N && col < N ? B[k * N + col] : zero;
        }
        __syncthreads();
#pragma unroll
        for (int k = 0; k < DEPTH; ++k)
#ifdef FIXED
            sum = __hfma2(__half2half2(As[ty][k]), *reinterpret_cast<half2 *>(&Bs[k][2 * tx]), sum);
#else
            sum = __hfma(As[ty][k], Bs[k][tx], sum);
#endif
        __syncthreads();
    }
#ifdef FIXED
    const int col = blockIdx.x * TILE + 2 * tx;
    if (row < N && col < N)
        C[row * N + col] = __low2half(sum);
    if (row < N && col + 1 < N)
        C[row * N + col + 1] = __high2half(sum);
#else
    const int col = blockIdx.x * TILE + tx;
    if (row < N && col < N)
        C[row * N + col] = sum;
#endif
}

#ifdef FIXED
LAUNCH(.block = {WIDE, HIGH}, .tile = {2 * WIDE, HIGH});
#else
LAUNCH(.block = {WIDE, HIGH}, .tile = {WIDE, HIGH});
#endif

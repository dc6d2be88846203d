// dynamic shared memory: first S*S floats for A, the rest for B
#include <lab.h>
constexpr int S = 32;

extern "C" __global__ void matmul(const float* __restrict__ A, const float* __restrict__ B,
                                  float* __restrict__ C, int N) {
    extern __shared__ float pool[];
    float* sa = pool;
    float* sb = pool + S * S;
    const int tx = threadIdx.x, ty = threadIdx.y;     // ty = 0..7, every thread does 4 rows
    const int col = blockIdx.x * S + tx;
    const int row0 = blockIdx.y * S;
    float r0 = 0, r1 = 0, r2 = 0, r3 = 0;

    for (int k0 = 0; k0 < N; k0 += S) {
        for (int y = ty; y < S; y += 8) {
            int row = row0 + y, k = k0 + tx;
            sa[y * S + tx] = row < N && k < N ? A[row * N + k] : 0.0f;
            k = k0 + y;
            sb[y * S + tx] = k < N && col < N ? B[k * N + col] : 0.0f;
        }
        __syncthreads();
        for (int k = 0; k < S; ++k) {
            float b = sb[k * S + tx];
            r0 += sa[(ty     ) * S + k] * b;
            r1 += sa[(ty +  8) * S + k] * b;
            r2 += sa[(ty + 16) * S + k] * b;
            r3 += sa[(ty + 24) * S + k] * b;
        }
        __syncthreads();
    }
    if (col < N) {
        if (row0 + ty < N)      C[(row0 + ty) * N + col] = r0;
        if (row0 + ty + 8 < N)  C[(row0 + ty + 8) * N + col] = r1;
        if (row0 + ty + 16 < N) C[(row0 + ty + 16) * N + col] = r2;
        if (row0 + ty + 24 < N) C[(row0 + ty + 24) * N + col] = r3;
    }
}

LAUNCH(.block = {S, 8}, .tile = {S, S}, .shared = 2 * S * S * sizeof(float));

// The tile of A is stored transposed. An exclusive or with the row, instead of padding, keeps the banks apart.
#include <lab.h>

#define L 32

__device__ __forceinline__ int swz(int r, int c) { return r * L + (c ^ r); }

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    extern __shared__ float mem[];
    float *const at = mem;
    float *const bt = mem + L * L;

    const int tx = threadIdx.x, ty = threadIdx.y;
    const int row0 = blockIdx.y * L, col = blockIdx.x * L + tx;
    float out[8] = {};

    for (int k0 = 0; k0 < N; k0 += L) {
#pragma unroll
        for (int y = ty; y < L; y += 4) {
            const int r = row0 + y;
            at[swz(tx, y)] = r < N && k0 + tx < N ? A[r * N + k0 + tx] : 0.0f;
            bt[swz(y, tx)] = k0 + y < N && col < N ? B[(k0 + y) * N + col] : 0.0f;
        }
        __syncthreads();
#pragma unroll 4
        for (int k = 0; k < L; ++k) {
            const float b = bt[swz(k, tx)];
#pragma unroll
            for (int i = 0; i < 8; ++i)
                out[i] += at[swz(k, 8 * ty + i)] * b;
        }
        __syncthreads();
    }

#pragma unroll
    for (int i = 0; i < 8; ++i)
        if (row0 + 8 * ty + i < N && col < N)
            C[(row0 + 8 * ty + i) * N + col] = out[i];
}

LAUNCH(.block = {L, 4}, .tile = {L, L}, .shared = 2 * L * L * sizeof(float));

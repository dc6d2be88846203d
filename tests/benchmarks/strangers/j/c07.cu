#include <lab.h>

#define S 32
#define PER 4   // columns per thread, 8 apart

// threadIdx.x is the ROW here. All global accesses are coalesced nevertheless, because the results go through shared
// memory. Element (r, c) of a swizzled tile is stored in column c ^ r, so neither rows nor columns have bank conflicts.
struct Swizzled {
    float v[S][S];
    __device__ float &operator()(int r, int c) { return v[r][c ^ r]; }
};

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    __shared__ Swizzled a;
    __shared__ float b[S][S];

    const int tx = threadIdx.x, ty = threadIdx.y;
    const int row0 = blockIdx.x * S, col0 = blockIdx.y * S;
    float acc[PER] = {};

    for (int k0 = 0; k0 < N; k0 += S) {
        for (int i = 0; i < PER; ++i) {
            const int m = ty + 8 * i;
            a(m, tx) = row0 + m < N && k0 + tx < N ? A[(row0 + m) * N + k0 + tx] : 0.0f;
            b[m][tx] = k0 + m < N && col0 + tx < N ? B[(k0 + m) * N + col0 + tx] : 0.0f;
        }
        __syncthreads();
        for (int k = 0; k < S; ++k) {
            const float x = a(tx, k);
            for (int i = 0; i < PER; ++i)
                acc[i] += x * b[k][ty + 8 * i];
        }
        __syncthreads();
    }

    for (int i = 0; i < PER; ++i)
        a(tx, ty + 8 * i) = acc[i];
    __syncthreads();
    for (int i = 0; i < PER; ++i) {
        const int m = ty + 8 * i;
        if (row0 + m < N && col0 + tx < N)
            C[(row0 + m) * N + col0 + tx] = a(m, tx);
    }
}

LAUNCH(.block = {S, 8}, .tile = {S, S}, .grid_x = ROWS);

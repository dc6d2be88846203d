// Tiles without bank conflicts.
//
// A is stored transposed, so a warp writes a column of the tile. In a plain [32][32] array these 32 elements are all
// in the same bank. Padding would also help but then rows are not aligned any more.

#include <lab.h>

#define T 32

// element (y, x) of a tile is kept in column x ^ y
__device__ __forceinline__ int at(int y, int x) { return y * T + (x ^ y); }

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    __shared__ float at_[T * T];   // A, transposed
    __shared__ float bt_[T * T];

    const int x = threadIdx.x;
    const int y0 = threadIdx.y * 4;
    const int r0 = blockIdx.y * T, c = blockIdx.x * T + x;
    float acc[4] = {0, 0, 0, 0};

    for (int k0 = 0; k0 < N; k0 += T) {
        for (int i = 0; i < 4; ++i) {
            const int y = y0 + i;
            at_[at(x, y)] = r0 + y < N && k0 + x < N ? A[(r0 + y) * N + k0 + x] : 0.0f;
            bt_[at(y, x)] = k0 + y < N && c < N ? B[(k0 + y) * N + c] : 0.0f;
        }
        __syncthreads();
        for (int k = 0; k < T; ++k) {
            const float b = bt_[at(k, x)];
            for (int i = 0; i < 4; ++i)
                acc[i] += at_[at(k, y0 + i)] * b;
        }
        __syncthreads();
    }

    for (int i = 0; i < 4; ++i)
        if (r0 + y0 + i < N && c < N)
            C[(r0 + y0 + i) * N + c] = acc[i];
}

LAUNCH(.block = {T, 8}, .tile = {T, T});

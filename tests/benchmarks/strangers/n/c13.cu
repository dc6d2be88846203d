#include <lab.h>

// Two adjacent columns per thread; the results go through the shared memory of the tiles, so that the stores are
// coalesced.
union Scratch {
    struct {
        float a[16][16];
        float b[16][32];
    } in;
    float out[16][32];
};

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    __shared__ Scratch s;
    const int tx = threadIdx.x, ty = threadIdx.y;
    const int row = blockIdx.y * 16 + ty, left = blockIdx.x * 32;
    float even = 0.0f, odd = 0.0f;

    for (int k0 = 0; k0 < N; k0 += 16) {
        s.in.a[ty][tx] = row < N && k0 + tx < N ? A[row * N + k0 + tx] : 0.0f;
        for (int j = tx; j < 32; j += 16)
            s.in.b[ty][j] = k0 + ty < N && left + j < N ? B[(k0 + ty) * N + left + j] : 0.0f;
        __syncthreads();
        for (int k = 0; k < 16; ++k) {
            even += s.in.a[ty][k] * s.in.b[k][2 * tx];
            odd  += s.in.a[ty][k] * s.in.b[k][2 * tx + 1];
        }
        __syncthreads();
    }

    s.out[ty][2 * tx] = even;
    s.out[ty][2 * tx + 1] = odd;
    __syncthreads();
    for (int j = tx; j < 32; j += 16)
        if (row < N && left + j < N)
            C[row * N + left + j] = s.out[ty][j];
}

LAUNCH(.block = {16, 16}, .tile = {32, 16});

// A's tile is stored transposed with an XOR swizzle instead of padding.
#include <lab.h>

constexpr unsigned T = 32, R = 4, NY = T / R;

__device__ unsigned at(unsigned k, unsigned y) { return k * T + (y ^ k); }

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    __shared__ float At[T * T], Bs[T * T];
    const unsigned tx = threadIdx.x, ty = threadIdx.y, n = N;
    const unsigned r0 = blockIdx.y * T, col = blockIdx.x * T + tx;
    float acc[R] = {};

    for (unsigned k0 = 0; k0 < n; k0 += T) {
        for (unsigned y = ty; y < T; y += NY) {
            At[at(tx, y)] = r0 + y < n && k0 + tx < n ? A[(r0 + y) * n + k0 + tx] : 0.0f;
            Bs[y * T + tx] = k0 + y < n && col < n ? B[(k0 + y) * n + col] : 0.0f;
        }
        __syncthreads();
        for (unsigned k = 0; k < T; ++k)
            for (unsigned i = 0; i < R; ++i)
                acc[i] += At[at(k, ty + i * NY)] * Bs[k * T + tx];
        __syncthreads();
    }
    for (unsigned i = 0; i < R; ++i)
        if (unsigned r = r0 + ty + i * NY; r < n && col < n)
            C[r * n + col] = acc[i];
}

LAUNCH(.block = {T, NY}, .tile = {T, T});

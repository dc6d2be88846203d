#include <lab.h>

#define VEC 4

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    __shared__ float as[16][16];
    const int tx = threadIdx.x, ty = threadIdx.y;
    const int row = blockIdx.y * 16 + ty;
    const int col = (blockIdx.x * 16 + tx) * VEC;
    float r[VEC] = {0.f, 0.f, 0.f, 0.f};

    for (int k0 = 0; k0 < N; k0 += 16) {
        as[ty][tx] = row < N && k0 + tx < N ? A[row * N + k0 + tx] : 0.f;
        __syncthreads();
        const int stop = N - k0 < 16 ? N - k0 : 16;
        for (int k = 0; k < stop; ++k) {
            const float *b = B + (k0 + k) * N + col;
            for (int v = 0; v < VEC; ++v)
                if (col + v < N)
                    r[v] += as[ty][k] * b[v];
        }
        __syncthreads();
    }

    if (row >= N)
        return;
    if (N % 2 == 0 && col + VEC <= N)
        *reinterpret_cast<float4 *>(C + row * N + col) = make_float4(r[0], r[1], r[2], r[3]);
    else
        for (int v = 0; v < VEC; ++v)
            if (col + v < N)
                C[row * N + col + v] = r[v];
}

LAUNCH(.block = {16, 16}, .tile = {16 * VEC, 16});

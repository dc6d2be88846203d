#include <lab.h>

template <class F>
__device__ void each(int first, int last, int step, F f)
{
    for (int i = first; i < last; i += step)
        f(i);
}

// 32 x 8 threads, 32 x 32 results: each thread one column, four rows 8 apart
extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    __shared__ float a[32][33], b[32][33];
    const int x = threadIdx.x, y = threadIdx.y;
    const int r0 = blockIdx.y * 32, c = blockIdx.x * 32 + x;

    float out[4] = {0.f, 0.f, 0.f, 0.f};
    auto ok = [N](int i, int j) { return i < N && j < N; };

    each(0, N, 32, [&](int k0) {
        each(y, 32, 8, [&](int i) {
            a[i][x] = ok(r0 + i, k0 + x) ? A[(r0 + i) * N + k0 + x] : 0.f;
            b[i][x] = ok(k0 + i, c) ? B[(k0 + i) * N + c] : 0.f;
        });
        __syncthreads();
        each(0, 32, 1, [&](int k) {
            const float bk = b[k][x];
            each(0, 4, 1, [&](int q) { out[q] += a[y + 8 * q][k] * bk; });
        });
        __syncthreads();
    });

    each(0, 4, 1, [&](int q) {
        const int r = r0 + y + 8 * q;
        if (ok(r, c)) C[r * N + c] = out[q];
    });
}

LAUNCH(.block = {32, 8}, .tile = {32, 32});
